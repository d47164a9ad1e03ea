#pragma once

#include <cuda_runtime_api.h>

#include <map>

namespace warpsim::cudart {

/// What the program asked for, for the calls that give it back.
struct ImageDescription {
  cudaResourceDesc resource = {};
  cudaTextureDesc texture = {};
  bool is_texture = false;
};
using ImageDescriptions = std::map<unsigned long long, ImageDescription>;  // by handle

}  // namespace warpsim::cudart
