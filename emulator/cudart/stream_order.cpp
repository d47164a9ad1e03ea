#include "emulator/cudart/stream_order.h"

#include <algorithm>
#include <utility>

#include "emulator/cudart/streams.h"

namespace warpsim::cudart {

bool StreamTable::is_legacy(const Stream& stream) const {
  return std::ranges::any_of(defaults_,
                             [&](const Defaults& one) { return &one.legacy == &stream; });
}

StreamClock StreamTable::all_of(Stream& stream) {
  StreamClock result = stream.before;
  if (!is_legacy(stream)) return result;
  for (const auto& [handle, other] : streams_) {
    if (other->device == stream.device && other->blocking()) result.join(other->before);
  }
  return result;
}

void StreamTable::forget_order() {
  for (Defaults& defaults : defaults_) {
    defaults.legacy.before = {};
    defaults.all = {};
  }
  for (const auto& [handle, stream] : streams_) stream->before = {};
  any_destroyed_ = false;
}

/// The place of work that is submitted to the stream now, without a number.
StreamWork StreamTable::order_of(Stream& stream, const Work& work) {
  Defaults& defaults = of(stream.device);
  StreamWork order = {.stream = stream.id,
                      .device = stream.device,
                      .in_default_stream = &stream == &defaults.legacy,
                      .done = all_of(stream)};
  if (stream.blocking()) order.done.join(defaults.legacy.before);
  for (const int device : work.also_on) order.done.join(all_of(of(device).legacy));
  return order;
}

StreamTable::Submitted StreamTable::put_in_order(Stream& stream, Work work) {
  StreamWork order = order_of(stream, work);
  order.number = ++submitted_;
  order.done.add(order.stream, order.number);
  stream.before.join(order.done);
  of(stream.device).all.join(order.done);
  for (const int device : work.also_on) {
    of(device).all.join(order.done);
    of(device).legacy.before.join(order.done);
  }
  return {std::move(order), std::move(work)};
}

/// Passes on to what comes after the work what it has joined while it ran, and its time.
void StreamTable::ended(const StreamWork& order) {
  const auto pass_on = [&](StreamClock& clock) {
    if (clock.has(order.stream, order.number)) clock.join(order.done);
  };
  for (Defaults& defaults : defaults_) {
    pass_on(defaults.legacy.before);
    pass_on(defaults.all);
  }
  // The stream itself may have been destroyed by a host function.
  for (const auto& [handle, stream] : streams_) pass_on(stream->before);
  for (Submitted& submitted : deferred_) pass_on(submitted.order.done);
}

cudaError_t StreamTable::run(const Submitted& submitted) {
  const StreamWork outer = std::exchange(running_, submitted.order);  // a host function may call
  const cudaError_t result = submitted.work.run();
  ended(running_);
  running_ = outer;
  return result;
}

}  // namespace warpsim::cudart
