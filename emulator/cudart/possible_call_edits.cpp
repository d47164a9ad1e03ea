#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "emulator/cudart/call_edits.h"

namespace warpsim::cudart {
namespace {

/// So many arguments of other launches are tried in the place of one.
constexpr std::size_t kMostOthers = 8;

/// How soon an edit is tried, as the instructions may not be enough for all.
int rank_of(const CallEdit& edit) {
  const std::string_view kind = kind_of(edit);
  const std::string_view to = edit.to;
  if (kind == "arguments exchanged" || kind == "order" || kind == "number") return 0;
  if (kind == "size" || to == "none" || to == "+1" || to == "-1") return 1;
  return to.starts_with('@') && to.find(':') == to.npos ? 1 : 2;
}

class Possible {
 public:
  Possible(const CallSites& sites, std::span<const AnnouncedArray> arrays)
      : sites_(sites), arrays_(arrays) {}

  std::vector<CallEdit> find() {
    const WorkSite* before = nullptr;
    for (const WorkSite& site : sites_.sites()) {
      const RecordedStep& first = sites_.step(site.steps.front());
      if (const auto* launch = std::get_if<LaunchStep>(&first)) of_launch(site, *launch);
      if (const auto* copy = std::get_if<CopyStep>(&first)) of_copy(site, *copy);
      if (std::holds_alternative<FillStep>(first)) of_fill(site);
      if (before != nullptr && before->file == site.file) {
        add(*before, "call", fmt::format("after={}", site.line));
      }
      add(site, "call", "none");
      if (std::holds_alternative<LaunchStep>(first)) add(site, "call", "twice");
      before = &site;
    }
    std::ranges::stable_sort(edits_, {}, rank_of);
    return std::move(edits_);
  }

 private:
  void add(const WorkSite& site, std::string part, std::string to, bool later = false) {
    edits_.push_back({.file = site.file,
                      .line = site.line,
                      .call = site.call,
                      .part = std::move(part),
                      .to = std::move(to),
                      .later = later});
  }

  void of_launch(const WorkSite& site, const LaunchStep& launch) {
    for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
      const std::vector<std::byte>& argument = launch.arguments[i];
      const bool is_pointer = sites_.is_pointer(argument);
      if (!is_pointer && !sites_.number(argument)) continue;
      exchanged(site, launch, i, is_pointer);
      others_of_launch(site, launch, i, is_pointer);
      others_of_call(site, i, is_pointer);
      if (!is_pointer) numbers(site, launch, i);
    }
    grid(site, launch);
    if (launch.request.dynamic_shared_bytes != 0) add(site, "shared", "*4");
  }

  void exchanged(const WorkSite& site, const LaunchStep& launch, std::size_t i, bool is_pointer) {
    for (std::size_t k = i + 1; k < launch.arguments.size(); ++k) {
      const std::vector<std::byte>& other = launch.arguments[k];
      if (other.size() != launch.arguments[i].size() || other == launch.arguments[i]) continue;
      if (sites_.is_pointer(other) == is_pointer) {
        add(site, std::to_string(i), fmt::format("<>{}", k));
      }
    }
  }

  void others_of_launch(const WorkSite& site, const LaunchStep& launch, std::size_t i,
                        bool is_pointer) {
    for (std::size_t k = 0; k < launch.arguments.size(); ++k) {
      const std::vector<std::byte>& other = launch.arguments[k];
      if (k == i || other == launch.arguments[i] || sites_.is_pointer(other) != is_pointer) {
        continue;
      }
      add(site, std::to_string(i), fmt::format("@{}", k));
    }
  }

  /// What other launches of the call, and the call itself, have.
  void others_of_call(const WorkSite& site, std::size_t i, bool is_pointer) {
    std::size_t count = 0;
    for (const WorkSite& other : sites_.sites()) {
      const auto* const launch = std::get_if<LaunchStep>(&sites_.step(other.steps.front()));
      if (launch == nullptr || &other == &site || other.file != site.file) continue;
      for (std::size_t k = 0; k < launch->arguments.size() && count < kMostOthers; ++k) {
        if (sites_.is_pointer(launch->arguments[k]) != is_pointer) continue;
        add(site, std::to_string(i), fmt::format("@{}:{}", other.line, k));
        ++count;
      }
    }
    for (const AnnouncedArray& array : arrays_) {
      if (is_pointer && array.on_host) continue;
      add(site, std::to_string(i),
          fmt::format("{}={}", is_pointer ? "array" : "count", array.name));
    }
  }

