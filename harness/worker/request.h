#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace warpgrade::worker {

struct RequestError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Where an array is, as in lab.toml.
enum class ArrayPlace : std::uint8_t { host, device, pinned, mapped, managed };

/// One argument of the student's function.
struct Argument {
  std::string name;
  std::vector<std::byte> scalar;  // a scalar's value; empty for arrays
  bool is_stream = false;
  bool is_input = false;
  bool is_output = false;
  ArrayPlace memory = ArrayPlace::device;
  std::size_t element_size = 0;
  std::size_t count = 0;
  std::size_t offset = 0;  // elements after a well-aligned address
  std::vector<std::byte> poison;  // an output's elements before the call
  std::string input_file;
  std::string output_file;
  int input_fd = -1;  // open files, set by open_request()
  std::optional<std::size_t> shared_offset;  // in bytes, of an input in a file with others
  int output_fd = -1;
  bool is_delivered = false;  // an output that another process delivers

  [[nodiscard]] bool is_array() const { return element_size != 0; }
  [[nodiscard]] std::size_t size_bytes() const { return count * element_size; }
  [[nodiscard]] bool on_host() const { return memory != ArrayPlace::device; }
  /// Of a well-aligned array: a power of two that the elements' size is a multiple of.
  [[nodiscard]] std::size_t alignment() const {
    return std::min<std::size_t>(element_size & (~element_size + 1), 16);
  }
};

/// Timed calls, on commands of the parent; docs/worker-protocol.md.
struct TimedCalls {
  std::string turns;  // the file to which the parent appends its commands
  bool host_clock_counts = true;  // false on the emulator, whose own speed is irrelevant
  std::optional<unsigned> processor;  // host processor for a function on host pointers
};

/// In a turn's window: the other bits are the key of a random order of the input's parts, and not
/// its first element.
constexpr std::size_t kMixedWindow = std::size_t{1} << 63U;

/// One command: `warm`, `run`, `save` or `stop`.
struct Turn {
  enum class Kind : std::uint8_t { warm, run, save, stop };
  Kind kind = Kind::stop;
  std::vector<std::size_t>
      windows;  // by input: its first element in the input's file, or kMixedWindow | key
};

/// @throws RequestError  if it is not a command, or does not have one window for each of `inputs`
[[nodiscard]] Turn read_turn(const std::string& line, std::size_t inputs);

/// The parent's request; docs/worker-protocol.md.
struct Request {
  std::string folder;  // of the request; file names are relative to it
  std::string nonce;
  std::string record;
  std::vector<Argument> arguments;  // in the function's order
  std::optional<TimedCalls> timed;
  std::string first;  // the request of a call before this one; empty for none

  /// @param file  relative to the request's folder, or absolute
  [[nodiscard]] std::string path(const std::string& file) const {
    return file.starts_with('/') ? file : folder + "/" + file;
  }
};

/// @throws RequestError  names the line
[[nodiscard]] Request read_request(const std::string& file);

}  // namespace warpgrade::worker
