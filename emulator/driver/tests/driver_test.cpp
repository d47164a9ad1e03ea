#include <cuda.h>

#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

// A program of the driver API alone, compiled once with our header and, where there is one, once
// with the toolkit's.

namespace {
namespace fs = std::filesystem;

constexpr const char* kText = R"(
.version 8.0
.target sm_75
.address_size 64
.visible .global .align 4 .u32 step = 5;
.visible .entry add_step(.param .u64 data, .param .u8 twice, .param .u32 count) {
  .reg .pred %p<3>;
  .reg .b64 %rd<4>;
  .reg .b32 %r<8>;
  .reg .b16 %h<2>;
  ld.param.u64 %rd1, [data];
  ld.param.u8 %h1, [twice];
  ld.param.u32 %r1, [count];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.u32 %r5, %r2, %r3, %r4;
  setp.ge.u32 %p1, %r5, %r1;
  @%p1 bra done;
  cvta.to.global.u64 %rd2, %rd1;
  mad.wide.u32 %rd3, %r5, 4, %rd2;
  ld.global.u32 %r6, [step];
  setp.ne.u16 %p2, %h1, 0;
  @%p2 shl.b32 %r6, %r6, 1;
  ld.global.u32 %r7, [%rd3];
  add.u32 %r7, %r7, %r6;
  st.global.u32 [%rd3], %r7;
done:
  ret;
}
.visible .entry await(.param .u64 data) {
  .reg .pred %p<2>;
  .reg .b64 %rd<2>;
  .reg .b32 %r<2>;
  ld.param.u64 %rd1, [data];
again:
  ld.volatile.global.u32 %r1, [%rd1];
  setp.ne.u32 %p1, %r1, 7;
  @%p1 bra again;
  st.global.u32 [%rd1+8], 5;
  ret;
}
)";

#define OK(call) REQUIRE((call) == CUDA_SUCCESS)

