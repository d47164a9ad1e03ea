#include "emulator/report/trace.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

namespace warpsim {
namespace {

using Json = nlohmann::ordered_json;

// Processes of the trace: the host is the first; a device has two.
constexpr int kHost = 1;
int streams_of(int device) {
  return kHost + 1 + 2 * device;
}
int engines_of(int device) {
  return kHost + 2 + 2 * device;
}

/// A name for a process, or for a thread of one.
Json name_event(const char* what, int process, std::uint64_t thread, const std::string& name) {
  return {
      {"ph", "M"}, {"name", what}, {"pid", process}, {"tid", thread}, {"args", {{"name", name}}}};
}

Json complete_event(const TimelineOperation& one, int process, std::uint64_t thread) {
  constexpr double kMicroseconds = 1e3;
  Json event = {{"ph", "X"},
                {"name", one.name},
                {"cat", slug(one.kind)},
                {"pid", process},
                {"tid", thread},
                {"ts", one.begin_ms * kMicroseconds},
                {"dur", (one.end_ms - one.begin_ms) * kMicroseconds}};
  if (one.bytes != 0) event["args"] = {{"bytes", one.bytes}, {"pageable", one.pageable}};
  return event;
}

}  // namespace

Json to_trace(const Timeline& timeline) {
  Json events = Json::array();
  std::set<std::tuple<int, std::uint64_t>> named;
  const auto name_lane = [&](int process, std::uint64_t thread, const std::string& name) {
    if (named.insert({process, thread}).second) {
      events.push_back(name_event("thread_name", process, thread, name));
    }
  };
  events.push_back(name_event("process_name", kHost, 0, "host"));
  for (int device = 0; device < timeline.devices(); ++device) {
    events.push_back(name_event("process_name", streams_of(device), 0,
                                fmt::format("device {}, streams", device)));
    events.push_back(name_event("process_name", engines_of(device), 0,
                                fmt::format("device {}, engines", device)));
  }
  for (const TimelineOperation& one : timeline.operations()) {
    if (one.kind == OperationKind::host_wait) {
      name_lane(kHost, 0, "host");
      events.push_back(complete_event(one, kHost, 0));
      continue;
    }
    const int streams = streams_of(one.device);
    name_lane(streams, one.stream,
              one.stream == 0 ? "default stream" : fmt::format("stream {}", one.stream));
    events.push_back(complete_event(one, streams, one.stream));
    if (one.engine == EngineKind::none) continue;
    const auto add = [&](int device, EngineKind engine) {
      const auto lane = static_cast<std::uint64_t>(engine);
      name_lane(engines_of(device), lane, std::string(slug(engine)));
      events.push_back(complete_event(one, engines_of(device), lane));
    };
    add(one.between ? one.between->from : one.device, one.engine);
    if (one.between) add(one.between->to, EngineKind::copy_to_device);
  }
  return {{"traceEvents", std::move(events)}, {"displayTimeUnit", "ms"}};
}

}  // namespace warpsim
