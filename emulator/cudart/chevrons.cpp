#include "emulator/cudart/chevrons.h"

#include <cuda_runtime_api.h>

#include <utility>
#include <vector>

namespace warpsim::cudart {
namespace {

struct Configuration {
  dim3 grid, block;
  size_t shared = 0;
  void* stream = nullptr;
  const void* return_address = nullptr;
};
thread_local std::vector<Configuration> pushed;
thread_local const void* chevron_address = nullptr;

}  // namespace

const void* chevrons() {
  return chevron_address;
}

const void* take_chevrons() {
  return std::exchange(chevron_address, nullptr);
}

void set_chevrons(const void* address) {
  chevron_address = address;
}

}  // namespace warpsim::cudart

using namespace warpsim::cudart;

extern "C" {

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared,
                                     struct CUstream_st* stream) {
  pushed.push_back({grid, block, shared, stream, __builtin_return_address(0)});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream) {
  if (pushed.empty()) return cudaErrorMissingConfiguration;
  const Configuration configuration = pushed.back();
  pushed.pop_back();
  *grid = configuration.grid;
  *block = configuration.block;
  *shared = configuration.shared;
  *static_cast<void**>(stream) = configuration.stream;
  chevron_address = configuration.return_address;
  return cudaSuccess;
}

}  // extern "C"
