#include <cuda.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

// Run under `warpsim`, with the name of a mistake, whose finding the test looks for.

namespace {

void check(CUresult result) {
  if (result == CUDA_SUCCESS) return;
  std::printf("failed with %d\n", static_cast<int>(result));
  std::exit(2);
}

void start() {
  CUcontext context = nullptr;
  check(cuInit(0));
  check(cuDevicePrimaryCtxRetain(&context, 0));
  check(cuCtxSetCurrent(context));
}

/// A function that the emulator lacks, called twice.
void unsupported() {
  const auto call =
      reinterpret_cast<CUresult (*)(void*, unsigned)>(::dlsym(RTLD_DEFAULT, "cuGraphCreate"));
  for (int i = 0; i < 2; ++i) {
    void* graph = nullptr;
    std::printf("result %d\n", static_cast<int>(call(&graph, 0)));
  }
}

/// A copy to the end of an array, or one element past it.
void array(size_t offset) {
  CUarray array = nullptr;
  const CUDA_ARRAY_DESCRIPTOR descriptor = {
      .Width = 4, .Height = 0, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1};
  check(cuArrayCreate(&array, &descriptor));
  const float values[2] = {1, 2};
  std::printf("result %d\n", static_cast<int>(cuMemcpyHtoA(array, offset, values, sizeof values)));
  check(cuArrayDestroy(array));
}

/// A stream that waits for 1, and another one that writes this value.
void wait(unsigned value) {
  CUdeviceptr flag = 0;
  CUstream first = nullptr;
  CUstream second = nullptr;
  check(cuMemAlloc(&flag, 4));
  check(cuMemsetD32(flag, 0, 1));
  check(cuStreamCreate(&first, CU_STREAM_NON_BLOCKING));
  check(cuStreamCreate(&second, CU_STREAM_NON_BLOCKING));
  check(cuStreamWaitValue32(first, flag, 1, CU_STREAM_WAIT_VALUE_EQ));
  check(cuStreamWriteValue32(second, flag, value, CU_STREAM_WRITE_VALUE_DEFAULT));
  std::printf("result %d\n", static_cast<int>(cuStreamSynchronize(first)));
  check(cuMemFree(flag));
}

/// A handle of this process, or one that looks as if another process had made it.
void open_handle(bool of_other) {
  CUdeviceptr memory = 0;
  CUdeviceptr opened = 0;
  CUipcMemHandle handle = {};
  check(cuMemAlloc(&memory, 4));
  check(cuIpcGetMemHandle(&handle, memory));
  handle.reserved[8] = static_cast<char>(handle.reserved[8] ^ (of_other ? 1 : 0));  // of its number
  std::printf("result %d\n", static_cast<int>(cuIpcOpenMemHandle(
                                 &opened, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS)));
  check(cuMemFree(memory));
}

}  // namespace

int main(int count, char** arguments) {
  const char* const mistake = count > 1 ? arguments[1] : "";
  start();
  if (std::strcmp(mistake, "unsupported") == 0) unsupported();
  if (std::strcmp(mistake, "array") == 0) array(12);
  if (std::strcmp(mistake, "array-fits") == 0) array(8);
  if (std::strcmp(mistake, "ipc") == 0) open_handle(false);
  if (std::strcmp(mistake, "ipc-other") == 0) open_handle(true);
  if (std::strcmp(mistake, "wait") == 0) wait(2);
  if (std::strcmp(mistake, "wait-ends") == 0) wait(1);
  return 0;
}