/// A context, and the module in it.
struct Session {
  Session() {
    OK(cuInit(0));
    OK(cuDeviceGet(&device, 0));
    OK(cuDevicePrimaryCtxRetain(&context, device));
    OK(cuCtxSetCurrent(context));
    OK(cuModuleLoadData(&module, kText));
    OK(cuModuleGetFunction(&add_step, module, "add_step"));
  }
  ~Session() {
    cuModuleUnload(module);
    cuCtxSetCurrent(nullptr);
    cuDevicePrimaryCtxRelease(device);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  CUdevice device = 0;
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUfunction add_step = nullptr;
};

/// Device memory with values.
struct Buffer {
  explicit Buffer(const std::vector<unsigned>& values) : count(values.size()) {
    OK(cuMemAlloc(&pointer, 4 * count));
    OK(cuMemcpyHtoD(pointer, values.data(), 4 * count));
  }
  ~Buffer() { cuMemFree(pointer); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  [[nodiscard]] std::vector<unsigned> read() const {
    std::vector<unsigned> values(count);
    OK(cuMemcpyDtoH(values.data(), pointer, 4 * count));
    return values;
  }
  CUdeviceptr pointer = 0;
  size_t count = 0;
};

CUresult launch(const Session& session, CUdeviceptr data, unsigned count, char twice = 0,
                CUstream stream = nullptr) {
  void* parameters[] = {&data, &twice, &count};
  return cuLaunchKernel(session.add_step, 1, 1, 1, 32, 1, 1, 0, stream, parameters, nullptr);
}

}  // namespace

TEST_CASE("calls before cuInit() and without a context say so", "[driver]") {
  int count = 0;
  CUdeviceptr pointer = 0;
  // The first test of the process: nothing is initialized.
  CHECK(cuDeviceGetCount(&count) == CUDA_ERROR_NOT_INITIALIZED);
  CHECK(cuInit(1) == CUDA_ERROR_INVALID_VALUE);
  OK(cuInit(0));
  OK(cuDeviceGetCount(&count));
  CHECK(count == 1);
  CHECK(cuMemAlloc(&pointer, 4) == CUDA_ERROR_INVALID_CONTEXT);
}

TEST_CASE("a kernel of a module is launched with an array of arguments", "[driver]") {
  const Session session;
  const Buffer data({1, 2, 3});
  OK(launch(session, data.pointer, 3));
  OK(cuCtxSynchronize());
  CHECK(data.read() == std::vector<unsigned>{6, 7, 8});
  OK(launch(session, data.pointer, 2, 1));
  CHECK(data.read() == std::vector<unsigned>{16, 17, 8});
}

TEST_CASE("a kernel is launched with a buffer of arguments", "[driver]") {
  const Session session;
  const Buffer data({1, 2, 3});
  struct {
    CUdeviceptr data;
    char twice;
    unsigned count;  // at offset 12
  } arguments = {data.pointer, 0, 3};
  size_t bytes = sizeof arguments;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &arguments, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   CU_LAUNCH_PARAM_END};
  OK(cuLaunchKernel(session.add_step, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra));
  CHECK(data.read() == std::vector<unsigned>{6, 7, 8});
  bytes = 12;  // the last argument is missing
  CHECK(cuLaunchKernel(session.add_step, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra) ==
        CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("variables of a module are read and written by name", "[driver]") {
  const Session session;
  CUdeviceptr step = 0;
  size_t bytes = 0;
  OK(cuModuleGetGlobal(&step, &bytes, session.module, "step"));
  CHECK(bytes == 4);
  const unsigned other = 100;
  OK(cuMemcpyHtoD(step, &other, 4));
  const Buffer data({1});
  OK(launch(session, data.pointer, 1));
  CHECK(data.read() == std::vector<unsigned>{101});
  CHECK(cuModuleGetGlobal(&step, &bytes, session.module, "stride") == CUDA_ERROR_NOT_FOUND);
}

TEST_CASE("what is missing or broken in a module has the driver's error", "[driver]") {
  const Session session;
  CUfunction function = nullptr;
  CUmodule module = nullptr;
  CHECK(cuModuleGetFunction(&function, session.module, "no_such_kernel") == CUDA_ERROR_NOT_FOUND);
  CHECK(cuModuleLoadData(&module, ".version 8.0\n.target sm_75\nnonsense") ==
        CUDA_ERROR_INVALID_PTX);
  CHECK(cuModuleLoad(&module, "/no/such/file.ptx") == CUDA_ERROR_FILE_NOT_FOUND);
  const fs::path file = fs::temp_directory_path() / "driver_test.ptx";
  std::ofstream(file) << kText;
  OK(cuModuleLoad(&module, file.c_str()));
  OK(cuModuleGetFunction(&function, module, "add_step"));
  OK(cuModuleUnload(module));
  CHECK(cuModuleUnload(module) != CUDA_SUCCESS);
  fs::remove(file);
}

TEST_CASE("a launch that the card rejects is an invalid value", "[driver]") {
  const Session session;
  const Buffer data({1});
  CUdeviceptr pointer = data.pointer;
  char twice = 0;
  unsigned count = 1;
  void* parameters[] = {&pointer, &twice, &count};
  CHECK(cuLaunchKernel(session.add_step, 1, 1, 1, 2048, 1, 1, 0, nullptr, parameters, nullptr) ==
        CUDA_ERROR_INVALID_VALUE);
  // The same on a valid configuration: no error is left behind.
  OK(launch(session, data.pointer, 1));
  OK(cuCtxSynchronize());
}

TEST_CASE("an access out of bounds ends the context with an error that stays", "[driver]") {
  const Session session;
  const Buffer data({1});
  OK(launch(session, data.pointer + (CUdeviceptr{1} << 40), 1));
  CHECK(cuCtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK(cuCtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS);
  OK(cuDevicePrimaryCtxReset(session.device));
}

TEST_CASE("contexts form a stack per thread, and free their memory", "[driver]") {
  OK(cuInit(0));
  CUcontext first = nullptr;
  CUcontext second = nullptr;
  CUcontext current = nullptr;
#if CUDA_VERSION >= 13000
  OK(cuCtxCreate(&first, nullptr, CU_CTX_SCHED_AUTO, 0));
  OK(cuCtxCreate(&second, nullptr, CU_CTX_SCHED_SPIN, 0));
#else
  OK(cuCtxCreate(&first, CU_CTX_SCHED_AUTO, 0));
  OK(cuCtxCreate(&second, CU_CTX_SCHED_SPIN, 0));
#endif
  OK(cuCtxGetCurrent(&current));
  CHECK(current == second);
  unsigned flags = 0;
  OK(cuCtxGetFlags(&flags));
  CHECK(flags == CU_CTX_SCHED_SPIN);
  size_t before = 0;
  size_t after = 0;
  size_t total = 0;
  OK(cuMemGetInfo(&before, &total));
  CUdeviceptr pointer = 0;
  OK(cuMemAlloc(&pointer, 1 << 20));
  OK(cuCtxPopCurrent(&current));
  CHECK(current == second);
  OK(cuCtxGetCurrent(&current));
  CHECK(current == first);
  OK(cuCtxDestroy(second));
  CHECK(cuCtxDestroy(second) == CUDA_ERROR_INVALID_CONTEXT);
  OK(cuMemGetInfo(&after, &total));
  CHECK(after == before);
  OK(cuCtxDestroy(first));
  OK(cuCtxGetCurrent(&current));
  CHECK(current == nullptr);
  CHECK(cuCtxPopCurrent(&current) == CUDA_ERROR_INVALID_CONTEXT);
}

TEST_CASE("the device has the card's name, memory, identity and attributes", "[driver]") {
  OK(cuInit(0));
  CUdevice device = 7;
  CHECK(cuDeviceGet(&device, 1) == CUDA_ERROR_INVALID_DEVICE);
  OK(cuDeviceGet(&device, 0));
  char name[64] = {};
  OK(cuDeviceGetName(name, sizeof name, device));
  CHECK(std::string(name).find("NVIDIA") == 0);
  char cut[4] = {};
  OK(cuDeviceGetName(cut, sizeof cut, device));
  CHECK(std::string(cut) == std::string(name).substr(0, 3));
  size_t bytes = 0;
  OK(cuDeviceTotalMem(&bytes, device));
  CHECK(bytes > (size_t{1} << 30));
  int warp = 0;
  OK(cuDeviceGetAttribute(&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
  CHECK(warp == 32);
  // One that the runtime has no name for is that of a feature that the card lacks.
  int missing = -1;
  OK(cuDeviceGetAttribute(&missing, CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED, device));
  CHECK(missing == 0);
  constexpr auto kNone = static_cast<CUdevice_attribute>(255);
  CHECK(cuDeviceGetAttribute(&missing, kNone, device) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuDeviceGetAttribute(&missing, CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED, 7) ==
        CUDA_ERROR_INVALID_DEVICE);
  int version = 0;
  OK(cuDriverGetVersion(&version));
  CHECK(version >= 12000);
  CUuuid uuid = {};
  OK(cuDeviceGetUuid(&uuid, device));
}

TEST_CASE("memory is filled by bytes, half words and words, also in rows", "[driver]") {
  const Session session;
  const Buffer data(std::vector<unsigned>(8, 0));
  OK(cuMemsetD32(data.pointer, 0x01020304, 2));
  OK(cuMemsetD16(data.pointer + 8, 0x0506, 2));
  OK(cuMemsetD8(data.pointer + 12, 7, 4));
  OK(cuMemsetD2D32(data.pointer + 16, 8, 9, 1, 2));
  CHECK(data.read() ==
        std::vector<unsigned>{0x01020304, 0x01020304, 0x05060506, 0x07070707, 9, 0, 9, 0});
  CHECK(cuMemsetD32(data.pointer + 2, 1, 1) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("rows are copied between host and device", "[driver]") {
  const Session session;
  CUdeviceptr rows = 0;
  size_t pitch = 0;
  OK(cuMemAllocPitch(&rows, &pitch, 12, 2, 4));
  const std::vector<unsigned> from = {1, 2, 3, 4, 5, 6};
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = from.data();
  copy.srcPitch = 12;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = rows;
  copy.dstPitch = pitch;
  copy.WidthInBytes = 12;
  copy.Height = 2;
  OK(cuMemcpy2D(&copy));
  std::vector<unsigned> column(2);
  CUDA_MEMCPY2D back = {};
  back.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  back.srcDevice = rows;
  back.srcPitch = pitch;
  back.srcXInBytes = 8;
  back.dstMemoryType = CU_MEMORYTYPE_HOST;
  back.dstHost = column.data();
  back.dstPitch = 4;
  back.WidthInBytes = 4;
  back.Height = 2;
  OK(cuMemcpy2D(&back));
  CHECK(column == std::vector<unsigned>{3, 6});
  CUdeviceptr base = 0;
  size_t bytes = 0;
  OK(cuMemGetAddressRange(&base, &bytes, rows + pitch + 1));
  CHECK(base == rows);
  CHECK(bytes == 2 * pitch);
  OK(cuMemFree(rows));
}

TEST_CASE("streams, events and callbacks keep their order", "[driver]") {
  const Session session;
  const Buffer data({1});
  CUstream stream = nullptr;
  CUevent start = nullptr;
  CUevent end = nullptr;
  OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  OK(cuEventCreate(&start, CU_EVENT_DEFAULT));
  OK(cuEventCreate(&end, CU_EVENT_DEFAULT));
  OK(cuEventRecord(start, stream));
  OK(launch(session, data.pointer, 1, 0, stream));
  OK(cuEventRecord(end, stream));
  int called = 0;
  OK(cuStreamAddCallback(
      stream,
      [](CUstream, CUresult status, void* to) {
        *static_cast<int*>(to) = status == CUDA_SUCCESS ? 1 : -1;
      },
      &called, 0));
  OK(cuLaunchHostFunc(
      stream, [](void* to) { *static_cast<int*>(to) += 10; }, &called));
  OK(cuStreamSynchronize(stream));
  CHECK(called == 11);
  CHECK(cuEventQuery(end) == CUDA_SUCCESS);
  float milliseconds = -1;
  OK(cuEventElapsedTime(&milliseconds, start, end));
  CHECK(milliseconds >= 0);
  CHECK(data.read() == std::vector<unsigned>{6});
  OK(cuEventDestroy(start));
  OK(cuEventDestroy(end));
  OK(cuStreamDestroy(stream));
}

TEST_CASE("a value that another stream writes is seen by a kernel that waits", "[driver]") {
  const Session session;
  const Buffer data({0, 1, 2, 3});
  CUfunction await = nullptr;
  OK(cuModuleGetFunction(&await, session.module, "await"));
  CUstream first = nullptr;
  CUstream second = nullptr;
  OK(cuStreamCreate(&first, CU_STREAM_NON_BLOCKING));
  OK(cuStreamCreate(&second, CU_STREAM_NON_BLOCKING));
  CUdeviceptr pointer = data.pointer;
  void* parameters[] = {&pointer};
  OK(cuLaunchKernel(await, 1, 1, 1, 1, 1, 1, 0, first, parameters, nullptr));
  OK(cuStreamWriteValue64(second, pointer, 0x9'0000'0006, 0));
  CHECK(cuStreamQuery(first) == CUDA_ERROR_NOT_READY);
  OK(cuStreamWriteValue32(second, pointer, 7, 1));
  OK(cuStreamSynchronize(first));
  CHECK(data.read() == std::vector<unsigned>{7, 9, 5, 3});
  CHECK(cuStreamWriteValue32(second, pointer + 2, 1, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuStreamWriteValue64(second, pointer + 4, 1, 0) == CUDA_ERROR_INVALID_VALUE);
  OK(cuStreamDestroy(first));
  OK(cuStreamDestroy(second));
}

TEST_CASE("pinned and managed memory is the same to host and device", "[driver]") {
  const Session session;
  void* pinned = nullptr;
  OK(cuMemHostAlloc(&pinned, 4, CU_MEMHOSTALLOC_DEVICEMAP));
  auto* const value = static_cast<unsigned*>(pinned);
  *value = 1;
  CUdeviceptr mapped = 0;
  OK(cuMemHostGetDevicePointer(&mapped, pinned, 0));
  OK(launch(session, mapped, 1));
  OK(cuCtxSynchronize());
  CHECK(*value == 6);
  unsigned type = 0;
  OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, mapped));
  CHECK(type == CU_MEMORYTYPE_HOST);
  CUdeviceptr base = 0;
  size_t bytes = 0;
  OK(cuMemGetAddressRange(&base, &bytes, mapped + 3));
  CHECK(base == mapped);
  CHECK(bytes == 4);
  OK(cuMemFreeHost(pinned));
  CUdeviceptr managed = 0;
  OK(cuMemAllocManaged(&managed, 4, CU_MEM_ATTACH_GLOBAL));
  *reinterpret_cast<unsigned*>(managed) = 2;
  OK(launch(session, managed, 1));
  OK(cuCtxSynchronize());
  CHECK(*reinterpret_cast<unsigned*>(managed) == 7);
  OK(cuMemFree(managed));
}

TEST_CASE("functions have attributes, parameters and an occupancy", "[driver]") {
  const Session session;
  int threads = 0;
  OK(cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, session.add_step));
  CHECK(threads == 1024);
  size_t offset = 0;
  size_t bytes = 0;
  OK(cuFuncGetParamInfo(session.add_step, 2, &offset, &bytes));
  CHECK(offset == 12);
  CHECK(bytes == 4);
  int blocks = 0;
  OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, session.add_step, 256, 0));
  CHECK(blocks >= 4);
  int grid = 0;
  OK(cuOccupancyMaxPotentialBlockSize(&grid, &threads, session.add_step, nullptr, 0, 0));
  CHECK(threads % 32 == 0);
  CHECK(grid > 0);
}

TEST_CASE("errors have names and texts", "[driver]") {
  const char* name = nullptr;
  const char* text = nullptr;
  OK(cuGetErrorName(CUDA_ERROR_ILLEGAL_ADDRESS, &name));
  CHECK(std::string(name) == "CUDA_ERROR_ILLEGAL_ADDRESS");
  OK(cuGetErrorString(CUDA_ERROR_ILLEGAL_ADDRESS, &text));
  CHECK(std::string(text) == "an illegal memory access was encountered");
  CHECK(cuGetErrorName(static_cast<CUresult>(998), &name) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("functions are found by name and version", "[driver]") {
  void* function = nullptr;
  CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SUCCESS;
  OK(cuGetProcAddress("cuDeviceGetCount", &function, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &status));
  OK(cuInit(0));
  int count = 0;
  OK(reinterpret_cast<CUresult (*)(int*)>(function)(&count));
  CHECK(count == 1);
  void* older = nullptr;
  void* newer = nullptr;
  OK(cuGetProcAddress("cuCtxCreate", &older, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &status));
  OK(cuGetProcAddress("cuCtxCreate", &newer, 13000, CU_GET_PROC_ADDRESS_DEFAULT, &status));
  CHECK(older != newer);
  OK(cuGetProcAddress("cuNoSuchCall", &function, 13000, CU_GET_PROC_ADDRESS_DEFAULT, &status));
  CHECK(status == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  CHECK(function == nullptr);
}
