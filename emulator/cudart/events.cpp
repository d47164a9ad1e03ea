#include "emulator/cudart/events.h"

#include "emulator/cudart/api.h"
#include "emulator/cudart/call_record.h"

namespace warpsim::cudart {

cudaEvent_t EventTable::create(unsigned flags) {
  auto event = std::make_unique<Event>();
  event->device = current_device();
  event->flags = flags;
  auto* handle = reinterpret_cast<cudaEvent_t>(event.get());
  events_[handle] = std::move(event);
  return handle;
}

Event* EventTable::find(cudaEvent_t handle) {
  const auto found = events_.find(handle);
  return found == events_.end() ? nullptr : found->second.get();
}

Work record_work(Runtime& runtime, cudaEvent_t handle) {
  return {.type = cudaGraphNodeTypeEventRecord,
          .run =
              [&runtime, handle] {
                Event* event = runtime.events.find(handle);
                if (event == nullptr) return cudaErrorInvalidResourceHandle;
                event->time_ms = runtime.time.event();
                event->recorded = true;
                event->done = runtime.streams.running().done;
                return cudaSuccess;
              },
          .parameters = handle};
}

namespace {

constexpr unsigned kEventFlags =
    cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;

cudaError_t create_event(Call& call, cudaEvent_t* event, unsigned flags) {
  if (event == nullptr || (flags & ~kEventFlags) != 0) return cudaErrorInvalidValue;
  const bool interprocess = (flags & unsigned{cudaEventInterprocess}) != 0;
  if (interprocess && (flags & unsigned{cudaEventDisableTiming}) == 0) return cudaErrorInvalidValue;
  *event = call.runtime.events.create(flags);
  return cudaSuccess;
}

cudaError_t record_event(Call& call, cudaEvent_t handle, cudaStream_t stream, unsigned flags) {
  Runtime& runtime = call.runtime;
  if ((flags & ~unsigned{cudaEventRecordExternal}) != 0) return cudaErrorInvalidValue;
  Event* event = runtime.events.find(handle);
  const Stream* in = runtime.streams.find(stream);
  if (event == nullptr || in == nullptr) return cudaErrorInvalidResourceHandle;
  if (event->device != in->device) return cudaErrorInvalidResourceHandle;
  if (in->capture && flags != cudaEventRecordExternal) {
    // In a capture an event only defines an order.
    event->capture = in->capture;
    event->frontier = in->frontier;
    return cudaSuccess;
  }
  if (!in->capture) event->capture.reset();
  // Where a kernel waits, the work that records it may run later; whoever waits for the event knows
  // what it stands for now.
  if (runtime.streams.kernel_waits()) {
    event->done = runtime.streams.all_of(*runtime.streams.find(stream));
    event->recorded = true;
  }
  return runtime.streams.submit(stream, record_work(runtime, handle));
}

cudaError_t wait_event(Call& call, cudaStream_t stream, cudaEvent_t handle, unsigned flags) {
  if ((flags & ~unsigned{cudaEventWaitExternal}) != 0) return cudaErrorInvalidValue;
  Stream* waiting = call.runtime.streams.find(stream);
  const Event* event = call.runtime.events.find(handle);
  if (waiting == nullptr || event == nullptr) return cudaErrorInvalidResourceHandle;
  const auto capture = event->capture.lock();
  if (!capture) {
    call.runtime.streams.wait(*waiting, event->done);
    if (!waiting->capture || !event->recorded || flags == cudaEventWaitExternal) return cudaSuccess;
    waiting->capture->invalidated = true;
    return cudaErrorStreamCaptureIsolation;
  }
  // Waiting for a captured event makes the stream join the capture.
  if (waiting->capture && waiting->capture != capture) {
    waiting->capture->invalidated = true;
    capture->invalidated = true;
    return cudaErrorStreamCaptureMerge;
  }
  waiting->capture = capture;
  auto& frontier = waiting->frontier;
  frontier.insert(frontier.end(), event->frontier.begin(), event->frontier.end());
  return cudaSuccess;
}

cudaError_t elapsed(Call& call, float* ms, cudaEvent_t start, cudaEvent_t end) {
  if (ms == nullptr) return cudaErrorInvalidValue;
  const Event* from = call.runtime.events.find(start);
  const Event* to = call.runtime.events.find(end);
  const auto timed = [](const Event* event) {
    return event != nullptr && event->recorded && (event->flags & cudaEventDisableTiming) == 0;
  };
  if (!timed(from) || !timed(to)) return cudaErrorInvalidResourceHandle;
  if (from->device != to->device) return cudaErrorInvalidResourceHandle;
  // Succeeds if both have completed.
  const StreamTable& streams = call.runtime.streams;
  if (streams.waits_for_kernel(from->done) || streams.waits_for_kernel(to->done)) {
    return cudaErrorNotReady;
  }
  call.runtime.completed(from->done);
  call.runtime.completed(to->done);
  *ms = static_cast<float>(to->time_ms - from->time_ms);
  // A kernel's time may depend on its data.
  if (CallRecord* const record = call.runtime.recording()) record->host_learns(sizeof *ms);
  return cudaSuccess;
}

/// All earlier work is done, so a valid event has completed, unless it is a captured one.
cudaError_t happened(Call& call, cudaEvent_t handle) {
  const Event* event = call.runtime.events.find(handle);
  if (event == nullptr) return cudaErrorInvalidResourceHandle;
  if (!event->capture.expired()) return cudaErrorCapturedEvent;
  if (call.runtime.streams.waits_for_kernel(event->done)) {
    call.runtime.streams.ask_to_wait();
    return cudaErrorNotReady;
  }
  call.runtime.waited_for(event->done, call.name);
  return cudaSuccess;
}

}  // namespace
}  // namespace warpsim::cudart

using namespace warpsim::cudart;

extern "C" {

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return api(__func__, [&](Call& call) { return create_event(call, event, cudaEventDefault); });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return api(__func__, [&](Call& call) { return create_event(call, event, flags); });
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return api(__func__, [&](Call& call) {
    return call.runtime.events.destroy(event) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return api(__func__, [&](Call& call) { return record_event(call, event, stream, 0); });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  return api(__func__, [&](Call& call) { return record_event(call, event, stream, flags); });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return api(__func__, [&](Call& call) {
    const cudaError_t result = happened(call, event);
    (void)call.runtime.streams.take_must_wait();
    return result;
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return api(__func__, [&](Call& call) { return happened(call, event); });
}

cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t end) {
  return api(__func__, [&](Call& call) { return elapsed(call, ms, start, end); });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return api(__func__, [&](Call& call) { return wait_event(call, stream, event, flags); });
}

}  // extern "C"

WARPSIM_TWIN(cudaEventRecord, _ptsz)
WARPSIM_TWIN(cudaEventRecordWithFlags, _ptsz)
WARPSIM_TWIN(cudaStreamWaitEvent, _ptsz)
