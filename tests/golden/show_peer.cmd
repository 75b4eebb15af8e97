# Loads by rows and by columns, a store of 16 bytes, whole sectors that stand alone; what is not told.
banksim show --load b32 --stride 1,32 --peer
banksim show --store float4 --stride 2 --peer
banksim show --store float4 --addresses 0,16,128,144 --peer
for args in '--atomic add' '--load b32 --device a100' '--load b32 --format svg' '--strides 1,2'; do
    banksim show $args --peer; echo "exit $?"
done
