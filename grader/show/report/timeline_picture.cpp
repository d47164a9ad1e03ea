#include "grader/show/report/timeline_picture.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "grader/core/text.h"

namespace warpgrade {
namespace {

constexpr double kLabelWidth = 150;
constexpr double kWidth = 850;  // of the bars
constexpr double kLaneHeight = 22;
constexpr double kBarHeight = 14;
constexpr double kThinnest = 0.7;

/// The place of a lane among the others: the host, the streams by device and number, the engines.
std::tuple<int, int, bool, std::size_t, std::string> lane_order(const std::string& lane) {
  constexpr std::string_view kDevice = "device ";
  const int group = lane == "host" ? 0 : lane.starts_with("engine") ? 2 : 1;
  const int device = lane.starts_with(kDevice) ? std::atoi(lane.c_str() + kDevice.size()) : 0;
  const bool numbered = !lane.ends_with("default stream");
  return {group, device, numbered, lane.size(), lane};  // "stream 2" before "stream 10"
}

std::vector<std::string> lanes_of(const SpeedReport& speed) {
  std::vector<std::string> lanes;
  for (const TimelineBar& bar : speed.timeline) {
    if (std::ranges::find(lanes, bar.lane) == lanes.end()) lanes.push_back(bar.lane);
  }
  std::ranges::sort(lanes, {}, lane_order);
  return lanes;
}

}  // namespace

std::string timeline_svg(const SpeedReport& speed) {
  if (speed.timeline.empty() || !(speed.timeline_ms > 0)) {
    return "";
  }
  const std::vector<std::string> lanes = lanes_of(speed);
  const double high = kLaneHeight * (static_cast<double>(lanes.size()) + 1);
  std::string svg = fmt::format(
      "<svg class=\"timeline\" role=\"img\" aria-label=\"Modelled timeline of {:.4g} ms: one lane "
      "per stream and one per engine\" viewBox=\"0 0 {} {}\">",
      speed.timeline_ms, kLabelWidth + kWidth, high);
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    const double top = static_cast<double>(i) * kLaneHeight;
    svg += fmt::format(
        "<text x=\"0\" y=\"{:g}\">{}</text><path class=\"lane\" d=\"M{:g} {:g}h{:g}\"/>", top + 15,
        escaped_html(lanes[i]), kLabelWidth, top + kLaneHeight, kWidth);
  }
  for (const TimelineBar& bar : speed.timeline) {
    const auto lane = std::ranges::find(lanes, bar.lane) - lanes.begin();
    const double left = std::clamp(bar.begin_ms / speed.timeline_ms, 0.0, 1.0) * kWidth;
    const double right = std::clamp(bar.end_ms / speed.timeline_ms, 0.0, 1.0) * kWidth;
    svg += fmt::format(
        "<rect class=\"t-{}\" x=\"{:.2f}\" y=\"{:g}\" width=\"{:.2f}\" height=\"{:g}\"><title>{}: "
        "{:.4g} to {:.4g} ms</title></rect>",
        escaped_html(bar.kind), kLabelWidth + left, static_cast<double>(lane) * kLaneHeight + 4,
        std::max(right - left, kThinnest), kBarHeight, escaped_html(bar.name), bar.begin_ms,
        bar.end_ms);
  }
  return svg + fmt::format(
                   "<text x=\"{:g}\" y=\"{:g}\">0</text><text class=\"end\" x=\"{:g}\" "
                   "y=\"{:g}\">{:.4g} ms</text></svg>",
                   kLabelWidth, high - 6, kLabelWidth + kWidth, high - 6, speed.timeline_ms);
}

}  // namespace warpgrade
