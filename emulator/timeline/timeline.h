#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "emulator/device/card.h"
#include "emulator/timeline/engines.h"
#include "emulator/timeline/kinds.h"

// When the work of a program would run on the card: the model of docs/cost-model.md, "The
// timeline". All times are in milliseconds from the first call.

namespace warpsim {

/// The devices of a copy between two.
struct DevicePair {
  int from = 0, to = 0;
};

/// What a recording shows of an operation besides the times; empty where none is made.
struct OperationOrigin {
  std::string file;  // of the program's call; empty: not known
  std::uint32_t line = 0;
  /// Numbers of operations that it waits for, besides the one before it in its stream.
  std::vector<std::size_t> after;
};

/// Work as it is placed on the timeline.
struct TimelineOperation {
  OperationKind kind = OperationKind::kernel;
  std::string name;  // "vecadd(float const*, ...)", "cudaMemcpyAsync"
  int device = 0;  // of the stream, and of the engine unless the copy is between devices
  std::uint64_t stream = 0;  // id; 0: the default stream of the device
  EngineKind engine = EngineKind::none;
  double share = 1;  // of the engine
  std::uint64_t bytes = 0;
  bool pageable = false;  // a copy from or to pageable host memory
  /// A copy between devices takes an engine of each. `engine` is that of the one that sends.
  std::optional<DevicePair> between = std::nullopt;
  OperationOrigin origin = {};
  /// Filled when it is placed. From `ready_ms` to `begin_ms` it waits for its engine.
  double ready_ms = 0, begin_ms = 0, end_ms = 0;
};

/// The modelled clock of the host, of the streams and of the engines.
class Timeline {
 public:
  /// The host's time for a call that submits work or waits: a few microseconds on any machine.
  static constexpr double kHostCallMs = 0.002;
  /// Operations that are kept for a report.
  static constexpr std::size_t kMostOperations = 100000;

  /// @param keeps  whether operations are kept for a report
  Timeline(const Card& card, bool keeps, int devices = 1)
      : card_(card), keeps_(keeps), engines_(static_cast<std::size_t>(devices)) {}

  [[nodiscard]] double host_ms() const { return host_ms_; }
  /// The end of all work so far.
  [[nodiscard]] double end_ms() const { return end_ms_; }

  /// Runs the operation on its engine as soon as `ready` has come, the host has submitted it and
  /// the engine is free.
  /// @param ready_ms  when the work that it follows is done
  /// @returns its end
  double run(TimelineOperation operation, double ready_ms, double duration_ms);
  /// The host's part of submitting work; nothing inside a graph, whose launch is one call.
  void host_submits() {
    if (graphs_ == 0) host_ms_ += kHostCallMs;
  }
  void graph_begins() { ++graphs_; }
  void graph_ends() { --graphs_; }
  /// The host waits until `done_ms`. @param name  the call that waits
  void host_waits(double done_ms, std::string_view name, OperationOrigin origin = {});

  void call_begins();
  void call_ends();
  /// Nothing before an announced call has ended.
  [[nodiscard]] const std::optional<CallInterval>& call() const { return ended_call_; }

  [[nodiscard]] const std::vector<TimelineOperation>& operations() const { return operations_; }
  [[nodiscard]] std::uint64_t left_out() const { return left_out_; }
  /// How long the engine was busy. @param device  from 0
  [[nodiscard]] double busy_ms(int device, EngineKind engine) const;
  /// Time in which two engines of a device or more were busy, over all devices, of the announced
  /// call if there was one. From the operations that are kept.
  [[nodiscard]] double overlap_ms() const;
  [[nodiscard]] int devices() const { return static_cast<int>(engines_.size()); }

 private:
  using Engines = std::array<Engine, kEngines>;
  [[nodiscard]] Engine& engine(int device, EngineKind kind);
  double place(const TimelineOperation& operation, double ready_ms, double duration_ms);
  void keep(TimelineOperation operation);

  const Card& card_;
  const bool keeps_;
  std::vector<Engines> engines_;  // by device
  double host_ms_ = 0;
  double end_ms_ = 0;
  int graphs_ = 0;
  std::vector<TimelineOperation> operations_;
  std::uint64_t left_out_ = 0;
  std::uint64_t placed_ = 0;
  std::optional<double> call_began_;
  std::optional<CallInterval> ended_call_;
};

}  // namespace warpsim
