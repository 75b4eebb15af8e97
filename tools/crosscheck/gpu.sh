# gpu.sh - what run.sh and calibrate.sh look for on this machine before they begin. Read by them:
#
#   . "$HERE/gpu.sh"
#   look_for NAME TOOL...   ends the script, saying what is missing, unless there are a GPU and the
#                           tools; `gpu` and `cc_number` (90) then tell the GPU
#   gpu_head WHAT           the first lines of a file of measurements
# shellcheck shell=sh

CUDA=${CUDA_HOME:-/usr/local/cuda}
CC=${CC:-cc}
PATH=$PATH:$CUDA/bin

what_is() { # TOOL
    case $1 in
    nvcc) echo "nvcc (the CUDA toolkit's compiler)" ;;
    cuobjdump) echo "cuobjdump (of the CUDA toolkit)" ;;
    ncu) echo "ncu (Nsight Compute)" ;;
    *) echo "$1 (a C compiler)" ;;
    esac
}

look_for() { # NAME TOOL...
    name=$1
    shift
    missing=
    gpu=$(nvidia-smi -i 0 --query-gpu=name,compute_cap,driver_version --format=csv,noheader \
        2>/dev/null) || missing="
    a GPU (nvidia-smi answers nothing)"
    for tool in "$@"; do
        command -v "$tool" >/dev/null || missing="$missing
    $(what_is "$tool")"
    done
    if [ -n "$missing" ]; then
        echo "$name: not run; this machine lacks$missing" >&2
        exit 1
    fi
    # shellcheck disable=SC2034 # for those who read this
    cc_number=$(echo "$gpu" | awk -F', ' '{sub(/\./, "", $2); print $2}')
}

gpu_head() { # WHAT
    echo "# $1"
    echo "#"
    echo "$gpu" | awk -F', ' '{print "# GPU: " $1 ", compute capability " $2 ", driver " $3}'
}
