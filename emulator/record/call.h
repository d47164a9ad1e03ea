#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/record/fields.h"

namespace warpsim {

/// The origin of an output's bytes.
enum class WriterKind : std::uint8_t {
  kernel,  // a kernel wrote them last
  host_copy,  // a copy from host memory that is not an input
  input_copy,  // a copy of an input
  fill,  // a memset
  nobody,  // not written during the call
};
/// Names in the report, indexed by kind.
inline constexpr std::array<std::string_view, 5> kWriterKinds = {"kernel", "host-copy",
                                                                 "input-copy", "fill", "nobody"};
[[nodiscard]] constexpr std::string_view slug(WriterKind kind) {
  return kWriterKinds[static_cast<std::size_t>(kind)];
}

constexpr auto names_of(WriterKind) {
  return kWriterKinds;
}

/// A location in the program's source; the line is 0 if unknown.
struct SourceLine {
  std::string file;
  std::uint32_t line = 0;
};
WARPGRADE_FIELDS(SourceLine, file, line)

/// The last writer of bytes of an output, and what those can depend on.
struct OutputWriter {
  WriterKind kind = WriterKind::nobody;
  std::string name;  // of the kernel, the input, or the copying function
  std::uint64_t launch = 0;  // number of the kernel's last launch, from 1
  SourceLine from;  // where it was launched or called
  std::uint64_t bytes = 0;  // of the output
  bool varied = false;  // the written elements are not all equal
  /// Inputs on which it depends, directly or indirectly.
  std::vector<std::string> inputs;
  /// Likewise, bytes from the host that are not part of an input.
  std::uint64_t host_bytes = 0;
  /// Of these, bytes in copies larger than all data that the host had received from kernels: the
  /// host cannot have computed them from that alone.
  std::uint64_t unexplained_bytes = 0;
};
WARPGRADE_FIELDS(
    OutputWriter, kind, (name, "Of the kernel, the input, or the function of the runtime."),
    (launch, "Number of the kernel's last launch, from 1."),
    (from, "Where it was launched or called.", {.flat = true}), (bytes, "Of the output."),
    (varied, "The elements that it wrote are not all equal."),
    (inputs, "Inputs on which it depends, directly or indirectly.",
     {.longest = 100, .at_most = 64}),
    (host_bytes, "Likewise: bytes that the host sent and that are not part of an input."),
    (unexplained_bytes,
     "Of these, the bytes of copies that are larger than all that the host had received from "
     "kernels."))

struct OutputOrigin {
  std::string name;
  std::uint64_t bytes = 0;
  std::vector<OutputWriter> writers;  // most bytes first
  std::uint64_t more_writers = 0;  // that are left out
};
WARPGRADE_FIELDS(OutputOrigin, (name, "", {.longest = 100}), bytes,
                 (writers, "Most bytes first.", {.at_most = 64}),
                 (more_writers, "That are left out."))

/// Bytes of an input that were copied back to the host before the last kernel that wrote an output.
struct InputCopy {
  std::string input;
  std::string api;  // "cudaMemcpy"
  SourceLine from;
  std::uint64_t bytes = 0;
};
WARPGRADE_FIELDS(InputCopy, (input, "", {.longest = 100}), (api, "", {.longest = 100}),
                 (from, "", {.flat = true}), bytes)

/// The data flow of an announced call.
struct CallReport {
  bool followed = false;  // false: there were too many pieces to track, and the lists are empty
  std::vector<OutputOrigin> outputs;
  std::vector<InputCopy> input_copies;
};
WARPGRADE_FIELDS(
    CallReport, (followed, "False: there were too many pieces of data to follow."),
    (outputs, "", {.at_most = 64}),
    (input_copies,
     "Bytes of inputs that were copied to the host before the last kernel that wrote an output.",
     {.at_most = 64}))

}  // namespace warpsim