  void numbers(const WorkSite& site, const LaunchStep& launch, std::size_t i) {
    const std::int64_t now = *sites_.number(launch.arguments[i]);
    for (const char* const to : {"+1", "-1", "blocks", "blocks-1"}) {
      add(site, std::to_string(i), to);
    }
    if (now == 0 || now == 1) add(site, std::to_string(i), now == 0 ? "1" : "0");
    // A recursive call, or a loop, may go wrong from its second time on.
    const auto second = std::ranges::find_if(
        site.steps, [&](std::size_t step) { return !sites_.is_first(step, site.call); });
    if (second == site.steps.end()) return;
    const auto* const other = std::get_if<LaunchStep>(&sites_.step(*second));
    const auto later = other == nullptr || i >= other->arguments.size()
                           ? std::nullopt
                           : sites_.number(other->arguments[i]);
    if (!later) return;
    add(site, std::to_string(i), "+1", true);
    add(site, std::to_string(i), "-1", true);
    if (*later == 0 || *later == 1) add(site, std::to_string(i), *later == 0 ? "1" : "0", true);
  }

  void grid(const WorkSite& site, const LaunchStep& launch) {
    const Dim3& size = launch.request.grid;
    const Dim3& block = launch.request.block;
    const bool has_y = size.y > 1 || block.y > 1;
    const bool has_z = size.z > 1 || block.z > 1;
    for (const char axis : {'x', 'y', 'z'}) {
      if ((axis == 'y' && !has_y) || (axis == 'z' && !has_z)) continue;
      const std::string part = fmt::format("grid.{}", axis);
      for (const char* const to : {"+1", "-1", "*2"}) add(site, part, to);
      for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
        if (!sites_.number(launch.arguments[i])) continue;
        add(site, part, fmt::format("ceil={}", i));
        for (const AnnouncedArray& array : arrays_) {
          if (array.is_output) add(site, part, fmt::format("rows={}:{}", array.name, i));
        }
      }
    }
    if (has_y) add(site, "grid", "<>y");
    if (!has_y && !has_z) add(site, "grid", "<>block");
  }

  void of_copy(const WorkSite& site, const CopyStep& copy) {
    add(site, "bytes", "all");
    add(site, "bytes", "*4");
    for (const AnnouncedArray& array : arrays_) {
      if (array.on_host == copy.from_program) add(site, "from", "array=" + array.name);
      if (array.on_host == copy.to_program) add(site, "to", "array=" + array.name);
    }
    std::size_t count = 0;
    for (const WorkSite& other : sites_.sites()) {
      const auto* const launch = std::get_if<LaunchStep>(&sites_.step(other.steps.front()));
      if (launch == nullptr || other.file != site.file) continue;
      for (std::size_t k = 0; k < launch->arguments.size() && count < kMostOthers; ++k) {
        if (!sites_.is_pointer(launch->arguments[k])) continue;
        ++count;
        const std::string to = fmt::format("@{}:{}", other.line, k);
        if (!copy.from_program) add(site, "from", to);
        if (!copy.to_program) add(site, "to", to);
      }
    }
  }

  void of_fill(const WorkSite& site) {
    add(site, "bytes", "all");
    add(site, "bytes", "*4");
    add(site, "value", "0");
    add(site, "value", "255");
    for (const AnnouncedArray& array : arrays_) {
      if (array.is_output && !array.on_host) add(site, "to", "array=" + array.name);
    }
  }

  const CallSites& sites_;
  std::span<const AnnouncedArray> arrays_;
  std::vector<CallEdit> edits_;
};

}  // namespace

std::vector<CallEdit> possible_call_edits(const CallSites& sites,
                                          std::span<const AnnouncedArray> arrays) {
  return Possible(sites, arrays).find();
}

}  // namespace warpsim::cudart
