#include "emulator/cudart/streams.h"

#include <algorithm>
#include <utility>

#include "emulator/cudart/api.h"
#include "emulator/cudart/graphs.h"

namespace warpsim::cudart {

StreamTable::StreamTable(int devices) : defaults_(static_cast<std::size_t>(devices)) {
  for (Defaults& defaults : defaults_) {
    defaults.legacy.device = static_cast<int>(&defaults - defaults_.data());
    defaults.legacy.id = next_id_;
    next_id_ += 2;
  }
}

cudaStream_t StreamTable::create(unsigned flags, int priority) {
  return create_on(current_device(), flags, priority);
}

cudaStream_t StreamTable::create_on(int device, unsigned flags, int priority) {
  auto stream = std::make_unique<Stream>();
  stream->id = next_id_++;
  stream->device = device;
  stream->flags = flags;
  stream->priority = std::clamp(priority, kGreatestPriority, kLeastPriority);
  auto* handle = reinterpret_cast<cudaStream_t>(stream.get());
  streams_[handle] = std::move(stream);
  return handle;
}

Stream& StreamTable::of_thread(int device) {
  cudaStream_t& handle = of(device).of_threads[thread_number()];
  if (handle == nullptr) handle = create_on(device, cudaStreamDefault, 0);
  return *streams_.find(handle)->second;
}

bool StreamTable::destroy(cudaStream_t handle) {
  const auto found = streams_.find(handle);
  if (found == streams_.end()) return false;
  // The default stream still waits for the destroyed stream's work.
  const Stream& stream = *found->second;
  if (stream.blocking()) of(stream.device).legacy.before.join(stream.before);
  streams_.erase(found);
  any_destroyed_ = true;
  return true;
}

void StreamTable::reset(int device) {
  std::erase_if(streams_, [&](const auto& entry) { return entry.second->device == device; });
  Defaults& defaults = of(device);
  defaults.of_threads.clear();
  const std::uint64_t id = defaults.legacy.id;
  defaults.legacy = Stream();
  defaults.legacy.id = id;
  defaults.legacy.device = device;
}

Stream* StreamTable::find(cudaStream_t handle, int device) {
  if (handle == cudaStreamPerThread) return &of_thread(device);
  if (handle == nullptr && DefaultStreamOfCall::is_per_thread()) return &of_thread(device);
  if (handle == nullptr || handle == cudaStreamLegacy) return &of(device).legacy;
  const auto found = streams_.find(handle);
  return found == streams_.end() ? nullptr : found->second.get();
}

/// The legacy default stream waits for all blocking streams; while one of these is being captured
/// that is impossible, and the capture becomes invalid.
cudaError_t StreamTable::refuse_implicit_wait(int device) {
  cudaError_t result = cudaSuccess;
  for (const auto& [handle, stream] : streams_) {
    if (stream->device != device || !stream->capture || !stream->blocking()) continue;
    stream->capture->invalidated = true;
    result = cudaErrorStreamCaptureImplicit;
  }
  return result;
}

namespace {

bool is_part(const StreamWork& work, const StreamClock& clock) {
  return clock.has(work.stream, work.number);
}

}  // namespace

cudaError_t StreamTable::submit(cudaStream_t handle, Work work) {
  Stream* stream = find(handle);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (is_legacy(*stream)) {
    if (const cudaError_t error = refuse_implicit_wait(stream->device)) return error;
  }
  if (!stream->capture) {
    Submitted submitted = put_in_order(*stream, std::move(work));
    if (must_be_deferred(submitted)) {
      deferred_.push_back(std::move(submitted));
      return cudaSuccess;
    }
    if (submitted.work.may_wait) return run_beside_host(std::move(submitted));
    const cudaError_t result = run(submitted);
    run_deferred();
    return result;
  }
  if (stream->capture->invalidated) return cudaErrorStreamCaptureInvalidated;
  stream->frontier = {&stream->capture->graph->add(std::move(work), stream->frontier)};
  return cudaSuccess;
}

/// @param submitted  new work, or deferred work
bool StreamTable::must_be_deferred(const Submitted& submitted) const {
  if (!kernel_waits()) return false;
  if (submitted.work.may_wait && !HostProgram::get().several_can_wait()) return true;
  const StreamClock& clock = submitted.order.done;
  if (std::ranges::any_of(waiting_, [&](const auto& work) { return is_part(work, clock); })) {
    return true;
  }
  for (const Submitted& earlier : deferred_) {
    if (&earlier == &submitted) break;
    if (is_part(earlier.order, clock)) return true;
  }
  return false;
}

/// Runs the work where the program may continue while its kernel waits.
cudaError_t StreamTable::run_beside_host(Submitted submitted) {
  const auto result = std::make_shared<cudaError_t>(cudaSuccess);
  HostProgram::get().run_beside([this, result, work = std::move(submitted)] {
    *result = run(work);
    run_deferred();
  });
  return *result;
}

/// Runs work submitted while a kernel waited, in call order.
void StreamTable::run_deferred() {
  if (deferred_.empty()) return;
  Runtime& runtime = Runtime::get();
  const Call* const call =
      std::exchange(runtime.call_in_progress, nullptr);  // it is not of this one
  for (;;) {
    const auto next = std::ranges::find_if(
        deferred_, [&](const Submitted& submitted) { return !must_be_deferred(submitted); });
    if (next == deferred_.end()) break;
    const Submitted submitted = std::move(*next);
    deferred_.erase(next);
    (void)run(submitted);
  }
  runtime.call_in_progress = call;
}

void StreamTable::kernel_waits_here() {
  const bool known = std::ranges::any_of(
      waiting_, [&](const StreamWork& work) { return work.number == running_.number; });
  if (!known) waiting_.push_back(running_);
}

void StreamTable::kernel_ended() {
  std::erase_if(waiting_, [&](const StreamWork& work) { return work.number == running_.number; });
}

bool StreamTable::waits_for_kernel(const StreamClock& clock) const {
  return std::ranges::any_of(waiting_, [&](const auto& work) { return is_part(work, clock); }) ||
         std::ranges::any_of(deferred_,
                             [&](const auto& work) { return is_part(work.order, clock); });
}

bool StreamTable::would_wait(cudaStream_t handle) {
  Stream* const stream = find(handle);
  return stream != nullptr && waits_for_kernel(order_of(*stream, {}).done);
}

bool StreamTable::capturing(cudaStream_t handle) {
  const Stream* stream = find(handle);
  return stream != nullptr && stream->capture != nullptr;
}

void StreamTable::begin_capture(Stream& stream, cudaStream_t handle, cudaStreamCaptureMode mode,
                                Graph& graph, bool owns_graph) {
  stream.capture = std::make_shared<Capture>(Capture{.id = next_capture_++,
                                                     .origin = handle,
                                                     .mode = mode,
                                                     .graph = &graph,
                                                     .owns_graph = owns_graph});
}

void StreamTable::end_capture(const Capture& capture) {
  const auto leave = [&](Stream& stream) {
    if (stream.capture.get() != &capture) return;
    stream.capture.reset();
    stream.frontier.clear();
  };
  // The caller holds a reference to the capture; the streams release theirs.
  for (Defaults& defaults : defaults_) leave(defaults.legacy);
  for (const auto& [handle, stream] : streams_) leave(*stream);
}

cudaError_t StreamTable::refuse_while_capturing() {
  cudaError_t result = cudaSuccess;
  for (const auto& [handle, stream] : streams_) {
    if (!stream->capture || stream->capture->mode != cudaStreamCaptureModeGlobal) continue;
    stream->capture->invalidated = true;
    result = cudaErrorStreamCaptureUnsupported;
  }
  return result;
}

namespace {

/// A host function runs after all earlier work, and may notify other threads.
void tell_host() {
  Runtime& runtime = Runtime::get();
  runtime.time.host_function();
  runtime.completed(runtime.streams.running().done);
}

}  // namespace

Work host_work(const cudaHostNodeParams& parameters) {
  return {.type = cudaGraphNodeTypeHost,
          .run =
              [parameters] {
                tell_host();
                HostProgram::get().call(parameters.fn, parameters.userData);
                return cudaSuccess;
              },
          .parameters = parameters};
}

namespace {

cudaError_t create_stream(Call& call, cudaStream_t* stream, unsigned flags, int priority) {
  if (stream == nullptr || (flags & ~unsigned{cudaStreamNonBlocking}) != 0) {
    return cudaErrorInvalidValue;
  }
  *stream = call.runtime.streams.create(flags, priority);
  return cudaSuccess;
}

/// For calls that wait for a stream or ask whether it is done: all work before them is.
cudaError_t finished(Call& call, cudaStream_t stream) {
  Stream* found = call.runtime.streams.find(stream);
  if (found == nullptr) return cudaErrorInvalidResourceHandle;
  if (!found->capture) {
    StreamTable& streams = call.runtime.streams;
    const StreamClock all = streams.all_of(*found);
    if (streams.waits_for_kernel(all)) {
      streams.ask_to_wait();
    } else {
      call.runtime.waited_for(all, call.name);
    }
    return cudaSuccess;
  }
  found->capture->invalidated = true;
  return cudaErrorStreamCaptureUnsupported;
}

/// Applies `read` to a stream and stores its result through `out`.
template <class Out, class Read>
cudaError_t read_stream(Call& call, cudaStream_t stream, Out* out, Read read) {
  const Stream* found = call.runtime.streams.find(stream);
  if (found == nullptr) return cudaErrorInvalidResourceHandle;
  if (out == nullptr) return cudaErrorInvalidValue;
  *out = read(*found);
  return cudaSuccess;
}

bool is_stream_attribute(cudaLaunchAttributeID id) {
  return id == cudaLaunchAttributeAccessPolicyWindow ||
         id == cudaLaunchAttributeSynchronizationPolicy || id == cudaLaunchAttributePriority ||
         id == cudaLaunchAttributeMemSyncDomainMap || id == cudaLaunchAttributeMemSyncDomain;
}

cudaLaunchAttributeValue default_attribute(const Stream& stream, cudaLaunchAttributeID id) {
  cudaLaunchAttributeValue value = {};
  if (id == cudaLaunchAttributePriority) value.priority = stream.priority;
  if (id == cudaLaunchAttributeSynchronizationPolicy) value.syncPolicy = cudaSyncPolicyAuto;
  return value;
}

}  // namespace
}  // namespace warpsim::cudart

