#include "emulator/libraries/tests/cublas_on_card/recorder.h"

// Compiled with nvcc or with a C++ compiler, against the toolkit's cuBLAS; run twice by
// scripts/gpu_libraries.

int main() {
  cublas_on_card::Recorder recorder;
  cublas_on_card::record_level1(recorder);
  cublas_on_card::record_level2(recorder);
  cublas_on_card::record_level3(recorder);
  cublas_on_card::record_gemm(recorder);
  cublas_on_card::record_refusals(recorder);
}
