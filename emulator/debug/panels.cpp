#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <set>

#include "emulator/debug/session.h"
#include "emulator/machine/faults.h"
#include "emulator/machine/for_lanes.h"
#include "emulator/recording/base64.h"
#include "emulator/recording/page.h"

// Requests that the protocol does not have, for panels of editors: one expression across the lanes
// of a warp, the warps of a block with their states, and what the block has done.

namespace warpsim::debug {
namespace {

std::string state_name(WarpSplit::State state) {
  switch (state) {
    case WarpSplit::State::ready:
      return "ready";
    case WarpSplit::State::at_barrier:
      return "barrier";
    case WarpSplit::State::at_warp_sync:
      return "warp-sync";
    case WarpSplit::State::at_mbarrier:
      return "mbarrier";
    case WarpSplit::State::at_cluster_barrier:
      return "barrier-cluster";
  }
  return {};
}

Json as_list(const Dim3& dim) {
  return {dim.x, dim.y, dim.z};
}

}  // namespace

/// {expression, frameId?} -> one entry per lane, and over the active ones the smallest and largest
/// number and whether all are equal.
Json Session::lanes(const Json& arguments) {
  require_stop();
  const std::string expression = arguments.at("expression").get<std::string>();
  Thread thread = thread_of(arguments);
  const int frame = arguments.value("frameId", 0);
  const std::uint32_t active = frame > 0 ? frames_[static_cast<std::size_t>(frame) - 1].lanes
                                         : control_.stopped_warp()->warp.active;
  Json list = Json::array();
  std::set<std::string> texts;
  double least = std::numeric_limits<double>::infinity(), most = -least;
  bool numbers = true;
  std::string type;
  for (int lane = 0; lane < kWarpSize; ++lane) {
    thread.lane = lane;
    const bool is_active = ((active >> lane) & 1) != 0;
    Json row = {{"lane", lane}, {"active", is_active}};
    try {
      const Value value = value_of(thread, expression);
      row["value"] = show(thread, value);
      if (value.type != nullptr) type = value.type->name;
      if (is_active) {
        texts.insert(row["value"].get<std::string>());
        if (value.problem.empty() && value.type != nullptr && value.type->is_number()) {
          const double number = number_of(types_, thread, value);
          least = std::min(least, number);
          most = std::max(most, number);
        } else {
          numbers = false;
        }
      }
    } catch (const ExpressionError& error) {
      numbers = numbers && !is_active;
      if (is_active) texts.insert(error.what());
      row["problem"] = error.what();
    }
    list.push_back(std::move(row));
  }
  Json body = {{"expression", expression},
               {"type", type},
               {"warp", thread.warp->warp.warp_index},
               {"equal", texts.size() <= 1},
               {"lanes", std::move(list)}};
  // JSON has no infinities.
  if (numbers && std::isfinite(least) && std::isfinite(most)) {
    body["min"] = least;
    body["max"] = most;
  }
  return body;
}

/// {} -> the launch, and each warp of the block with the places of its lanes.
Json Session::block(const Json&) {
  require_stop();
  const LaunchState& launch = *control_.launch();
  const BlockContext& block = *control_.block();
  Json warps = Json::array();
  std::uint32_t left = launch.threads_per_block;
  for (const auto& warp : block.warps) {
    Json places = Json::array();
    for (const WarpSplit& split : warp->splits) {
      const Inst& at = instruction_of(split);
      const Place place = control_.lines(*split.frame->program).places(at.index).front();
      Json lanes = Json::array();
      for_lanes(split.mask, [&](std::size_t lane) { lanes.push_back(lane); });
      const bool runs = warp.get() == control_.stopped_warp() &&
                        &split == &warp->splits[std::min(warp->current, warp->splits.size() - 1)];
      places.push_back({{"lanes", std::move(lanes)},
                        {"state", runs ? "stopped" : state_name(split.state)},
                        {"file", place.file},
                        {"line", place.line}});
    }
    const std::uint32_t threads = std::min<std::uint32_t>(left, kWarpSize);
    left -= threads;
    warps.push_back({{"threadId", warp->warp.warp_index + 1},
                     {"warp", warp->warp.warp_index},
                     {"threads", threads},
                     {"text", state_of(*warp)},
                     {"places", std::move(places)}});
  }
  return {{"kernel", launch.kernel_name},      {"grid", as_list(launch.grid)},
          {"blockDim", as_list(launch.block)}, {"block", as_list(block.id)},
          {"lane", control_.lane()},           {"warps", std::move(warps)}};
}

Json Session::set_focus(const Json& arguments) {
  require_stop();
  const LaunchState& launch = *control_.launch();
  if (!arguments.contains("thread")) {
    WarpContext& warp = warp_of(arguments);
    const int lane = warp.splits.empty() ? 0 : std::countr_zero(warp.splits.front().mask);
    look_at(warp, arguments.value("lane", lane));
    return Json::object();
  }
  const auto thread = static_cast<std::uint32_t>(
      linear_in(launch.block, arguments.at("thread"), "block", "threads"));
  if (arguments.contains("block")) {
    const std::uint64_t block = linear_in(launch.grid, arguments.at("block"), "grid", "blocks");
    if (block != control_.block()->linear) {
      run_to_block(block);
      wanted_thread_ = thread;
      return Json::object();
    }
  }
  look_at(*control_.block()->warps[thread / kWarpSize], static_cast<int>(thread % kWarpSize));
  return Json::object();
}

/// {file?} -> what the block has done up to here, as a page or a recording in the file, or else in
/// the event warpsim/picture.
Json Session::picture(const Json& arguments) {
  require_stop();
  std::string why;
  if (!control_.can_go_back(why)) throw RequestError(why);
  std::string file = arguments.value("file", "");
  if (!file.empty()) file = std::filesystem::absolute(file).string();
  // At a finding its picture is shown, elsewhere the last step.
  const bool at_end = control_.stop().finding.empty();
  control_.record([this, file, at_end](const recording::Recording& recorded) {
    const std::string bytes = recording::encode(recorded);
    if (file.empty()) {
      event("warpsim/picture", {{"recording", recording::base64(bytes)}, {"atEnd", at_end}});
      return;
    }
    std::ofstream stream(file, std::ios::binary);
    stream << (file.ends_with(".html") ? to_page(recorded, {.title = {}, .at_end = at_end})
                                       : bytes);
    stream.flush();
    says(stream ? fmt::format("What the block has done is in {}\n", file)
                : fmt::format("cannot write '{}': {}\n", file, std::strerror(errno)));
  });
  return {{"allThreadsContinued", true}};
}

void Session::look_at(WarpContext& warp, int lane) {
  const bool lives = std::ranges::any_of(warp.splits, [&](const WarpSplit& split) {
    return lane >= 0 && lane < kWarpSize && ((split.mask >> lane) & 1) != 0;
  });
  if (!lives) throw RequestError("this thread has ended, or there is none");
  focus_ = &warp;
  control_.set_lane(lane);
  // The protocol's way to make a client show another thread.
  event("stopped", {{"reason", "goto"},
                    {"description", describe_thread(warp, lane)},
                    {"threadId", warp.warp.warp_index + 1},
                    {"allThreadsStopped", true}});
}

}  // namespace warpsim::debug
