/* error.c - what calls return, and what the numbers are called.
 *
 * A call's mistake is kept for cudaGetLastError, of its thread. A kernel's fault is nobody's call: the launch
 * has succeeded, and whoever calls next is told, and everyone after, whatever cudaGetLastError forgets. On an
 * H200 a reset does not mend that: the device is then said to be unavailable.
 */
#include "cudart/state.h"

#define EXPORT __attribute__((visibility("default")))

static const struct {
    int error;
    const char *name, *text;
} errors[] = {
    {BSIM_CUDA_SUCCESS, "cudaSuccess", "no error"},
    {BSIM_CUDA_INVALID_VALUE, "cudaErrorInvalidValue", "invalid argument"},
    {BSIM_CUDA_MEMORY, "cudaErrorMemoryAllocation", "out of memory"},
    {9, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {BSIM_CUDA_INVALID_PITCH, "cudaErrorInvalidPitchValue", "invalid pitch argument"},
    {BSIM_CUDA_INVALID_SYMBOL, "cudaErrorInvalidSymbol", "invalid device symbol"},
    {BSIM_CUDA_INVALID_CHANNELS, "cudaErrorInvalidChannelDescriptor", "invalid channel descriptor"},
    {BSIM_CUDA_INVALID_DIRECTION, "cudaErrorInvalidMemcpyDirection",
     "invalid copy direction for memcpy"},
    {BSIM_CUDA_UNAVAILABLE, "cudaErrorDevicesUnavailable",
     "CUDA-capable device(s) is/are busy or unavailable"},
    {BSIM_CUDA_INVALID_FUNCTION, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {BSIM_CUDA_INVALID_DEVICE, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {BSIM_CUDA_INVALID_IMAGE, "cudaErrorInvalidKernelImage", "device kernel image is invalid"},
    {209, "cudaErrorNoKernelImageForDevice",
     "no kernel image is available for execution on the device"},
    {BSIM_CUDA_UNSUPPORTED_LIMIT, "cudaErrorUnsupportedLimit",
     "limit is not supported on this architecture"},
    {BSIM_CUDA_NO_PEER_ACCESS, "cudaErrorPeerAccessUnsupported",
     "peer access is not supported between these two devices"},
    {218, "cudaErrorInvalidPtx", "a PTX JIT compilation failed"},
    {BSIM_CUDA_INVALID_HANDLE, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {BSIM_CUDA_ILLEGAL_STATE, "cudaErrorIllegalState",
     "the operation cannot be performed in the present state"},
    {600, "cudaErrorNotReady", "device not ready"},
    {BSIM_CUDA_ILLEGAL_ADDRESS, "cudaErrorIllegalAddress",
     "an illegal memory access was encountered"},
    {701, "cudaErrorLaunchOutOfResources", "too many resources requested for launch"},
    {BSIM_CUDA_TIMEOUT, "cudaErrorLaunchTimeout", "the launch timed out and was terminated"},
    {704, "cudaErrorPeerAccessAlreadyEnabled", "peer access is already enabled"},
    {BSIM_CUDA_PEER_NOT_ENABLED, "cudaErrorPeerAccessNotEnabled",
     "peer access has not been enabled"},
    {BSIM_CUDA_ASSERT, "cudaErrorAssert", "device-side assert triggered"},
    {BSIM_CUDA_REGISTERED, "cudaErrorHostMemoryAlreadyRegistered",
     "part or all of the requested memory range is already mapped"},
    {BSIM_CUDA_NOT_REGISTERED, "cudaErrorHostMemoryNotRegistered",
     "pointer does not correspond to a registered memory region"},
    {BSIM_CUDA_ILLEGAL_INSTRUCTION, "cudaErrorIllegalInstruction",
     "an illegal instruction was encountered"},
    {BSIM_CUDA_MISALIGNED, "cudaErrorMisalignedAddress", "misaligned address"},
    {BSIM_CUDA_LAUNCH_FAILURE, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {BSIM_CUDA_GRID_TOO_LARGE, "cudaErrorCooperativeLaunchTooLarge",
     "too many blocks in cooperative launch"},
    {BSIM_CUDA_INVALID_CLUSTER, "cudaErrorInvalidClusterSize",
     "a kernel launch error has occurred due to cluster misconfiguration"},
    {BSIM_CUDA_NOT_SUPPORTED, "cudaErrorNotSupported", "operation not supported"},
    {BSIM_CUDA_CAPTURE_UNSUPPORTED, "cudaErrorStreamCaptureUnsupported",
     "operation not permitted when stream is capturing"},
    {BSIM_CUDA_CAPTURE_INVALIDATED, "cudaErrorStreamCaptureInvalidated",
     "operation failed due to a previous error during capture"},
    {BSIM_CUDA_CAPTURE_MERGE, "cudaErrorStreamCaptureMerge",
     "operation would result in a merge of separate capture sequences"},
    {BSIM_CUDA_CAPTURE_UNJOINED, "cudaErrorStreamCaptureUnjoined",
     "capturing stream has unjoined work"},
    {BSIM_CUDA_CAPTURE_ISOLATION, "cudaErrorStreamCaptureIsolation",
     "dependency created on uncaptured work in another stream"},
    {BSIM_CUDA_CAPTURE_IMPLICIT, "cudaErrorStreamCaptureImplicit",
     "operation would make the legacy stream depend on a capturing blocking stream"},
    {BSIM_CUDA_CAPTURED_EVENT, "cudaErrorCapturedEvent",
     "operation not permitted on an event last recorded in a capturing stream"},
    {BSIM_CUDA_CAPTURE_THREAD, "cudaErrorStreamCaptureWrongThread",
     "attempt to terminate a thread-local capture sequence from another thread"},
    {910, "cudaErrorGraphExecUpdateFailure",
     "the graph update was not performed because it included changes which violated constraints "
     "specific to instantiated graph update"},
    {999, "cudaErrorUnknown", "unknown error"},
};

enum { N_ERRORS = sizeof errors / sizeof *errors };

static _Thread_local int last_error;
static int fault; /* of a kernel */

int bsim_cuda_return(int error)
{
    last_error = error != BSIM_CUDA_SUCCESS ? error : last_error;
    return error;
}

int bsim_cuda_fault(void)
{
    bsim_cuda_enter();
    int now = fault;
    bsim_cuda_leave();
    return bsim_cuda_return(now);
}

void bsim_cuda_set_fault(int error)
{
    bsim_cuda_enter();
    fault = error;
    bsim_cuda_leave();
}

void bsim_cuda_reset_fault(void)
{
    bsim_cuda_enter();
    fault = fault != BSIM_CUDA_SUCCESS ? BSIM_CUDA_UNAVAILABLE : fault;
    bsim_cuda_leave();
}

EXPORT const char *cudaGetErrorString(int error)
{
    for (size_t i = 0; i < N_ERRORS; i++) {
        if (errors[i].error == error) {
            return errors[i].text;
        }
    }
    return "unrecognized error code";
}

EXPORT const char *cudaGetErrorName(int error)
{
    for (size_t i = 0; i < N_ERRORS; i++) {
        if (errors[i].error == error) {
            return errors[i].name;
        }
    }
    return "unrecognized error code";
}

EXPORT int cudaPeekAtLastError(void)
{
    return last_error;
}

EXPORT int cudaGetLastError(void)
{
    int error = last_error;
    last_error = BSIM_CUDA_SUCCESS;
    return error;
}
