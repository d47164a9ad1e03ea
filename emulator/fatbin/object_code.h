#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

// Device code in host objects (.o) and archives of them (.a), as nvcc writes them.

namespace warpsim::fatbin {

struct ObjectCode {
  struct Container {
    std::span<const std::byte> bytes;
    std::string member;  // of an archive; empty for an object
  };
  std::vector<Container> containers;  // in the order of the file
  std::string problem;  // one sentence if the file is neither, or is damaged; otherwise empty
};

/// True for bytes that begin like an ELF file: an object, or a cubin.
[[nodiscard]] bool is_object(std::span<const std::byte> file);

/// Lists the containers of an ELF object or an archive of objects. Nothing in it is trusted.
[[nodiscard]] ObjectCode read_object_code(std::span<const std::byte> file);

}  // namespace warpsim::fatbin
