#pragma once

#include "driver_types.h"

// CUDA Runtime API, "Profiler Control".

#ifdef __cplusplus
extern "C" {
#endif
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);
#ifdef __cplusplus
}
#endif
