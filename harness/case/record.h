#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace warpgrade {

/// How far a worker came. Anything before `complete` means that the process ended early.
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

/// What a worker says about a run; written by harness/worker, described in
/// docs/worker-protocol.md.
struct Record {
  Stage stage = Stage::none;
  /// Ours: no device, an input that cannot be read. Told before the call, with this run's nonce.
  std::optional<std::string> harness_fault;
  std::string device;
  std::optional<CudaError> launch_error;  // cudaGetLastError right after the call
  std::optional<CudaError> sync_error;  // of cudaDeviceSynchronize after the call
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
    bool before = false;  // in front of the first element, else behind the last
    std::uint64_t distance = 0;  // bytes from the buffer's edge to the nearest changed byte
    std::uint64_t count = 0;  // bytes changed
  };
  std::vector<CanaryHit> canary_hits;

  /// Host code touched the guard pages around a host buffer and was stopped there.
  struct GuardHit {
    std::string parameter;
    bool before = false;
    std::uint64_t distance = 0;  // bytes from the buffer's edge
    bool write = false;
  };
  std::optional<GuardHit> guard_hit;

  /// One of the calls of a timed run.
  struct TimedCall {
    std::uint64_t number = 0;  // from 0
    double event_ms = 0;
    double host_ms = 0;  // to the end of a device-wide synchronise
  };
  bool ready = false;  // warmed up, for timed calls
  std::vector<TimedCall> timed_calls;
  std::uint64_t saved_calls = 0;  // whose outputs were written

  double host_seconds = 0;  // around the call and a device-wide synchronise
  double event_ms = 0;  // between two events around the call
  std::uint64_t free_before = 0;  // device memory, bytes
  std::uint64_t free_after = 0;

  [[nodiscard]] bool complete() const { return stage == Stage::complete; }
  /// Device bytes that the call left allocated; 0 when not complete.
  [[nodiscard]] std::uint64_t leaked_bytes() const;
};

/// Parses a record; never throws on its contents, which a hostile program may have written. Texts
/// and lists are cut, and a time that is none (negative, infinite, no number) is not taken.
/// @param nonce  what a complete record must end with, and a fault of the harness begin with
[[nodiscard]] Record read_record(const std::filesystem::path& file, const std::string& nonce);

}  // namespace warpgrade
