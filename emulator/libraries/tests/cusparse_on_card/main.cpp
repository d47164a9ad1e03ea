#include "emulator/libraries/tests/cusparse_on_card/calls.h"

// Calls of cuSPARSE with fixed inputs, compiled against the toolkit's, and run twice by
// scripts/gpu_libraries.

int main() {
  cudaDeviceProp properties;
  if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return 1;
  const cusparse_on_card::Cusparse cusparse;
  int version = 0;
  if (cusparseGetVersion(cusparse.handle, &version) != CUSPARSE_STATUS_SUCCESS) return 1;
  std::printf("# %s, cuSPARSE %d\n", properties.name, version);
  cusparse_on_card::record_products(cusparse.handle);
  cusparse_on_card::record_sparse(cusparse.handle);
  cusparse_on_card::record_indices(cusparse.handle);
  cusparse_on_card::record_refusals(cusparse.handle);
}
