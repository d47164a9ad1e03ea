#include "grader/show/report/speed_section.h"

#include <fmt/core.h>

#include <algorithm>

#include "grader/core/text.h"
#include "grader/judge/speed/speed.h"
#include "grader/show/report/timeline_picture.h"
#include "grader/show/report/wording.h"

namespace warpgrade {
namespace {

constexpr std::size_t kShownGains = 3;  // on a terminal

double percent_of(double ms, const SpeedReport& speed) {
  return speed.ms > 0 ? 100 * ms / speed.ms : 0;
}

std::string percent_text(double percent) {
  return percent >= 0.95 ? fmt::format("{:.0f} %", percent) : std::string("< 1 %");
}

/// Explains a cause to readers who do not know docs/cost-model.md.
std::string meaning(const std::string& cause) {
  if (cause == "launches") return "launching kernels and blocks";
  if (cause == "global memory")
    return "sectors transferred by loads and stores, through both caches";
  if (cause == "shared memory") return "shared-memory wavefronts";
  if (cause == "instructions") return "issue slots and arithmetic units";
  if (cause == "barriers") return "warps waiting for other warps of their block";
  if (cause == "waiting") return "warps waiting for loads and earlier instructions";
  if (cause == "atomics") return "serialized updates of one location";
  if (cause == "tail") return "the last wave of blocks leaves multiprocessors idle";
  if (cause == "idle") return "too few blocks or warps to keep the device busy";
  return "";
}

PageData part_rows(const SpeedReport& speed) {
  PageData rows(PageData::type::list);
  for (const TimePart& part : speed.parts) {
    const double percent = percent_of(part.ms, speed);
    rows.push_back(texts({{"cause", part.cause},
                          {"class", replace_all(part.cause, " ", "-")},
                          {"width", fmt::format("{:.2f}", percent)},
                          {"percent", percent_text(percent)},
                          {"ms", fmt::format("{:.4g}", part.ms)},
                          {"meaning", meaning(part.cause)}}));
  }
  return rows;
}

PageData gain_rows(const SpeedReport& speed, const Pages& pages) {
  PageData rows(PageData::type::list);
  for (const WhatIf& gain : speed.what_if) {
    PageData row = texts({{"times", fmt::format("{:.1f}", gain.times_faster)},
                          {"condition", gain.condition},
                          {"ms", fmt::format("{:.4g}", gain.ms)}});
    set_pitfall(row, gain.pitfall, pages);
    rows.push_back(std::move(row));
  }
  return rows;
}

PageData access_rows(const SpeedReport& speed) {
  PageData rows(PageData::type::list);
  for (const AccessLine& access : speed.accesses) {
    rows.push_back(texts({{"place", fmt::format("{}:{}", access.file, access.line)},
                          {"asked", grouped(access.sectors_asked)},
                          {"needed", grouped(access.sectors_needed)},
                          {"percent", percent_text(percent_of(access.ms, speed))}}));
  }
  return rows;
}

PageData note_rows(const SpeedReport& speed) {
  PageData rows(PageData::type::list);
  for (const OccupancyNote& note : speed.occupancy) {
    rows.push_back(texts({{"kernel", replace_all(note.kernel, "(anonymous namespace)::", "")},
                          {"percent", fmt::format("{:.0f} %", note.percent)},
                          {"comment", note.comment}}));
  }
  return rows;
}

}  // namespace

PageData speed_section(const SpeedReport& speed, const Pages& pages) {
  PageData data = texts({{"case", case_phrase(speed.name)},
                         {"ms", fmt::format("{:.4g}", speed.ms)},
                         {"words", split_words(speed)}});
  data.set("parts", part_rows(speed));
  set_list(data, "gains", gain_rows(speed, pages));
  set_list(data, "accesses", access_rows(speed));
  set_list(data, "notes", note_rows(speed));
  data.set("timeline", false);
  if (const std::string svg = timeline_svg(speed); !svg.empty()) {
    PageData timeline = texts({{"ms", fmt::format("{:.4g}", speed.timeline_ms)},
                               {"overlap", fmt::format("{:.4g}", speed.overlap_ms)}});
    timeline.set("svg", svg);
    data.set("timeline", std::move(timeline));
  }
  return data;
}

std::vector<std::string> speed_lines(const SpeedReport& speed) {
  std::vector<std::string> lines = {
      fmt::format("{:.4g} ms modelled: {}", speed.ms, split_words(speed))};
  for (std::size_t i = 0; i < std::min(kShownGains, speed.what_if.size()); ++i) {
    lines.push_back(gain_words(speed.what_if[i]));
  }
  return lines;
}

}  // namespace warpgrade
