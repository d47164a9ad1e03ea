#include "emulator/cudart/error_table.h"

#include <algorithm>
#include <array>

namespace warpsim::cudart {
namespace {

struct ErrorRow {
  int code;
  const char* name;
  const char* text;
};

// By number, because the enumerations of CUDA 12 and 13 do not have the same members. Names are the
// toolkit's; texts are ours.
constexpr auto kErrorRows = std::to_array<ErrorRow>({
    {0, "cudaSuccess", "no error"},
    {1, "cudaErrorInvalidValue", "invalid argument"},
    {2, "cudaErrorMemoryAllocation", "out of memory"},
    {3, "cudaErrorInitializationError", "initialization failed"},
    {4, "cudaErrorCudartUnloading", "the runtime is being unloaded"},
    {5, "cudaErrorProfilerDisabled", "the profiler is disabled"},
    {6, "cudaErrorProfilerNotInitialized", "the profiler is not initialized"},
    {7, "cudaErrorProfilerAlreadyStarted", "the profiler was already started"},
    {8, "cudaErrorProfilerAlreadyStopped", "the profiler was already stopped"},
    {9, "cudaErrorInvalidConfiguration", "invalid launch configuration"},
    {12, "cudaErrorInvalidPitchValue", "invalid pitch"},
    {13, "cudaErrorInvalidSymbol", "invalid device symbol"},
    {16, "cudaErrorInvalidHostPointer", "invalid host pointer"},
    {17, "cudaErrorInvalidDevicePointer", "invalid device pointer"},
    {18, "cudaErrorInvalidTexture", "invalid texture"},
    {19, "cudaErrorInvalidTextureBinding", "invalid texture binding"},
    {20, "cudaErrorInvalidChannelDescriptor", "invalid channel descriptor"},
    {21, "cudaErrorInvalidMemcpyDirection", "invalid copy direction"},
    {22, "cudaErrorAddressOfConstant", "address of a constant variable taken"},
    {23, "cudaErrorTextureFetchFailed", "texture fetch failed"},
    {24, "cudaErrorTextureNotBound", "no texture is bound"},
    {25, "cudaErrorSynchronizationError", "synchronization failed"},
    {26, "cudaErrorInvalidFilterSetting", "invalid filter setting"},
    {27, "cudaErrorInvalidNormSetting", "invalid normalization setting"},
    {28, "cudaErrorMixedDeviceExecution", "device and emulated code mixed"},
    {31, "cudaErrorNotYetImplemented", "not implemented"},
    {32, "cudaErrorMemoryValueTooLarge", "emulated memory value too large"},
    {34, "cudaErrorStubLibrary", "the library is a stub"},
    {35, "cudaErrorInsufficientDriver", "the driver is too old for this runtime"},
    {36, "cudaErrorCallRequiresNewerDriver", "the call needs a newer driver"},
    {37, "cudaErrorInvalidSurface", "invalid surface"},
    {43, "cudaErrorDuplicateVariableName", "variable name used twice"},
    {44, "cudaErrorDuplicateTextureName", "texture name used twice"},
    {45, "cudaErrorDuplicateSurfaceName", "surface name used twice"},
    {46, "cudaErrorDevicesUnavailable", "the device is busy or unavailable"},
    {49, "cudaErrorIncompatibleDriverContext", "the driver's context does not fit this runtime"},
    {52, "cudaErrorMissingConfiguration", "no launch configuration was given"},
    {53, "cudaErrorPriorLaunchFailure", "an earlier launch failed"},
    {65, "cudaErrorLaunchMaxDepthExceeded", "launches nested too deep"},
    {66, "cudaErrorLaunchFileScopedTex", "file-scope texture in a nested launch"},
    {67, "cudaErrorLaunchFileScopedSurf", "file-scope surface in a nested launch"},
    {68, "cudaErrorSyncDepthExceeded", "nested synchronization too deep"},
    {69, "cudaErrorLaunchPendingCountExceeded", "too many nested launches pending"},
    {98, "cudaErrorInvalidDeviceFunction", "not a device function of this program"},
    {100, "cudaErrorNoDevice", "no device found"},
    {101, "cudaErrorInvalidDevice", "invalid device number"},
    {102, "cudaErrorDeviceNotLicensed", "the device is not licensed"},
    {103, "cudaErrorSoftwareValidityNotEstablished", "the software's validity was not established"},
    {127, "cudaErrorStartupFailure", "startup failed"},
    {200, "cudaErrorInvalidKernelImage", "invalid device code image"},
    {201, "cudaErrorDeviceUninitialized", "no device context"},
    {205, "cudaErrorMapBufferObjectFailed", "mapping a buffer object failed"},
    {206, "cudaErrorUnmapBufferObjectFailed", "unmapping a buffer object failed"},
    {207, "cudaErrorArrayIsMapped", "the array is mapped"},
    {208, "cudaErrorAlreadyMapped", "the resource is already mapped"},
    {209, "cudaErrorNoKernelImageForDevice", "no device code for this device in the program"},
    {210, "cudaErrorAlreadyAcquired", "the resource is already acquired"},
    {211, "cudaErrorNotMapped", "the resource is not mapped"},
    {212, "cudaErrorNotMappedAsArray", "the resource is not mapped as an array"},
    {213, "cudaErrorNotMappedAsPointer", "the resource is not mapped as a pointer"},
    {214, "cudaErrorECCUncorrectable", "uncorrectable memory error"},
    {215, "cudaErrorUnsupportedLimit", "the device does not have this limit"},
    {216, "cudaErrorDeviceAlreadyInUse", "the device is in use by another context"},
    {217, "cudaErrorPeerAccessUnsupported", "no peer access between these devices"},
    {218, "cudaErrorInvalidPtx", "PTX compilation failed"},
    {219, "cudaErrorInvalidGraphicsContext", "invalid graphics context"},
    {220, "cudaErrorNvlinkUncorrectable", "uncorrectable NVLink error"},
    {221, "cudaErrorJitCompilerNotFound", "the PTX compiler is missing"},
    {222, "cudaErrorUnsupportedPtxVersion", "the PTX is of an unsupported version"},
    {223, "cudaErrorJitCompilationDisabled", "PTX compilation is disabled"},
    {224, "cudaErrorUnsupportedExecAffinity", "unsupported execution affinity"},
    {225, "cudaErrorUnsupportedDevSideSync", "unsupported synchronization in device code"},
    {226, "cudaErrorContained", "error contained by the device"},
    {300, "cudaErrorInvalidSource", "invalid source"},
    {301, "cudaErrorFileNotFound", "file not found"},
    {302, "cudaErrorSharedObjectSymbolNotFound", "symbol of a shared object not found"},
    {303, "cudaErrorSharedObjectInitFailed", "initialization of a shared object failed"},
    {304, "cudaErrorOperatingSystem", "operating system call failed"},
    {400, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {401, "cudaErrorIllegalState", "the resource is in the wrong state"},
    {402, "cudaErrorLossyQuery", "the query would lose information"},
    {500, "cudaErrorSymbolNotFound", "named symbol not found"},
    {600, "cudaErrorNotReady", "not ready yet"},
    {700, "cudaErrorIllegalAddress", "illegal memory access in a kernel"},
    {701, "cudaErrorLaunchOutOfResources", "too many resources requested for a launch"},
    {702, "cudaErrorLaunchTimeout", "a kernel exceeded the time limit"},
    {703, "cudaErrorLaunchIncompatibleTexturing", "launch with incompatible texturing"},
    {704, "cudaErrorPeerAccessAlreadyEnabled", "peer access is already enabled"},
    {705, "cudaErrorPeerAccessNotEnabled", "peer access is not enabled"},
    {708, "cudaErrorSetOnActiveProcess", "not possible while the process is active"},
    {709, "cudaErrorContextIsDestroyed", "the context was destroyed"},
    {710, "cudaErrorAssert", "an assertion in a kernel failed"},
    {711, "cudaErrorTooManyPeers", "no more peers possible"},
    {712, "cudaErrorHostMemoryAlreadyRegistered", "the host memory is already registered"},
    {713, "cudaErrorHostMemoryNotRegistered", "the host memory is not registered"},
    {714, "cudaErrorHardwareStackError", "hardware stack error in a kernel"},
    {715, "cudaErrorIllegalInstruction", "illegal instruction in a kernel"},
    {716, "cudaErrorMisalignedAddress", "misaligned address in a kernel"},
    {717, "cudaErrorInvalidAddressSpace", "address of the wrong memory space in a kernel"},
    {718, "cudaErrorInvalidPc", "invalid program counter in a kernel"},
    {719, "cudaErrorLaunchFailure", "a kernel failed"},
    {720, "cudaErrorCooperativeLaunchTooLarge", "too many blocks in a cooperative launch"},
    {721, "cudaErrorTensorMemoryLeak", "tensor memory not freed by a kernel"},
    {800, "cudaErrorNotPermitted", "not permitted"},
    {801, "cudaErrorNotSupported", "not supported"},
    {802, "cudaErrorSystemNotReady", "the system is not ready"},
    {803, "cudaErrorSystemDriverMismatch", "driver and libraries do not match"},
    {804, "cudaErrorCompatNotSupportedOnDevice",
     "compatibility mode is not supported on this device"},
    {805, "cudaErrorMpsConnectionFailed", "connection to the MPS server failed"},
    {806, "cudaErrorMpsRpcFailure", "remote call to the MPS server failed"},
    {807, "cudaErrorMpsServerNotReady", "the MPS server is not ready"},
    {808, "cudaErrorMpsMaxClientsReached", "too many MPS clients"},
    {809, "cudaErrorMpsMaxConnectionsReached", "too many MPS connections"},
    {810, "cudaErrorMpsClientTerminated", "the MPS client was terminated"},
    {811, "cudaErrorCdpNotSupported", "launches from device code are not supported"},
    {812, "cudaErrorCdpVersionMismatch", "device code launches need another version"},
    {900, "cudaErrorStreamCaptureUnsupported", "not permitted while a stream is capturing"},
    {901, "cudaErrorStreamCaptureInvalidated", "the capture was invalidated"},
    {902, "cudaErrorStreamCaptureMerge", "two captures would merge"},
    {903, "cudaErrorStreamCaptureUnmatched", "the capture was not begun on this stream"},
    {904, "cudaErrorStreamCaptureUnjoined", "the capture has streams that did not join"},
    {905, "cudaErrorStreamCaptureIsolation", "dependency from outside of the capture"},
    {906, "cudaErrorStreamCaptureImplicit",
     "implicit dependency on the legacy stream in a capture"},
    {907, "cudaErrorCapturedEvent", "not permitted on an event of a capture"},
    {908, "cudaErrorStreamCaptureWrongThread", "capture ended by another thread"},
    {909, "cudaErrorTimeout", "timed out"},
    {910, "cudaErrorGraphExecUpdateFailure", "the graph update failed"},
    {911, "cudaErrorExternalDevice", "error of an external device"},
    {912, "cudaErrorInvalidClusterSize", "invalid cluster size"},
    {913, "cudaErrorFunctionNotLoaded", "the function is not loaded"},
    {914, "cudaErrorInvalidResourceType", "invalid resource type"},
    {915, "cudaErrorInvalidResourceConfiguration", "invalid resource configuration"},
    {999, "cudaErrorUnknown", "unknown error"},
});
static_assert(std::ranges::is_sorted(kErrorRows, {}, &ErrorRow::code));

constexpr ErrorRow kUnknown = {-1, "unrecognized error code", "unrecognized error code"};

const ErrorRow& row(int error) {
  const auto found = std::ranges::lower_bound(kErrorRows, error, {}, &ErrorRow::code);
  return found != kErrorRows.end() && found->code == error ? *found : kUnknown;
}

}  // namespace

const char* error_name(int error) {
  return row(error).name;
}
const char* error_text(int error) {
  return row(error).text;
}

}  // namespace warpsim::cudart
