# find.sh - for the scripts that look at pages: names the browsers that are here. Sets and exports CHROMIUM and
# FIREFOX, each empty where there is none; either names the browser if it has another name than those below.

# first NAME...: the first of these programs that is there.
first() {
    for name; do
        command -v "$name" && return
    done
    :
}

CHROMIUM=$(first "${CHROMIUM:-chromium}" chromium chromium-browser google-chrome chrome)
FIREFOX=$(first "${FIREFOX:-firefox}" firefox firefox-esr)
export CHROMIUM FIREFOX

# each_browser SCRIPT SKIPS: runs the script with node, in each browser, named by BROWSER; SKIPS tells of one
# that is missing. Firefox speaks by a WebSocket, which node 20 has only if it is told so.
each_browser() {
    status=0
    if [ -n "$CHROMIUM" ]; then
        BROWSER=chromium node "$1" || status=1
    else
        "$2" chromium
    fi
    if [ -z "$FIREFOX" ]; then
        "$2" firefox
    elif node -e 'WebSocket' 2>/dev/null; then
        BROWSER=firefox node "$1" || status=1
    elif node --experimental-websocket -e 'WebSocket' 2>/dev/null; then
        BROWSER=firefox node --experimental-websocket --no-warnings "$1" || status=1
    else
        "$2" "node 20.10 or newer, for firefox,"
    fi
    return $status
}
