#include "emulator/cudart/stream_order.h"

#include "emulator/cudart/streams.h"

namespace warpsim::cudart {

/// Both default streams are the same, because programs compiled for the per-thread one use the same
/// handle as for the legacy one.
Stream& StreamTable::ordered_as(Stream& stream) {
  return &stream == &per_thread_stream_ ? default_stream_ : stream;
}

StreamClock StreamTable::all_of(Stream& stream) {
  const Stream& one = ordered_as(stream);
  StreamClock result = one.before;
  if (&one != &default_stream_) return result;
  for (const auto& [handle, other] : streams_) {
    if (other->blocking()) result.join(other->before);
  }
  return result;
}

void StreamTable::forget_order() {
  default_stream_.before = {};
  for (const auto& [handle, stream] : streams_) stream->before = {};
}

cudaError_t StreamTable::run(Stream& stream, const Work& work) {
  Stream& one = ordered_as(stream);
  const StreamWork outer = running_;  // a host function may have called
  const std::uint64_t id = one.id;
  running_ = {.stream = id, .number = ++submitted_, .done = all_of(one)};
  if (one.blocking()) running_.done.join(default_stream_.before);
  running_.done.add(id, running_.number);
  one.before.join(running_.done);
  const cudaError_t result = work.run();
  // The work may have been deferred, and a host function may have destroyed the stream.
  for (const auto& [handle, other] : streams_) {
    if (other->id == id) other->before.join(running_.done);
  }
  if (id == default_stream_.id) default_stream_.before.join(running_.done);
  running_ = outer;
  return result;
}

}  // namespace warpsim::cudart
