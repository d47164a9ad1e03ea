#pragma once

#include <filesystem>

#include "harness/data/array.h"

namespace warpgrade {

/// Writes NumPy's format, version 1.0, C order, little endian; bf16, which NumPy lacks, as f32.
/// @throws std::filesystem::filesystem_error  if the file cannot be written
void write_npy(const std::filesystem::path& file, const Array& array);

/// Reads files of write_npy(), and NumPy's of the same types in C order.
/// @throws std::runtime_error  names the file and what is wrong with it
[[nodiscard]] Array read_npy(const std::filesystem::path& file);

}  // namespace warpgrade
