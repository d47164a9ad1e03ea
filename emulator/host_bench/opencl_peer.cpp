// opencl_peer <gemm|vecadd|reduction> <n or log2 n> <launches>: the programs of this folder in
// OpenCL, for runners that execute OpenCL on the CPU. Takes the first device of the platform that
// OPENCL_PEER names (a part of its name), and prints "launch <seconds>" for each launch.

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

// Each kernel does the same as its .cu counterpart, step by step.
constexpr const char* kSource = R"(
#define TILE 16
__kernel void gemm(__global const float* a, __global const float* b, __global float* c, int n) {
  __local float tile_a[TILE][TILE];
  __local float tile_b[TILE][TILE];
  const int x = get_local_id(0), y = get_local_id(1);
  const int row = get_group_id(1) * TILE + y;
  const int column = get_group_id(0) * TILE + x;
  float sum = 0.0f;
  for (int start = 0; start < n; start += TILE) {
    tile_a[y][x] = a[row * n + start + x];
    tile_b[y][x] = b[(start + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < TILE; ++i) sum += tile_a[y][i] * tile_b[i][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}
__kernel void vecadd(__global const float* a, __global const float* b, __global float* c, int n) {
  const int i = get_global_id(0);
  if (i < n) c[i] = a[i] + b[i];
}
__kernel void reduction(__global const float* in, __global const float* unused,
                        __global float* sums, int n) {
  __local float partial[256];
  const int t = get_local_id(0);
  const int i = get_global_id(0);
  partial[t] = i < n ? in[i] : 0.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int stride = 128; stride > 0; stride /= 2) {
    if (t < stride) partial[t] += partial[t + stride];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0) sums[get_group_id(0)] = partial[0];
}
)";

void require(cl_int code, const char* call) {
  if (code == CL_SUCCESS) return;
  throw std::runtime_error(std::string(call) + " failed with OpenCL error " + std::to_string(code));
}

cl_device_id find_device(const std::string& platform_name) {
  std::array<cl_platform_id, 16> platforms{};
  cl_uint count = 0;
  require(clGetPlatformIDs(platforms.size(), platforms.data(), &count), "clGetPlatformIDs");
  for (cl_uint i = 0; i < count && i < platforms.size(); ++i) {
    std::array<char, 256> name{};
    clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, name.size() - 1, name.data(), nullptr);
    cl_device_id device = nullptr;
    if (std::string(name.data()).find(platform_name) == std::string::npos) continue;
    if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, nullptr) == CL_SUCCESS) {
      return device;
    }
  }
  throw std::runtime_error("no OpenCL device of a platform named " + platform_name);
}

struct Shape {
  std::size_t inputs = 0, outputs = 0;  // floats
  cl_uint dimensions = 1;
  std::array<std::size_t, 2> global{}, local{};
  float last = 0.0f;  // expected value of the last output
};

Shape shape_of(const std::string& kernel, int n) {
  const auto size = static_cast<std::size_t>(n);
  if (kernel == "gemm") return {size * size, size * size, 2, {size, size}, {16, 16}, float(n)};
  if (kernel == "vecadd") return {size, size, 1, {size, 1}, {256, 1}, 2.0f};
  if (kernel == "reduction") return {size, size / 256, 1, {size, 1}, {256, 1}, 256.0f};
  throw std::runtime_error("unknown kernel " + kernel);
}

void run(const std::string& kernel_name, int number, int launches) {
  const int n = kernel_name == "gemm" ? number : 1 << number;
  const Shape shape = shape_of(kernel_name, n);
  const char* wanted = std::getenv("OPENCL_PEER");
  cl_device_id device = find_device(wanted == nullptr ? "" : wanted);
  cl_int code = CL_SUCCESS;
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
  require(code, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
  require(code, "clCreateCommandQueue");
  const char* source = kSource;
  cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &code);
  require(code, "clCreateProgramWithSource");
  require(clBuildProgram(program, 1, &device, "", nullptr, nullptr), "clBuildProgram");
  cl_kernel kernel = clCreateKernel(program, kernel_name.c_str(), &code);
  require(code, "clCreateKernel");
  std::vector<float> ones(shape.inputs, 1.0f);
  std::array<cl_mem, 3> buffers{};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t bytes = sizeof(float) * (i < 2 ? shape.inputs : shape.outputs);
    buffers[i] = i < 2 ? clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes,
                                        ones.data(), &code)
                       : clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, &code);
    require(code, "clCreateBuffer");
    require(clSetKernelArg(kernel, static_cast<cl_uint>(i), sizeof(cl_mem), &buffers[i]),
            "clSetKernelArg");
  }
  require(clSetKernelArg(kernel, 3, sizeof n, &n), "clSetKernelArg");
  for (int i = 0; i < launches; ++i) {
    const auto start = std::chrono::steady_clock::now();
    require(clEnqueueNDRangeKernel(queue, kernel, shape.dimensions, nullptr, shape.global.data(),
                                   shape.local.data(), 0, nullptr, nullptr),
            "clEnqueueNDRangeKernel");
    require(clFinish(queue), "clFinish");
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    std::printf("launch %.9f\n", seconds.count());
  }
  float last = 0.0f;
  require(clEnqueueReadBuffer(queue, buffers[2], CL_TRUE, sizeof(float) * (shape.outputs - 1),
                              sizeof last, &last, 0, nullptr, nullptr),
          "clEnqueueReadBuffer");
  if (last != shape.last) throw std::runtime_error("wrong result of " + kernel_name);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: opencl_peer <gemm|vecadd|reduction> <n or log2 n> <launches>\n");
    return 2;
  }
  try {
    run(argv[1], std::atoi(argv[2]), std::atoi(argv[3]));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}
