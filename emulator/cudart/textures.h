#pragma once

#include <cuda_runtime_api.h>

#include <map>

namespace warpsim::cudart {

/// The parameters given by the program, for the calls that return them.
struct ImageDescription {
  cudaResourceDesc resource = {};
  cudaTextureDesc texture = {};
  bool is_texture = false;
};
using ImageDescriptions = std::map<unsigned long long, ImageDescription>;  // by handle

}  // namespace warpsim::cudart
