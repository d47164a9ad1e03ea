#include <cuda.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

// Linking of PTX, and interprocess communication.

namespace {
namespace fs = std::filesystem;

using Catch::Matchers::ContainsSubstring;

#define OK(call) REQUIRE((call) == CUDA_SUCCESS)

const std::string kHeader = ".version 7.0\n.target sm_70\n.address_size 64\n";

const std::string kKernel = kHeader + R"(
.extern .func (.param .b32 result) twice(.param .b32 value);
.extern .global .align 4 .u32 step;
.visible .entry run(.param .u64 data) {
  .reg .b64 %rd<4>;
  .reg .b32 %r<4>;
  ld.param.u64 %rd1, [data];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r1, %tid.x;
  mad.wide.u32 %rd3, %r1, 4, %rd2;
  {
    .param .b32 in;
    .param .b32 out;
    st.param.b32 [in], %r1;
    call.uni (out), twice, (in);
    ld.param.b32 %r2, [out];
  }
  ld.global.u32 %r3, [step];
  add.u32 %r2, %r2, %r3;
  st.global.u32 [%rd3], %r2;
  ret;
}
)";

const std::string kTwice = kHeader + R"(
.visible .global .align 4 .u32 step = 100;
.visible .func (.param .b32 result) twice(.param .b32 value) {
  .reg .b32 %r<3>;
  ld.param.b32 %r1, [value];
  add.u32 %r2, %r1, %r1;
  st.param.b32 [result], %r2;
  ret;
}
)";

/// A link with a buffer for errors, and what is made of it.
class Link {
 public:
  explicit Link(unsigned max_registers = 0) {
    OK(cuInit(0));
    OK(cuCtxGetCurrent(&before_));
    OK(cuDevicePrimaryCtxRetain(&context_, 0));
    OK(cuCtxSetCurrent(context_));
    options_ = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_MAX_REGISTERS};
    values_ = {log_.data(), number(log_.size()), number(max_registers)};
    OK(cuLinkCreate(max_registers == 0 ? 2 : 3, options_.data(), values_.data(), &state_));
  }
  ~Link() {
    cuLinkDestroy(state_);
    cuCtxSetCurrent(before_);
    cuDevicePrimaryCtxRelease(0);
  }
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  CUresult add(const std::string& text, const char* name, CUjitInputType type = CU_JIT_INPUT_PTX) {
    std::string copy = text;
    return cuLinkAddData(state_, type, copy.data(), copy.size() + 1, name, 0, nullptr, nullptr);
  }
  CUresult add_file(const fs::path& path, CUjitInputType type) {
    return cuLinkAddFile(state_, type, path.c_str(), 0, nullptr, nullptr);
  }
  CUresult complete(std::string& image) {
    void* start = nullptr;
    size_t bytes = 0;
    const CUresult result = cuLinkComplete(state_, &start, &bytes);
    if (result == CUDA_SUCCESS) image.assign(static_cast<const char*>(start), bytes);
    return result;
  }
  [[nodiscard]] std::string log() const { return log_.data(); }
  [[nodiscard]] size_t logged_bytes() const { return reinterpret_cast<size_t>(values_[1]); }
  [[nodiscard]] CUlinkState state() const { return state_; }

  static void* number(size_t value) { return reinterpret_cast<void*>(value); }

 private:
  std::array<char, 256> log_ = {};
  std::array<CUjit_option, 3> options_ = {};
  std::array<void*, 3> values_ = {};
  CUcontext before_ = nullptr;
  CUcontext context_ = nullptr;
  CUlinkState state_ = nullptr;
};

CUfunction load(const std::string& image, const char* name) {
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  OK(cuModuleLoadData(&module, image.data()));
  OK(cuModuleGetFunction(&function, module, name));
  return function;
}

std::vector<unsigned> run(CUfunction function) {
  CUdeviceptr data = 0;
  OK(cuMemAlloc(&data, 16));
  void* arguments[] = {&data};
  OK(cuLaunchKernel(function, 1, 1, 1, 4, 1, 1, 0, nullptr, arguments, nullptr));
  std::vector<unsigned> values(4);
  OK(cuMemcpyDtoH(values.data(), data, 16));
  OK(cuMemFree(data));
  return values;
}

}  // namespace

