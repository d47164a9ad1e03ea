// A harness and the function that it calls, in one program: replayed_test.cpp has the work of each
// call done again with other inputs, and compares that with a call that has them.

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "emulator/cudart/harness_call.h"

extern "C" {
[[gnu::weak]] decltype(__cudaHarnessCallBegins) __cudaHarnessCallBegins;
[[gnu::weak]] decltype(__cudaHarnessCallEnds) __cudaHarnessCallEnds;
}

namespace {

constexpr int kCount = 4096;
constexpr size_t kBytes = kCount * sizeof(float);
constexpr int kBlock = 256;
constexpr int kBlocks = kCount / kBlock;

__constant__ float factors[2] = {2, 0};
__device__ int rounds;

__global__ void scale(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = fmaf(in[i], 2.0f, 1.0f);
}

__global__ void add_product(const float* in, float* out, int factor, int more) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] * factor + more;
}

__global__ void scale_doubles(const double* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = static_cast<float>(in[i]) * 2 + 1;
}

__global__ void by_constants(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = fmaf(in[i], factors[0], factors[1]);
}

__global__ void add_rounds(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] + static_cast<float>(rounds);
}

__global__ void next_round() {
  rounds += 1;
}

__global__ void add_up(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(out + i % 16, in[i]);
}

__global__ void twice_over_grid(const float* in, float* out, float* between) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  between[i] = in[i] + 1;
  cooperative_groups::this_grid().sync();
  out[i] = between[kCount - 1 - i] * 2;
}

__global__ void encode(const float* in, unsigned* codes) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  codes[i] = __float_as_uint(in[i]) ^ 0x12345678u;
}

__global__ void halve(const float* in, float* out, int times) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = in[i];
  for (int k = 0; k < times; ++k) value *= 0.5f;
  out[i] = value;
}

__global__ void from_texture(cudaTextureObject_t texture, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = tex1Dfetch<float>(texture, i) * 3;
}

__global__ void largest(const float* in, float* most) {
  if (threadIdx.x != 0) return;
  for (int i = 0; i < kCount; ++i) *most = fmaxf(*most, in[i]);
}

struct Buffer {
  float* data = nullptr;
  Buffer() { cudaMalloc(&data, kBytes); }
  ~Buffer() { cudaFree(data); }
  Buffer(const Buffer&) = delete;
};

void in_graph(const float* in, float* out) {
  const Buffer scratch;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMemsetAsync(scratch.data, 0, kBytes, stream);
  scale<<<kBlocks, kBlock, 0, stream>>>(in, scratch.data);
  float* more = nullptr;
  cudaMallocAsync(&more, kBytes, stream);
  scale<<<kBlocks, kBlock, 0, stream>>>(scratch.data, more);
  cudaMemcpyAsync(out, more, kBytes, cudaMemcpyDeviceToDevice, stream);
  cudaFreeAsync(more, stream);
  cudaGraph_t graph;
  cudaStreamEndCapture(stream, &graph);
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, stream);
  cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
}

void by_texture(const float* in, float* out) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = const_cast<float*>(in);
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = kBytes;
  cudaTextureDesc description = {};
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  from_texture<<<kBlocks, kBlock>>>(texture, out);
  cudaDestroyTextureObject(texture);
}

void in_managed_memory(const float* in, float* out) {
  float* all = nullptr;
  cudaMallocManaged(&all, 2 * kBytes);
  scale<<<kBlocks, kBlock>>>(in, all);
  cudaDeviceSynchronize();
  // The host clears what the second kernel adds to; there are zeros among the results, too.
  std::memset(all + kCount, 0, kBytes);
  add_up<<<kBlocks, kBlock>>>(all, all + kCount);
  cudaDeviceSynchronize();
  cudaMemcpy(out, all + kCount, kBytes, cudaMemcpyDefault);
  cudaFree(all);
}

/// In chunks through a pinned buffer that is used again.
void through_pinned(const float* in, float* out) {
  float *pinned = nullptr, *device = nullptr;
  constexpr int kChunk = kCount / 4;
  cudaMallocHost(&pinned, kChunk * sizeof(float));
  cudaMalloc(&device, kChunk * sizeof(float));
  for (int first = 0; first < kCount; first += kChunk) {
    cudaMemcpy(pinned, in + first, kChunk * sizeof(float), cudaMemcpyDefault);
    cudaMemcpyAsync(device, pinned, kChunk * sizeof(float), cudaMemcpyDefault);
    scale<<<kBlocks / 4, kBlock>>>(device, out + first);
  }
  cudaFree(device);
  cudaFreeHost(pinned);
}

/// @param codes  in host memory, as encode() makes them
void by_host_code(const void* codes, float* out) {
  std::vector<float> host(kCount);
  for (int i = 0; i < kCount; ++i) {
    unsigned bits = 0;
    std::memcpy(&bits, static_cast<const unsigned*>(codes) + i, sizeof bits);
    bits ^= 0x12345678u;
    std::memcpy(&host[i], &bits, sizeof bits);
    host[i] = 2 * host[i] + 1;
  }
  cudaMemcpy(out, host.data(), kBytes, cudaMemcpyHostToDevice);
}

