#pragma once

// Part of the CUDA Toolkit by this name; here everything is in one place.
#include "cuda_runtime.h"
