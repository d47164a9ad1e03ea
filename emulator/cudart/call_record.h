#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "emulator/checkers/host_findings.h"
#include "emulator/cudart/announced_call.h"
#include "emulator/cudart/box.h"
#include "emulator/cudart/frames.h"
#include "emulator/cudart/program_image.h"
#include "emulator/machine/launch.h"
#include "emulator/machine/memory.h"
#include "emulator/machine/texture.h"

namespace warpsim::cudart {

/// Bytes that the program's host code gave to the device.
struct HostBytes {
  std::vector<std::byte> bytes;
  /// One per byte: 1 where they are what the device had last put at that address.
  std::vector<std::uint8_t> from_device;
  /// Host code had seen results of kernels, from which it may have computed them.
  bool after_results = false;
};

/// The call of the program that asked for work.
struct AskedBy {
  std::string_view api;  // "cudaMemcpy", "<<<>>>"
  Frames frames;
};

/// Memory that the device can use from here on.
struct MemoryAppears {
  std::uint64_t base = 0, size = 0;
  GlobalMemory::Kind kind = GlobalMemory::Kind::device;
  int device = 0;
  std::vector<std::byte> content;  // empty: uninitialized, or zero where host code can use it
};
struct MemoryGoes {
  std::uint64_t base = 0;
};
/// Host code changed memory that kernels can use.
struct HostWrote {
  std::uint64_t address = 0;
  HostBytes what;
};
struct CopyStep {
  Side to, from;
  Box box;
  bool to_program = false, from_program = false;  // pageable memory
  HostBytes rows;  // from_program: row after row
  AskedBy by;
};
struct FillStep {
  Side to;
  Box box;
  std::uint32_t value = 0;
  unsigned element_bytes = 1;
  AskedBy by;
};
using LiveImages = std::vector<std::pair<std::uint64_t, ImageObject>>;
struct LaunchStep {
  LaunchRequest request;  // without arguments
  std::vector<std::vector<std::byte>> arguments;
  std::shared_ptr<const LiveImages> images;
  bool after_results = false;
  AskedBy by;
};
using RecordedStep =
    std::variant<MemoryAppears, MemoryGoes, HostWrote, CopyStep, FillStep, LaunchStep>;

/// What an announced call does on the device, as data and in the order in which it is done: enough
/// to do it again without the program.
///
/// All work passes here when it runs, a graph's too. Bytes of the host are kept as they were: those
/// of copies from its memory, and those that it changed in pinned, registered and managed memory
/// before work that can see them. Allocations are noticed when the next work runs.
///
/// Protected by the runtime's lock, like everything in the API.
class CallRecord {
 public:
  /// The call comes next; the arrays are initialized.
  CallRecord(const GlobalMemory& memory, ImageTable& images, const AnnouncedCall& call);

  /// Keeps what the announced arrays in the program's own memory hold before the call, for edits of
  /// copies, and for outputs that the device does not write whole.
  void keep_host_arrays();

  /// A kernel is about to run, and has run. @param sizes  of its parameters
  void launches(const LaunchRequest& request, std::span<const std::uint32_t> sizes,
                const AskedBy& by);
  void launched(const LaunchResult& result);

  struct Copy {
    Side to, from;
    Box box;
    const PointerView& destination;
    const PointerView& source;
    const AskedBy& by;
  };
  /// A copy is about to be done, and is done.
  void copies(const Copy& copy);
  void copied(const Copy& copy);
  void filled(const FillStep& fill);

  /// Host code gets to know something of the device's data that is in no copy: a modelled time, a
  /// condition of a graph that decides which work runs.
  void host_learns(std::uint64_t bytes) { host_reads_pending_ += bytes; }
  /// Nothing that was recorded can be done again. @param why  half a sentence
  void give_up(std::string why);
  /// The call has ended.
  void end();

  /// Empty if it can be done again.
  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] std::span<const RecordedStep> steps() const { return steps_; }
  /// All of them in their order, as a list in which others can be put.
  [[nodiscard]] std::vector<const RecordedStep*> list() const;
  /// Bytes of device data that host code could see before the last work that it could have used
  /// them for: what copies brought back, and what kernels wrote to memory that both sides use.
  /// Bytes of an output that stayed as they were are part of the result, and counted in
  /// output_reads().
  [[nodiscard]] std::uint64_t host_reads() const { return host_reads_; }
  [[nodiscard]] std::uint64_t output_reads() const { return output_reads_; }
  /// Bytes that host code gave to the device, inputs or not.
  [[nodiscard]] std::uint64_t host_bytes() const { return host_bytes_; }
  /// What keep_host_arrays() has kept.
  [[nodiscard]] const ProgramImage& host_arrays() const { return host_arrays_; }
  /// For each announced array: an output in the program's own memory that the device did not write
  /// there, or not last, but for bytes that host_arrays() has and that are still the same.
  [[nodiscard]] bool host_wrote_output(std::size_t array) const { return by_host_[array]; }

 private:
  struct Known {
    std::uint64_t id = 0, base = 0;
    GlobalMemory::Kind kind = GlobalMemory::Kind::device;
    std::vector<std::byte> last;  // of memory that host code can use: content after the last work
  };

  /// An output in host memory, as far as the device has filled it.
  struct Filled {
    std::uint64_t address = 0;
    std::vector<std::byte> bytes;
    std::vector<std::uint8_t> known;
  };

  void begin_step();
  void notice_memory();
  void notice_host_writes(Known& known, std::uint64_t begin, std::uint64_t end);
  void host_may_have_acted();
  void appear(const GlobalMemory::Allocation& allocation);
  void disappear(const Known& known);
  [[nodiscard]] Known* shared_at(const PointerView& pointer);
  void note_results(std::uint64_t address, std::span<const std::byte> bytes);
  void host_sees(std::uint64_t address, std::span<const std::byte> now,
                 std::span<const std::byte> before);
  void keep_bytes(std::uint64_t bytes);

  const GlobalMemory& memory_;
  ImageTable& images_;
  const AnnouncedCall& call_;
  std::vector<RecordedStep> steps_;
  std::map<std::uint64_t, Known> known_;  // live memory by its base
  std::shared_ptr<const LiveImages> last_images_;
  ProgramImage on_host_;  // in the program's own memory: what the device put there
  std::vector<Filled> filled_;
  ProgramImage host_arrays_;
  ProgramImage given_;  // in device memory: what the host gave, and announced inputs
  std::vector<bool> by_host_;
  std::string problem_;
  bool results_seen_ = false;
  std::uint64_t kept_bytes_ = 0;
  std::uint64_t compared_bytes_ = 0;
  std::uint64_t host_bytes_ = 0;
  std::uint64_t host_reads_pending_ = 0;
  std::uint64_t host_reads_ = 0;
  std::uint64_t output_reads_pending_ = 0;
  std::uint64_t output_reads_ = 0;
};

}  // namespace warpsim::cudart
