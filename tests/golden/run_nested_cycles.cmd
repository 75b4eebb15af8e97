# Loops whose warps drift apart are played turn by turn, until that takes too long.
# Release only: it is about their limit, 262,144 events; other runs play few of the same.
banksim run tests/golden/traces/nested_repeat.trace | grep -e ^k -e cycles:
