#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "emulator/cudart/call_record.h"

namespace warpsim::cudart {

class Runtime;

/// A place of the program's source that asked for work, once or more often.
struct WorkSite {
  std::string file;  // its last part
  std::uint32_t line = 0;
  std::string call;  // "cudaMemcpy", or the kernel's name without its arguments
  std::vector<std::size_t> steps;  // numbers of steps of the record, all of one kind
};

/// Where the work of a recorded call comes from, and what its numbers are.
class CallSites {
 public:
  /// No work at all.
  CallSites() = default;
  /// The session with the program has to be there, as it knows its places.
  CallSites(const Runtime& runtime, const CallRecord& record);

  [[nodiscard]] std::span<const WorkSite> sites() const { return sites_; }
  /// @returns null if no work came from there
  [[nodiscard]] const WorkSite* find(std::string_view file, std::uint32_t line,
                                     std::string_view call) const;
  /// Whether a step is the first one of the call's work that has this name, wherever it came from.
  [[nodiscard]] bool is_first(std::size_t step, std::string_view call) const;
  /// The launch from a line that is the last one before a step or, if there is none, the first one.
  [[nodiscard]] const LaunchStep* launch_at(std::string_view file, std::uint32_t line,
                                            std::size_t before) const;
  /// Whether an argument of a kernel is the address of device memory.
  [[nodiscard]] bool is_pointer(std::span<const std::byte> argument) const;
  /// An argument as a whole number, sign and all; nothing for an address, a structure, and what is
  /// too large to be one.
  [[nodiscard]] std::optional<std::int64_t> number(std::span<const std::byte> argument) const;
  /// From an address to the end of its allocation; 0: there is none.
  [[nodiscard]] std::uint64_t bytes_at(std::uint64_t address) const;

  [[nodiscard]] const RecordedStep& step(std::size_t number) const { return steps_[number]; }
  [[nodiscard]] std::span<const RecordedStep> steps() const { return steps_; }

 private:
  void add(std::size_t number, const AskedBy& by, const std::string& call);

  std::span<const RecordedStep> steps_;
  std::vector<WorkSite> sites_;
  std::vector<MemoryAppears const*> memory_;
};

}  // namespace warpsim::cudart
