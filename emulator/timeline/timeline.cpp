#include "emulator/timeline/timeline.h"

#include <algorithm>
#include <utility>

namespace warpsim {

Engine& Timeline::engine(int device, EngineKind kind) {
  // A card with one copy engine uses it for both directions.
  if (kind == EngineKind::copy_to_host && card_.async_engines < 2) {
    kind = EngineKind::copy_to_device;
  }
  return engines_[static_cast<std::size_t>(device)][static_cast<std::size_t>(kind)];
}

double Timeline::place(const TimelineOperation& operation, double ready_ms, double duration_ms) {
  if (operation.engine == EngineKind::none) return ready_ms;
  if (!operation.between) {
    return engine(operation.device, operation.engine).take(ready_ms, duration_ms, operation.share);
  }
  Engine& from = engine(operation.between->from, EngineKind::copy_to_host);
  Engine& to = engine(operation.between->to, EngineKind::copy_to_device);
  double begin = ready_ms;
  for (;;) {
    const double first = from.find(begin, duration_ms, 1);
    const double second = to.find(first, duration_ms, 1);
    begin = second;
    if (first == second) break;
  }
  from.take_at(begin, duration_ms, 1);
  if (&from != &to) to.take_at(begin, duration_ms, 1);
  return begin;
}

double Timeline::run(TimelineOperation operation, double ready_ms, double duration_ms) {
  const double ready = std::max(ready_ms, host_ms_);
  constexpr std::uint64_t kBetweenSweeps = 64;
  if (++placed_ % kBetweenSweeps == 0) {
    for (Engines& card : engines_) {
      for (Engine& one : card) one.forget_before(host_ms_);
    }
  }
  operation.ready_ms = ready;
  operation.begin_ms = place(operation, ready, duration_ms);
  operation.end_ms = operation.begin_ms + duration_ms;
  const double end = operation.end_ms;
  end_ms_ = std::max(end_ms_, end);
  keep(std::move(operation));
  return end;
}

void Timeline::keep(TimelineOperation operation) {
  if (!keeps_) return;
  if (operations_.size() >= kMostOperations) {
    ++left_out_;
  } else {
    operations_.push_back(std::move(operation));
  }
}

void Timeline::host_waits(double done_ms, std::string_view name, OperationOrigin origin) {
  if (done_ms > host_ms_) {
    keep({.kind = OperationKind::host_wait,
          .name = std::string(name),
          .origin = std::move(origin),
          .ready_ms = host_ms_,
          .begin_ms = host_ms_,
          .end_ms = done_ms});
    host_ms_ = done_ms;
  }
  host_ms_ += kHostCallMs;
}

void Timeline::call_begins() {
  host_ms_ = std::max(host_ms_, end_ms_);
  call_began_ = host_ms_;
}

void Timeline::call_ends() {
  if (!call_began_) return;
  host_ms_ = std::max(host_ms_, end_ms_);
  ended_call_ = {.begin_ms = *call_began_, .end_ms = host_ms_};
  call_began_.reset();
}

double Timeline::busy_ms(int device, EngineKind engine) const {
  return engines_[static_cast<std::size_t>(device)][static_cast<std::size_t>(engine)].busy();
}

double Timeline::overlap_ms() const {
  struct Edge {
    double time = 0;
    int change = 0;
    std::size_t engine = 0;
  };
  std::vector<std::vector<Edge>> edges(engines_.size());
  for (const TimelineOperation& one : operations_) {
    if (one.engine == EngineKind::none || one.end_ms <= one.begin_ms) continue;
    if (ended_call_ && one.begin_ms < ended_call_->begin_ms) continue;
    if (ended_call_ && one.end_ms > ended_call_->end_ms) continue;
    const auto add = [&](int device, EngineKind kind) {
      auto& of_device = edges[static_cast<std::size_t>(device)];
      const auto engine = static_cast<std::size_t>(kind);
      of_device.push_back({one.begin_ms, 1, engine});
      of_device.push_back({one.end_ms, -1, engine});
    };
    if (!one.between) {
      add(one.device, one.engine);
      continue;
    }
    add(one.between->from, EngineKind::copy_to_host);
    add(one.between->to, EngineKind::copy_to_device);
  }
  double overlap = 0;
  for (auto& of_device : edges) {
    std::ranges::sort(of_device, {}, [](const Edge& e) { return std::pair(e.time, e.change); });
    std::array<int, kEngines> running = {};
    double since = 0;
    for (const Edge& edge : of_device) {
      if (std::ranges::count_if(running, [](int n) { return n > 0; }) > 1) {
        overlap += edge.time - since;
      }
      running[edge.engine] += edge.change;
      since = edge.time;
    }
  }
  return overlap;
}

}  // namespace warpsim