using namespace warpsim::cudart;

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return api(__func__,
             [&](Call& call) { return create_stream(call, stream, cudaStreamDefault, 0); });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return api(__func__, [&](Call& call) { return create_stream(call, stream, flags, 0); });
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return api(__func__, [&](Call& call) { return create_stream(call, stream, flags, priority); });
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return api(__func__, [&](Call& call) {
    return call.runtime.streams.destroy(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return api(__func__, [&](Call& call) { return finished(call, stream); });
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return api(__func__, [&](Call& call) {
    StreamTable& streams = call.runtime.streams;
    Stream* const found = streams.find(stream);
    if (found != nullptr && streams.waits_for_kernel(streams.all_of(*found))) {
      return cudaErrorNotReady;
    }
    return finished(call, stream);
  });
}

/// Hints about caches and waiting: stored and returned, otherwise without effect.
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID id,
                                   const cudaLaunchAttributeValue* value) {
  return api(__func__, [&](Call& call) {
    Stream* found = call.runtime.streams.find(stream);
    if (found == nullptr) return cudaErrorInvalidResourceHandle;
    if (value == nullptr || !is_stream_attribute(id)) return cudaErrorInvalidValue;
    found->attributes[id] = *value;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID id,
                                   cudaLaunchAttributeValue* value) {
  return api(__func__, [&](Call& call) {
    if (!is_stream_attribute(id)) return cudaErrorInvalidValue;
    return read_stream(call, stream, value, [&](const Stream& s) {
      const auto set = s.attributes.find(id);
      return set == s.attributes.end() ? default_attribute(s, id) : set->second;
    });
  });
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t destination, cudaStream_t source) {
  return api(__func__, [&](Call& call) {
    Stream* to = call.runtime.streams.find(destination);
    const Stream* from = call.runtime.streams.find(source);
    if (to == nullptr || from == nullptr) return cudaErrorInvalidResourceHandle;
    to->attributes = from->attributes;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  return api(__func__, [&](Call& call) {
    return read_stream(call, stream, device, [](const Stream& s) { return s.device; });
  });
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return api(__func__, [&](Call& call) {
    return read_stream(call, stream, priority, [](const Stream& s) { return s.priority; });
  });
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  return api(__func__, [&](Call& call) {
    return read_stream(call, stream, flags, [](const Stream& s) { return s.flags; });
  });
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  return api(__func__, [&](Call& call) {
    return read_stream(call, stream, id, [](const Stream& s) { return s.id; });
  });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return api(__func__, [&](Call&) {
    if (least != nullptr) *least = StreamTable::kLeastPriority;
    if (greatest != nullptr) *greatest = StreamTable::kGreatestPriority;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                  void* user_data, unsigned flags) {
  return api(__func__, [&](Call& call) {
    if (callback == nullptr || flags != 0) return cudaErrorInvalidValue;
    // Cannot be captured: a graph's host nodes are made by cudaLaunchHostFunc.
    if (Stream* in = call.runtime.streams.find(stream); in != nullptr && in->capture) {
      in->capture->invalidated = true;
      return cudaErrorStreamCaptureUnsupported;
    }
    return call.runtime.streams.submit(stream, {.run = [=] {
                                         tell_host();
                                         HostProgram::get().call(callback, stream, user_data);
                                         return cudaSuccess;
                                       }});
  });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* user_data) {
  return api(__func__, [&](Call& call) {
    if (function == nullptr) return cudaErrorInvalidValue;
    return call.runtime.streams.submit(stream, host_work({.fn = function, .userData = user_data}));
  });
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, size_t length,
                                     unsigned flags) {
  return api(__func__, [&](Call& call) {
    if (call.runtime.streams.find(stream) == nullptr) return cudaErrorInvalidResourceHandle;
    const bool is_default = stream == nullptr || stream == cudaStreamLegacy;
    const bool fits = flags == cudaMemAttachGlobal || flags == cudaMemAttachHost ||
                      (flags == cudaMemAttachSingle && !is_default);
    if (!fits) return cudaErrorInvalidValue;
    const auto* allocation = call.runtime.memory.find(reinterpret_cast<std::uint64_t>(pointer));
    const bool managed =
        allocation != nullptr && allocation->kind == warpsim::GlobalMemory::Kind::managed;
    // Only whole allocations can be attached.
    const bool whole = managed && (length == 0 || length == allocation->size);
    return whole ? cudaSuccess : cudaErrorInvalidValue;
  });
}

}  // extern "C"

WARPSIM_TWIN(cudaStreamSynchronize, _ptsz)
WARPSIM_TWIN(cudaStreamQuery, _ptsz)
WARPSIM_TWIN(cudaStreamSetAttribute, _ptsz)
WARPSIM_TWIN(cudaStreamGetAttribute, _ptsz)
WARPSIM_TWIN(cudaStreamCopyAttributes, _ptsz)
WARPSIM_TWIN(cudaStreamGetDevice, _ptsz)
WARPSIM_TWIN(cudaStreamGetPriority, _ptsz)
WARPSIM_TWIN(cudaStreamGetFlags, _ptsz)
WARPSIM_TWIN(cudaStreamGetId, _ptsz)
WARPSIM_TWIN(cudaStreamAddCallback, _ptsz)
WARPSIM_TWIN(cudaLaunchHostFunc, _ptsz)
WARPSIM_TWIN(cudaStreamAttachMemAsync, _ptsz)
