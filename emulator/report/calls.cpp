#include "emulator/report/calls.h"

#include <algorithm>
#include <map>

namespace warpsim {
namespace {

/// More than a page can show side by side, and 8 KB of a recording.
constexpr std::size_t kMostCalls = 200;

}  // namespace

recording::Calls to_calls(const Timeline& timeline,
                          const std::function<std::uint32_t(const std::string&)>& file_number) {
  recording::Calls calls;
  calls.left_out = timeline.left_out();
  calls.end_ms = std::max(timeline.end_ms(), timeline.host_ms());
  const auto& call = timeline.call();
  if (call) {
    calls.begin_ms = call->begin_ms;
    calls.end_ms = call->end_ms;
  }
  calls.overlap_ms = timeline.overlap_ms();
  std::map<std::size_t, std::uint32_t> numbers;  // of operations among the calls
  for (std::size_t i = 0; i < timeline.operations().size(); ++i) {
    const TimelineOperation& one = timeline.operations()[i];
    if (call && (one.end_ms <= call->begin_ms || one.begin_ms > call->end_ms)) continue;
    if (calls.list.size() == kMostCalls) {
      ++calls.left_out;
      continue;
    }
    numbers[i] = static_cast<std::uint32_t>(calls.list.size());
    recording::Call& made = calls.list.emplace_back();
    made.kind = static_cast<std::uint8_t>(one.kind);
    made.name = one.name;
    made.device = static_cast<std::uint32_t>(one.device);
    made.stream = one.stream;
    made.engine = static_cast<std::uint8_t>(one.engine);
    if (one.between) {
      made.between = {static_cast<std::uint32_t>(one.between->from),
                      static_cast<std::uint32_t>(one.between->to)};
    }
    made.bytes = one.bytes;
    made.pageable = one.pageable;
    made.ready_ms = one.ready_ms;
    made.begin_ms = one.begin_ms;
    made.end_ms = one.end_ms;
    made.line = one.origin.line;
    made.file = one.origin.line == 0 ? 0 : file_number(one.origin.file);
    for (const std::size_t before : one.origin.after) {
      const auto number = numbers.find(before);
      if (number != numbers.end()) made.after.push_back(number->second);
    }
  }
  return calls;
}

}  // namespace warpsim
