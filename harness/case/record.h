#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace warpgrade {

/// A worker's progress. Anything before `complete` means that the process ended early.
enum class Stage : std::uint8_t {
  none,  // no record at all: it ended before main, or main never ran
  started,
  calling,  // the student's function was entered
  returned,
  complete,  // with the right nonce
};

struct CudaError {
  int code = 0;
  std::string name;  // "cudaErrorInvalidValue"
  std::string text;
};

/// A worker's record of a run; written by harness/worker, described in docs/worker-protocol.md.
struct Record {
  Stage stage = Stage::none;
  /// The harness could not continue: no device, an unreadable input. Valid only before the call and
  /// with this run's nonce.
  std::optional<std::string> harness_fault;
  /// That was before any of the submission's code ran, which could have written it, too.
  bool fault_before_code = false;
  bool opened = false;  // all files are open, and the submission's code comes next
  std::string device;
  std::optional<CudaError> launch_error;  // cudaGetLastError right after the call
  std::optional<CudaError> sync_error;  // from cudaDeviceSynchronize after the call
  bool device_reset = false;  // the function called cudaDeviceReset

  struct InputChange {
    std::string parameter;
    std::uint64_t first = 0;  // element
    std::uint64_t count = 0;  // elements
  };
  std::vector<InputChange> input_changes;

  /// Canary bytes around a buffer that were overwritten.
  struct CanaryHit {
    std::string parameter;
    bool before = false;  // before the first element, otherwise after the last
    std::uint64_t distance = 0;  // bytes from the buffer's edge to the nearest changed byte
    std::uint64_t count = 0;  // bytes changed
  };
  std::vector<CanaryHit> canary_hits;

  /// Host code accessed a guard page next to a host buffer, which ended the process.
  struct GuardHit {
    std::string parameter;
    bool before = false;
    std::uint64_t distance = 0;  // bytes from the buffer's edge
    bool write = false;
  };
  std::optional<GuardHit> guard_hit;

  /// The exception with which a submission in Python ended: where, its type and its text; empty:
  /// none. The process of the submission wrote it.
  std::string raised;

  /// One of the calls of a timed run.
  struct TimedCall {
    std::uint64_t number = 0;  // from 0
    double event_ms = 0;
    double host_ms = 0;  // until the end of cudaDeviceSynchronize()
  };
  bool ready = false;  // timed calls: warmed up
  std::vector<TimedCall> timed_calls;
  std::uint64_t saved_calls = 0;  // timed calls whose outputs were saved

  // Of programs, as their parent saw them end (program_run.h).
  std::optional<int> exit_code;
  std::optional<std::uint64_t> input_read;  // bytes of standard input
  bool output_cut = false;  // not all of standard output was kept

  double host_seconds = 0;  // of the call and a cudaDeviceSynchronize()
  double event_ms = 0;  // between two events around the call
  std::uint64_t free_before = 0;  // device memory, bytes
  std::uint64_t free_after = 0;

  [[nodiscard]] bool complete() const { return stage == Stage::complete; }
  /// Device bytes that the call left allocated; 0 if not complete.
  [[nodiscard]] std::uint64_t leaked_bytes() const;
};

/// Parses a record; never throws on its contents, which a hostile program may have written. Texts
/// and lists are truncated, and an invalid time (negative, infinite, not a number) is ignored.
/// @param nonce  must end a complete record, and begin a fault of the harness
[[nodiscard]] Record read_record(const std::filesystem::path& file, const std::string& nonce);

}  // namespace warpgrade