void by_host_code_encoded(const float* in, float* out) {
  const Buffer scratch;
  std::vector<unsigned> codes(kCount);
  encode<<<kBlocks, kBlock>>>(in, reinterpret_cast<unsigned*>(scratch.data));
  cudaMemcpy(codes.data(), scratch.data, kBytes, cudaMemcpyDeviceToHost);
  by_host_code(codes.data(), out);
}

void by_host_code_plain(const float* in, float* out) {
  std::vector<float> host(kCount);
  cudaMemcpy(host.data(), in, kBytes, cudaMemcpyDeviceToHost);
  for (float& value : host) value = 2 * value + 1;
  cudaMemcpy(out, host.data(), kBytes, cudaMemcpyHostToDevice);
}

/// The host decides by one number of the device how much is done.
void until_small(const float* in, float* out) {
  const Buffer scratch;
  cudaMemset(scratch.data, 0, sizeof(float));
  largest<<<1, 32>>>(in, scratch.data);
  float most = 0;
  cudaMemcpy(&most, scratch.data, sizeof most, cudaMemcpyDeviceToHost);
  int times = 0;
  for (; most > 1; most /= 2) ++times;
  halve<<<kBlocks, kBlock>>>(in, out, times);
}

void reallocating(const float* in, float* out) {
  for (int round = 0; round < 3; ++round) {
    float* scratch = nullptr;
    cudaMalloc(&scratch, kBytes);
    scale<<<kBlocks, kBlock>>>(round == 0 ? in : out, scratch);
    cudaMemcpy(out, scratch, kBytes, cudaMemcpyDeviceToDevice);
    cudaFree(scratch);
  }
}

void in_streams(const float* in, float* out) {
  cudaStream_t streams[3];
  for (auto& stream : streams) cudaStreamCreate(&stream);
  for (int b = 0; b < kBlocks; ++b) {
    scale<<<1, kBlock, 0, streams[b % 3]>>>(in + b * kBlock, out + b * kBlock);
  }
  for (auto& stream : streams) cudaStreamDestroy(stream);
}

bool call(const std::string& what, const float* in, float* out) {
  if (what == "kernel") {
    scale<<<kBlocks, kBlock>>>(in, out);
  } else if (what == "atomics") {
    cudaMemset(out, 0, kBytes);
    add_up<<<kBlocks, kBlock>>>(in, out);
  } else if (what == "constants") {
    const float given[2] = {3, 4};
    cudaMemcpyToSymbol(factors, given, sizeof given);
    by_constants<<<kBlocks, kBlock>>>(in, out);
  } else if (what == "initial-constants") {
    by_constants<<<kBlocks, kBlock>>>(in, out);
  } else if (what == "device-variable") {
    next_round<<<1, 1>>>();
    add_rounds<<<kBlocks, kBlock>>>(in, out);
    next_round<<<1, 1>>>();
  } else if (what == "graph") {
    in_graph(in, out);
  } else if (what == "texture") {
    by_texture(in, out);
  } else if (what == "cooperative") {
    Buffer between;
    void* arguments[] = {&in, &out, &between.data};
    cudaLaunchCooperativeKernel(reinterpret_cast<void*>(twice_over_grid), dim3(kBlocks),
                                dim3(kBlock), arguments, 0, nullptr);
  } else if (what == "managed") {
    in_managed_memory(in, out);
  } else if (what == "pinned") {
    through_pinned(in, out);
  } else if (what == "reallocating") {
    reallocating(in, out);
  } else if (what == "streams") {
    in_streams(in, out);
  } else if (what == "until-small") {
    until_small(in, out);
  } else if (what == "host-answer") {
    by_host_code_plain(in, out);
  } else if (what == "encoded") {
    by_host_code_encoded(in, out);
  } else {
    return false;
  }
  return true;
}

/// Calls with one slip, for edits of calls; the right results are 2 x + 1.
bool call_with_slip(const std::string& what, const float* in, float* out) {
  const Buffer from, to;
  cudaMemset(from.data, 0, kBytes);
  cudaMemset(to.data, 0, kBytes);
  const size_t given = what == "half-copied" ? kBytes / 2 : kBytes;
  const size_t returned = what == "half-returned" ? kBytes / 2 : kBytes;
  cudaMemcpy(from.data, in, given, cudaMemcpyHostToDevice);
  if (what == "arguments-exchanged") {
    add_product<<<kBlocks, kBlock>>>(from.data, to.data, 1, 2);
  } else if (what != "returned-too-early") {
    scale<<<kBlocks, kBlock>>>(from.data, to.data);
  }
  cudaMemcpy(out, to.data, returned, cudaMemcpyDeviceToHost);
  if (what == "returned-too-early") scale<<<kBlocks, kBlock>>>(from.data, to.data);
  return true;
}

