#include <algorithm>
#include <utility>
#include <variant>

#include "emulator/cudart/call_edits.h"

namespace warpsim::cudart {
namespace {

/// So many arguments of other launches are tried in the place of one.
constexpr std::size_t kMostOthers = 8;

using Part = CallPart::Kind;
using To = CallValue::Kind;

/// How soon an edit is tried, as the instructions may not be enough for all.
int rank_of(const CallEdit& edit) {
  const std::string_view kind = kind_of(edit);
  const To to = edit.to.kind;
  if (kind == "arguments exchanged" || kind == "order" || kind == "number") return 0;
  if (kind == "size" || to == To::none || to == To::more || to == To::less) return 1;
  return to == To::argument && edit.to.line == 0 ? 1 : 2;
}

constexpr CallPart argument_of(std::size_t number) {
  return {.kind = Part::argument, .argument = static_cast<std::uint32_t>(number)};
}
constexpr CallPart part(Part kind) {
  return {.kind = kind};
}
constexpr CallPart grid_along(char axis) {
  return {.kind = Part::grid_axis, .axis = axis};
}

CallValue value(To kind, std::size_t number = 0, std::uint32_t line = 0) {
  return {.kind = kind, .number = static_cast<std::uint32_t>(number), .line = line};
}
CallValue value(To kind, const std::string& array, std::size_t number = 0) {
  return {.kind = kind, .number = static_cast<std::uint32_t>(number), .array = array};
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
        add(*before, part(Part::call), value(To::after, 0, site.line));
      }
      add(site, part(Part::call), value(To::none));
      if (std::holds_alternative<LaunchStep>(first)) add(site, part(Part::call), value(To::twice));
      before = &site;
    }
    std::ranges::stable_sort(edits_, {}, rank_of);
    return std::move(edits_);
  }

 private:
  void add(const WorkSite& site, const CallPart& part, CallValue to, bool later = false) {
    edits_.push_back({.file = site.file,
                      .line = site.line,
                      .call = site.call,
                      .part = part,
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
    if (launch.request.dynamic_shared_bytes != 0) {
      add(site, part(Part::shared), value(To::times, 4));
    }
  }

  void exchanged(const WorkSite& site, const LaunchStep& launch, std::size_t i, bool is_pointer) {
    for (std::size_t k = i + 1; k < launch.arguments.size(); ++k) {
      const std::vector<std::byte>& other = launch.arguments[k];
      if (other.size() != launch.arguments[i].size() || other == launch.arguments[i]) continue;
      if (sites_.is_pointer(other) == is_pointer) {
        add(site, argument_of(i), value(To::exchanged, k));
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
      add(site, argument_of(i), value(To::argument, k));
    }
  }

  /// Arguments of other launches, each with the line of its launch: the first ones.
  [[nodiscard]] std::vector<CallValue> of_other_launches(const WorkSite& site,
                                                         bool is_pointer) const {
    std::vector<CallValue> found;
    for (const WorkSite& other : sites_.sites()) {
      const auto* const launch = std::get_if<LaunchStep>(&sites_.step(other.steps.front()));
      if (launch == nullptr || &other == &site || other.file != site.file) continue;
      for (std::size_t k = 0; k < launch->arguments.size() && found.size() < kMostOthers; ++k) {
        if (sites_.is_pointer(launch->arguments[k]) != is_pointer) continue;
        found.push_back(value(To::argument, k, other.line));
      }
    }
    return found;
  }

  /// What other launches of the call, and the call itself, have.
  void others_of_call(const WorkSite& site, std::size_t i, bool is_pointer) {
    for (CallValue& other : of_other_launches(site, is_pointer)) {
      add(site, argument_of(i), std::move(other));
    }
    for (const AnnouncedArray& array : arrays_) {
      if (is_pointer && array.on_host) continue;
      add(site, argument_of(i), value(is_pointer ? To::array : To::count, array.name));
    }
  }

  void numbers(const WorkSite& site, const LaunchStep& launch, std::size_t i) {
    const std::int64_t now = *sites_.number(launch.arguments[i]);
    for (const To to : {To::more, To::less, To::blocks, To::blocks_less_1}) {
      add(site, argument_of(i), value(to));
    }
    if (now == 0 || now == 1) add(site, argument_of(i), value(To::number, now == 0 ? 1 : 0));
    // A recursive call, or a loop, may go wrong from its second time on.
    const auto second = std::ranges::find_if(
        site.steps, [&](std::size_t step) { return !sites_.is_first(step, site.call); });
    if (second == site.steps.end()) return;
    const auto* const other = std::get_if<LaunchStep>(&sites_.step(*second));
    const auto later = other == nullptr || i >= other->arguments.size()
                           ? std::nullopt
                           : sites_.number(other->arguments[i]);
    if (!later) return;
    add(site, argument_of(i), value(To::more), true);
    add(site, argument_of(i), value(To::less), true);
    if (*later == 0 || *later == 1) {
      add(site, argument_of(i), value(To::number, *later == 0 ? 1 : 0), true);
    }
  }

  void grid(const WorkSite& site, const LaunchStep& launch) {
    const Dim3& size = launch.request.grid;
    const Dim3& block = launch.request.block;
    const bool has_y = size.y > 1 || block.y > 1;
    const bool has_z = size.z > 1 || block.z > 1;
    for (const char axis : {'x', 'y', 'z'}) {
      if ((axis == 'y' && !has_y) || (axis == 'z' && !has_z)) continue;
      const CallPart blocks = grid_along(axis);
      for (const CallValue& to : {value(To::more), value(To::less), value(To::times, 2)}) {
        add(site, blocks, to);
      }
      for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
        if (!sites_.number(launch.arguments[i])) continue;
        add(site, blocks, value(To::ceil, i));
        for (const AnnouncedArray& array : arrays_) {
          if (array.is_output) add(site, blocks, value(To::rows, array.name, i));
        }
      }
    }
    if (has_y) add(site, part(Part::grid), value(To::exchanged_with_y));
    if (!has_y && !has_z) add(site, part(Part::grid), value(To::exchanged_with_block));
  }

  void sizes(const WorkSite& site) {
    add(site, part(Part::bytes), value(To::all));
    add(site, part(Part::bytes), value(To::times, 4));
  }

  void of_copy(const WorkSite& site, const CopyStep& copy) {
    sizes(site);
    const CallPart from = part(Part::from);
    const CallPart to = part(Part::to);
    for (const AnnouncedArray& array : arrays_) {
      if (array.on_host == copy.from_program) add(site, from, value(To::array, array.name));
      if (array.on_host == copy.to_program) add(site, to, value(To::array, array.name));
    }
    for (const CallValue& other : of_other_launches(site, true)) {
      if (!copy.from_program) add(site, from, other);
      if (!copy.to_program) add(site, to, other);
    }
  }

  void of_fill(const WorkSite& site) {
    sizes(site);
    add(site, part(Part::value), value(To::number));
    add(site, part(Part::value), value(To::number, 255));
    for (const AnnouncedArray& array : arrays_) {
      if (array.is_output && !array.on_host) {
        add(site, part(Part::to), value(To::array, array.name));
      }
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
