#include "emulator/cudart/stream_order.h"

#include <algorithm>

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

cudaError_t StreamTable::run(Stream& stream, const Work& work) {
  Defaults& defaults = of(stream.device);
  const StreamWork outer = running_;  // a host function may have called
  const std::uint64_t id = stream.id;
  const bool is_default = &stream == &defaults.legacy;
  running_ = {.stream = id,
              .device = stream.device,
              .in_default_stream = is_default,
              .number = ++submitted_,
              .done = all_of(stream)};
  if (stream.blocking()) running_.done.join(defaults.legacy.before);
  for (const int device : work.also_on) running_.done.join(all_of(of(device).legacy));
  running_.done.add(id, running_.number);
  stream.before.join(running_.done);
  const cudaError_t result = work.run();
  // The work may have been deferred, and a host function may have destroyed the stream.
  for (const auto& [handle, other] : streams_) {
    if (other->id == id) other->before.join(running_.done);
  }
  if (is_default) defaults.legacy.before.join(running_.done);
  defaults.all.join(running_.done);
  for (const int device : work.also_on) {
    of(device).all.join(running_.done);
    of(device).legacy.before.join(running_.done);
  }
  running_ = outer;
  return result;
}

}  // namespace warpsim::cudart
