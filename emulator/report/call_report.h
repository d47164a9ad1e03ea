#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpsim {

/// Where the bytes of an output come from.
enum class WriterKind : std::uint8_t {
  kernel,  // wrote them last
  host_copy,  // a copy from host memory, of what is no input
  input_copy,  // a copy of an input
  fill,  // a memset
  nobody,  // or nobody during the call
};
/// In the report, by the number of the kind.
inline constexpr std::array<std::string_view, 5> kWriterKinds = {"kernel", "host-copy",
                                                                 "input-copy", "fill", "nobody"};
[[nodiscard]] constexpr std::string_view slug(WriterKind kind) {
  return kWriterKinds[static_cast<std::size_t>(kind)];
}

/// A place in the program's source; the line is 0 where it is not known.
struct SourceLine {
  std::string file;
  std::uint32_t line = 0;
};

/// Who wrote bytes of an output last, and what those can depend on.
struct OutputWriter {
  WriterKind kind = WriterKind::nobody;
  std::string name;  // of the kernel, the input, or the copying function
  std::uint64_t launch = 0;  // number of the kernel's last launch, from 1
  SourceLine from;  // where it was launched or called
  std::uint64_t bytes = 0;  // of the output
  bool varied = false;  // the elements that it wrote are not all equal
  /// Inputs that it, or what wrote what it read, and so on, has read.
  std::vector<std::string> inputs;
  /// Likewise: bytes that the host sent and that are not part of an input.
  std::uint64_t host_bytes = 0;
  /// Of these, the bytes of copies that were larger than all that kernels had given the host
  /// before: the host cannot have made them of that alone.
  std::uint64_t unexplained_bytes = 0;
};

struct OutputOrigin {
  std::string name;
  std::uint64_t bytes = 0;
  std::vector<OutputWriter> writers;  // most bytes first
  std::uint64_t more_writers = 0;  // that are left out
};

/// Bytes of an input that were copied back to the host before the last kernel that wrote an output.
struct InputCopy {
  std::string input;
  std::string api;  // "cudaMemcpy"
  SourceLine from;
  std::uint64_t bytes = 0;
};

/// What a call that the harness announced did with its data.
struct CallReport {
  bool followed = false;  // false: there were too many pieces to follow, and the lists are empty
  std::vector<OutputOrigin> outputs;
  std::vector<InputCopy> input_copies;
};

}  // namespace warpsim