TEST_CASE("units of PTX are linked to an image that outlives the link", "[driver][link]") {
  std::string image;
  const Link context;  // keeps the device's context
  {
    Link link;
    OK(link.add(kKernel, "kernel.ptx"));
    OK(link.add(kTwice, nullptr));
    OK(link.complete(image));
    CHECK(link.log().empty());
    CHECK(link.logged_bytes() == 0);
  }
  CHECK(run(load(image, "run")) == std::vector<unsigned>{100, 102, 104, 106});
}

TEST_CASE("a linked image is an input of another link, and of a file", "[driver][link]") {
  std::string library;
  {
    Link link;
    OK(link.add(kTwice, "twice.ptx"));
    OK(link.complete(library));
  }
  const fs::path file = fs::temp_directory_path() / "driver_link_test.cubin";
  std::ofstream(file, std::ios::binary) << library;
  Link link;
  OK(link.add(kKernel, "kernel.ptx"));
  OK(link.add_file(file, CU_JIT_INPUT_CUBIN));
  fs::remove(file);
  std::string image;
  OK(link.complete(image));
  CHECK(run(load(image, "run")) == std::vector<unsigned>{100, 102, 104, 106});
}

TEST_CASE("a limit of registers holds for the kernels of a link", "[driver][link]") {
  Link link(24);
  OK(link.add(kKernel, "kernel.ptx"));
  OK(link.add(kTwice, "twice.ptx"));
  std::string image;
  OK(link.complete(image));
  int registers = 0;
  OK(cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, load(image, "run")));
  CHECK(registers <= 24);
}

TEST_CASE("a mistake in PTX is in the log of the link, with its unit and line", "[driver][link]") {
  Link link;
  CHECK(link.add(kHeader + "nonsense\n", "broken.ptx") == CUDA_ERROR_INVALID_PTX);
  CHECK_THAT(link.log(), ContainsSubstring("broken.ptx:4:1: error: "));
  CHECK(link.logged_bytes() == link.log().size());
  // The link goes on; the next message follows, and is cut where the buffer ends.
  for (int i = 0; i < 4; ++i) {
    CHECK(link.add(kHeader + "nonsense\n", "again.ptx") == CUDA_ERROR_INVALID_PTX);
  }
  CHECK_THAT(link.log(), ContainsSubstring("again.ptx:4:1: error: "));
  CHECK(link.log().size() == 255);
  CHECK(link.logged_bytes() == 255);
  OK(link.add(kTwice, "twice.ptx"));
  std::string image;
  OK(link.complete(image));
}

TEST_CASE("a module that cannot be loaded has its reason in the log", "[driver][link]") {
  const Link context;
  std::array<char, 200> log = {};
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER};
  void* values[] = {Link::number(log.size()), log.data()};
  CUmodule module = nullptr;
  const std::string text = kHeader + ".visible .entry broken() {\n  add.u32 %r1, %r2;\n}\n";
  CHECK(cuModuleLoadDataEx(&module, text.c_str(), 2, options, values) == CUDA_ERROR_INVALID_PTX);
  CHECK_THAT(std::string(log.data()), ContainsSubstring("PTX:5:"));
  CHECK(reinterpret_cast<size_t>(values[0]) == std::strlen(log.data()));
}

TEST_CASE("two definitions of one function do not link, and two local ones do", "[driver][link]") {
  Link link;
  OK(link.add(kTwice, "first.ptx"));
  CHECK(link.add(kTwice, "second.ptx") == CUDA_ERROR_INVALID_SOURCE);
  CHECK_THAT(link.log(),
             ContainsSubstring("'twice' is defined in second.ptx and in first.ptx; remove one"));
  const std::string local =
      kHeader + ".func own() { ret; }\n.weak .func shared_by_all() { ret; }\n";
  OK(link.add(local, "a.ptx"));
  OK(link.add(local, "b.ptx"));
}

