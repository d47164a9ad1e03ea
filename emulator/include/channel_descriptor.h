#pragma once

// A header of the CUDA Toolkit; here cuda_runtime.h has everything.
#include "cuda_runtime.h"