/// For arrays in host memory.
bool call_with_host_arrays(const std::string& what, const float* in, float* out) {
  const Buffer from, to;
  if (what == "host-arrays") {
    cudaMemcpy(from.data, in, kBytes, cudaMemcpyHostToDevice);
    scale<<<kBlocks, kBlock>>>(from.data, to.data);
    cudaMemcpy(out, to.data, kBytes, cudaMemcpyDeviceToHost);
  } else if (what == "widened") {
    const std::vector<double> wide(in, in + kCount);
    double* device = nullptr;
    cudaMalloc(&device, 2 * kBytes);
    cudaMemcpy(device, wide.data(), 2 * kBytes, cudaMemcpyHostToDevice);
    scale_doubles<<<kBlocks, kBlock>>>(device, to.data);
    cudaMemcpy(out, to.data, kBytes, cudaMemcpyDeviceToHost);
    cudaFree(device);
  } else if (what == "registered") {
    cudaHostRegister(out, kBytes, cudaHostRegisterDefault);
    cudaMemcpy(from.data, in, kBytes, cudaMemcpyHostToDevice);
    scale<<<kBlocks, kBlock>>>(from.data, out);
    cudaDeviceSynchronize();
    cudaHostUnregister(out);
  } else if (what == "in-halves") {
    cudaMemcpy(from.data, in, kBytes, cudaMemcpyHostToDevice);
    for (int first = 0; first < kCount; first += kCount / 2) {
      scale<<<kBlocks / 2, kBlock>>>(from.data + first, to.data + first);
      cudaMemcpy(out + first, to.data + first, kBytes / 2, cudaMemcpyDeviceToHost);
    }
  } else if (what == "message-in-output") {
    cudaMemcpy(from.data, in, kBytes, cudaMemcpyHostToDevice);
    encode<<<kBlocks, kBlock>>>(from.data, reinterpret_cast<unsigned*>(to.data));
    cudaMemcpy(out, to.data, kBytes, cudaMemcpyDeviceToHost);
    by_host_code(out, to.data);
    cudaMemcpy(out, to.data, kBytes, cudaMemcpyDeviceToHost);
  } else if (what == "moved-by-host") {
    std::vector<float> results(kCount);
    cudaMemcpy(from.data, in, kBytes, cudaMemcpyHostToDevice);
    scale<<<kBlocks, kBlock>>>(from.data, to.data);
    cudaMemcpy(results.data(), to.data, kBytes, cudaMemcpyDeviceToHost);
    std::memcpy(out, results.data(), kBytes);
  } else {
    return call_with_slip(what, in, out);
  }
  return true;
}

warpsim::cudart::HarnessArray array(const char* name, const float* data, bool input, bool on_host) {
  warpsim::cudart::HarnessArray result;
  std::strncpy(result.name, name, sizeof result.name - 1);
  result.address = reinterpret_cast<std::uint64_t>(data);
  result.bytes = kBytes;
  result.element_bytes = sizeof(float);
  result.is_input = input ? 1 : 0;
  result.is_output = input ? 0 : 1;
  result.on_host = on_host ? 1 : 0;
  return result;
}

}  // namespace

/// @param argv  the scenario, a file with the inputs, and one for the outputs
int main(int argc, char** argv) {
  if (argc != 4 || __cudaHarnessCallBegins == nullptr) return 2;
  const std::string what = argv[1];
  auto* host_in = static_cast<float*>(std::aligned_alloc(4096, kBytes));
  auto* host_out = static_cast<float*>(std::aligned_alloc(4096, kBytes));
  std::FILE* file = std::fopen(argv[2], "rb");
  if (file == nullptr || std::fread(host_in, kBytes, 1, file) != 1) return 3;
  std::fclose(file);
  std::memset(host_out, 0xee, kBytes);
  const Buffer in, out;
  cudaMemcpy(in.data, host_in, kBytes, cudaMemcpyHostToDevice);
  static warpsim::cudart::HarnessCall announced;
  announced.count = 2;
  const std::set<std::string> with_host_arrays = {
      "host-arrays",   "widened",     "registered",    "in-halves",          "message-in-output",
      "moved-by-host", "half-copied", "half-returned", "returned-too-early", "arguments-exchanged"};
  const bool on_host = with_host_arrays.count(what) > 0;
  announced.arrays[0] = array("in", on_host ? host_in : in.data, true, on_host);
  announced.arrays[1] = array("out", on_host ? host_out : out.data, false, on_host);
  if (__cudaHarnessCallBegins(&announced) != cudaSuccess) return 4;
  const bool known =
      on_host ? call_with_host_arrays(what, host_in, host_out) : call(what, in.data, out.data);
  cudaDeviceSynchronize();
  if (__cudaHarnessCallEnds() != cudaSuccess || !known) return 5;
  if (!on_host) cudaMemcpy(host_out, out.data, kBytes, cudaMemcpyDeviceToHost);
  file = std::fopen(argv[3], "wb");
  if (file == nullptr || std::fwrite(host_out, kBytes, 1, file) != 1) return 6;
  std::fclose(file);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 7;
}
