#include "emulator/cudart/origins.h"

#include <algorithm>
#include <utility>

namespace warpsim::cudart {

OperationOrigin Origins::here() const {
  CallSite site = site_();
  return {.file = std::move(site.file), .line = site.line, .after = {}};
}

std::vector<std::size_t> Origins::take_next_after() {
  return std::exchange(next_after_, {});
}

const Origins::Placed* Origins::last_of(std::uint64_t stream, std::uint64_t number) const {
  const auto of = placed_.find(stream);
  if (of == placed_.end()) return nullptr;
  const auto later = std::ranges::upper_bound(of->second, number, {}, &Placed::number);
  return later == of->second.begin() ? nullptr : &*(later - 1);
}

std::vector<std::size_t> Origins::latest(const std::vector<const Placed*>& all) {
  std::vector<std::size_t> operations;
  for (const Placed* one : all) {
    const bool implied = std::ranges::any_of(all, [&](const Placed* other) {
      return other != one && other->clock.has(one->stream, one->number);
    });
    if (!implied) operations.push_back(one->operation);
  }
  std::ranges::sort(operations);
  return operations;
}

OperationOrigin Origins::of(const StreamWork& work) {
  OperationOrigin origin = here();
  const std::size_t number = timeline_.operations().size();
  if (kept_ >= kMostEdges || timeline_.left_out() != 0) return origin;
  const Placed* const before = last_of(work.stream, work.number);
  std::vector<const Placed*> others;
  for (const auto& [stream, last] : work.done.last()) {
    if (stream == work.stream) continue;
    const Placed* const other = last_of(stream, last);
    if (other == nullptr) continue;
    const bool known = before != nullptr && before->clock.has(other->stream, other->number);
    if (!known) others.push_back(other);
  }
  origin.after = latest(others);
  const std::vector<std::size_t> nodes = take_next_after();
  origin.after.insert(origin.after.end(), nodes.begin(), nodes.end());
  // The host submits it when it has waited.
  const bool waited = number > 0 && timeline_.operations().back().kind == OperationKind::host_wait;
  if (waited) origin.after.push_back(number - 1);
  placed_[work.stream].push_back({work.stream, work.number, number, work.done});
  ++kept_;
  return origin;
}

OperationOrigin Origins::of_wait(const StreamClock& done) {
  OperationOrigin origin = here();
  std::vector<const Placed*> all;
  for (const auto& [stream, number] : done.last()) {
    if (const Placed* const last = last_of(stream, number)) all.push_back(last);
  }
  origin.after = latest(all);
  return origin;
}

OperationOrigin Origins::of_wait_for_all() {
  StreamClock all;
  for (const auto& [stream, placed] : placed_) all.add(stream, placed.back().number);
  OperationOrigin origin = of_wait(all);
  placed_.clear();  // nothing later waits for these
  return origin;
}

}  // namespace warpsim::cudart
