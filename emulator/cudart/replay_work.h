#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include "emulator/cudart/call_record.h"
#include "emulator/cudart/decoy_inputs.h"
#include "emulator/cudart/program_image.h"
#include "emulator/machine/memory.h"

namespace warpsim::cudart {

class Runtime;

/// Why work cannot be done again; what() is half a sentence.
class CannotReplay : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Processor time that this process has used.
[[nodiscard]] double processor_seconds();

/// The work of a recorded call, done again in memory of its own at the same addresses. The
/// program's memory is set aside while this exists.
class ReplayWork {
 public:
  /// @param inputs  other inputs; null: the call's own
  ReplayWork(Runtime& runtime, const CallRecord& record, DecoyInputs* inputs);
  ~ReplayWork();
  ReplayWork(const ReplayWork&) = delete;
  ReplayWork& operator=(const ReplayWork&) = delete;

  /// @throws CannotReplay
  void run();
  /// Other work in place of the recorded one. @throws CannotReplay
  void run(std::span<const RecordedStep* const> steps);

  /// @throws CannotReplay
  [[nodiscard]] std::vector<std::byte> output(const AnnouncedArray& array);

 private:
  class Pages;

  std::span<std::byte> at(std::uint64_t address, std::uint64_t bytes);
  std::span<std::byte> all_of(const Side& side, const Box& box);
  std::vector<std::byte> given(const CopyStep& step);
  void make(const MemoryAppears& step);
  void make(const MemoryGoes& step);
  void make(const HostWrote& step);
  void make(const CopyStep& step);
  void make(const FillStep& step);
  void make(const LaunchStep& step);

  Runtime& runtime_;
  GlobalMemory& memory_;
  const CallRecord& record_;
  DecoyInputs* inputs_;
  GlobalMemory::Aside aside_;
  LiveImages images_;
  std::map<std::uint64_t, std::unique_ptr<Pages>> pages_;  // by device address
  ProgramImage on_host_;  // what the device put into the program's own memory
};

}  // namespace warpsim::cudart
