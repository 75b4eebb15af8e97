# common.sh - for scripts that run a test by each compiler: $work is a directory of theirs, $name the test,
# $compiler who compiles it.
LC_ALL=C
export LC_ALL
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
n=0

# result STATUS WORDS: how the test went.
result() {
    n=$((n + 1))
    echo "$1 $n - $name by $compiler$2"
}

has() {
    case $1 in
    clang) command -v clang++ ;;
    nvcc) command -v nvcc || ls /usr/local/cuda/bin/nvcc ;;
    esac >/dev/null 2>&1
}
