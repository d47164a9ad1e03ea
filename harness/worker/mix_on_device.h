#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace warpgrade::worker {

/// As mix_on_host, in device memory: `size` bytes at `to`, by the default stream.
/// @throws std::runtime_error  after an error of the driver
void mix_on_device(std::byte* to, std::size_t size, std::span<const std::byte> file,
                   std::size_t element_size, std::uint64_t key);

}  // namespace warpgrade::worker