TEST_CASE("inputs that contain no PTX are refused with what to add", "[driver][link]") {
  Link link;
  const std::string elf =
      "\x7f"
      "ELF and more than sixteen bytes";
  CHECK(link.add(elf, "kernel.cubin", CU_JIT_INPUT_CUBIN) == CUDA_ERROR_NO_BINARY_FOR_GPU);
  CHECK_THAT(link.log(), ContainsSubstring("kernel.cubin: it contains machine code and no PTX"));
  CHECK(link.add(elf, "a.o", CU_JIT_INPUT_OBJECT) == CUDA_ERROR_INVALID_IMAGE);
  CHECK_THAT(link.log(), ContainsSubstring("a.o: it is truncated"));
  CHECK(link.add("text", "b.a", CU_JIT_INPUT_LIBRARY) == CUDA_ERROR_INVALID_IMAGE);
  CHECK(link.add("text", "c.cubin", CU_JIT_INPUT_CUBIN) == CUDA_ERROR_INVALID_IMAGE);
  // As on a card: a link without inputs gives a module without kernels.
  std::string image;
  OK(link.complete(image));
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  OK(cuModuleLoadData(&module, image.data()));
  CHECK(cuModuleGetFunction(&function, module, "run") == CUDA_ERROR_NOT_FOUND);
}

TEST_CASE("a file that does not exist is not found, and a link that ended is invalid",
          "[driver][link]") {
  Link link;
  CHECK(link.add_file("/no/such/file.ptx", CU_JIT_INPUT_PTX) == CUDA_ERROR_FILE_NOT_FOUND);
  CHECK_THAT(link.log(), ContainsSubstring("/no/such/file.ptx cannot be read"));
  CUlinkState other = nullptr;
  OK(cuLinkCreate(0, nullptr, nullptr, &other));
  OK(cuLinkDestroy(other));
  CHECK(cuLinkDestroy(other) == CUDA_ERROR_INVALID_HANDLE);
  void* image = nullptr;
  CHECK(cuLinkComplete(other, &image, nullptr) == CUDA_ERROR_INVALID_HANDLE);
  CHECK(cuLinkCreate(1, nullptr, nullptr, &other) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("a barrier of the grid needs the device runtime", "[driver][link]") {
  Link link;
  OK(link.add(kHeader + ".extern .func (.param .b32 error) cudaCGSynchronize(.param .b64 handle, "
                        ".param .b32 flags);\n",
              "barrier.ptx"));
  std::string image;
  CHECK(link.complete(image) == CUDA_ERROR_INVALID_SOURCE);
  CHECK_THAT(link.log(), ContainsSubstring("'cudaCGSynchronize' is declared and not defined; add "
                                           "libcudadevrt.a"));
}

TEST_CASE("what has a context itself needs no current one, as on a card", "[driver]") {
  const Link context;
  CUdeviceptr data = 0;
  void* pinned = nullptr;
  CUstream stream = nullptr;
  CUevent event = nullptr;
  CUmodule module = nullptr;
  OK(cuMemAlloc(&data, 16));
  OK(cuMemHostAlloc(&pinned, 16, 0));
  OK(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
  OK(cuEventCreate(&event, CU_EVENT_DEFAULT));
  OK(cuModuleLoadData(&module, kTwice.c_str()));
  CUcontext popped = nullptr;
  OK(cuCtxPopCurrent(&popped));
  unsigned type = 0;
  OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, data));
  CHECK(type == CU_MEMORYTYPE_DEVICE);
  OK(cuEventRecord(event, stream));
  OK(cuEventQuery(event));
  OK(cuStreamSynchronize(stream));
  CHECK(cuStreamSynchronize(nullptr) == CUDA_ERROR_INVALID_CONTEXT);
  CHECK(cuMemsetD8(data, 0, 16) == CUDA_ERROR_INVALID_CONTEXT);
  CHECK(cuCtxSynchronize() == CUDA_ERROR_INVALID_CONTEXT);
  OK(cuEventDestroy(event));
  OK(cuStreamDestroy(stream));
  OK(cuMemFreeHost(pinned));
  OK(cuMemFree(data));
  OK(cuModuleUnload(module));
}
