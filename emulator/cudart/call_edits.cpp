#include "emulator/cudart/call_edits.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>
#include <variant>

namespace warpsim::cudart {
namespace {

/// A grid with more blocks than so many times those of the launch, and these, takes too long.
constexpr std::uint64_t kMostTimes = 4;
constexpr std::uint64_t kMostMore = 64;

using Part = CallPart::Kind;
using To = CallValue::Kind;

std::uint32_t* axis_of(Dim3& size, char axis) {
  return axis == 'x' ? &size.x : axis == 'y' ? &size.y : axis == 'z' ? &size.z : nullptr;
}

std::uint32_t extent_of(const Dim3& size, char axis) {
  return axis == 'x' ? size.x : axis == 'y' ? size.y : size.z;
}

void put_address(std::vector<std::byte>& argument, std::uint64_t address) {
  std::memcpy(argument.data(), &address, sizeof address);
}

std::uint64_t elements_of(const AnnouncedArray& array) {
  return array.bytes / std::max(array.element_bytes, 1U);
}

}  // namespace

const AnnouncedArray* CallEdits::array(std::string_view name) const {
  const auto found = std::ranges::find(arrays_, name, &AnnouncedArray::name);
  return found == arrays_.end() ? nullptr : &*found;
}

/// The calls of a site left out, made twice, or made after the next call of another site.
EditedWork CallEdits::made_otherwise(const WorkSite& site, const CallEdit& edit) const {
  const To to = edit.to.kind;
  const WorkSite* const next = to == To::after ? sites_.find(edit.file, edit.to.line, {}) : nullptr;
  EditedWork work;
  const RecordedStep* held = nullptr;  // until the next call is made
  for (std::size_t i = 0; i < sites_.steps().size(); ++i) {
    const RecordedStep* const step = &sites_.step(i);
    const bool is_edited =
        std::ranges::binary_search(site.steps, i) && !(edit.later && sites_.is_first(i, edit.call));
    if (is_edited && next != nullptr) {
      if (held != nullptr) work.steps.push_back(held);
      held = step;
      continue;
    }
    if (!is_edited || to != To::none) work.steps.push_back(step);
    if (is_edited && to == To::twice) work.steps.push_back(step);
    if (held != nullptr && std::ranges::binary_search(next->steps, i)) {
      work.steps.push_back(std::exchange(held, nullptr));
    }
  }
  if (held != nullptr) work.steps.push_back(held);
  return work;
}

std::optional<EditedWork> CallEdits::make(const CallEdit& edit) const {
  const WorkSite* const site = sites_.find(edit.file, edit.line, edit.call);
  if (site == nullptr) return std::nullopt;
  EditedWork work = {.steps = record_.list(), .changed = {}};
  if (edit.part.kind == Part::call) {
    EditedWork other = made_otherwise(*site, edit);
    return other.steps == work.steps ? std::nullopt : std::optional(std::move(other));
  }
  bool any = false;
  for (const std::size_t number : site->steps) {
    if (edit.later && sites_.is_first(number, edit.call)) continue;
    RecordedStep step = sites_.step(number);
    const bool changes = std::visit(
        [&](auto& one) {
          using Step = std::decay_t<decltype(one)>;
          if constexpr (std::is_same_v<Step, LaunchStep>) return change(one, edit, number);
          if constexpr (std::is_same_v<Step, CopyStep> || std::is_same_v<Step, FillStep>) {
            return change(one, edit);
          }
          return false;
        },
        step);
    if (!changes) continue;
    any = true;
    work.changed.push_back(std::move(step));
    work.steps[number] = &work.changed.back();
  }
  return any ? std::optional(std::move(work)) : std::nullopt;
}

bool CallEdits::change(LaunchStep& step, const CallEdit& edit, std::size_t number) const {
  const Part part = edit.part.kind;
  if (part == Part::grid || part == Part::grid_axis) return change_grid(step, edit);
  if (part == Part::shared) {
    const auto bytes = bytes_of(edit, step.request.dynamic_shared_bytes, 0);
    if (!bytes || *bytes > std::numeric_limits<std::uint16_t>::max()) return false;
    step.request.dynamic_shared_bytes = static_cast<std::uint32_t>(*bytes);
    return *bytes != 0;
  }
  if (part != Part::argument || edit.part.argument >= step.arguments.size()) return false;
  return change_argument(step, edit.part.argument, edit, number);
}

const std::vector<std::byte>* CallEdits::argument(const CallEdit& edit, const LaunchStep* step,
                                                  std::size_t before) const {
  if (edit.to.line != 0) step = sites_.launch_at(edit.file, edit.to.line, before);
  if (step == nullptr || edit.to.number >= step->arguments.size()) return nullptr;
  return &step->arguments[edit.to.number];
}

bool CallEdits::change_argument(LaunchStep& step, std::size_t argument, const CallEdit& edit,
                                std::size_t number) const {
  std::vector<std::byte>& now = step.arguments[argument];
  const std::vector<std::byte> before = now;
  if (edit.to.kind == To::exchanged) {
    const std::size_t place = edit.to.number;
    if (place >= step.arguments.size() || step.arguments[place].size() != now.size()) return false;
    std::swap(now, step.arguments[place]);
    return now != before;
  }
  if (edit.to.kind == To::argument) {
    const auto* const value = this->argument(edit, &step, number);
    if (value == nullptr) return false;
    if (value->size() == now.size()) {
      now = *value;
      return now != before;
    }
    const std::optional<std::int64_t> as_number = sites_.number(*value);
    if (!as_number || !sites_.number(before)) return false;
    std::memcpy(now.data(), &*as_number, std::min(now.size(), sizeof *as_number));
    return now != before;
  }
  if (edit.to.kind == To::array) {
    const AnnouncedArray* const other = array(edit.to.array);
    if (other == nullptr || other->on_host || !sites_.is_pointer(before)) return false;
    put_address(now, other->address);
    return now != before;
  }
  const std::optional<std::int64_t> value = sites_.number(before);
  const std::optional<std::int64_t> other = value ? value_of(edit.to, step, *value) : std::nullopt;
  if (!other) return false;
  std::memcpy(now.data(), &*other, std::min(now.size(), sizeof *other));
  return now != before;
}

std::optional<std::int64_t> CallEdits::value_of(const CallValue& to, const LaunchStep& step,
                                                std::int64_t now) const {
  const auto blocks = static_cast<std::int64_t>(step.request.grid.count());
  switch (to.kind) {
    case To::more:
      return now + 1;
    case To::less:
      return now - 1;
    case To::blocks:
      return blocks;
    case To::blocks_less_1:
      return blocks - 1;
    case To::number:
      return to.number;
    case To::count: {
      const AnnouncedArray* const one = array(to.array);
      if (one == nullptr) return std::nullopt;
      return static_cast<std::int64_t>(elements_of(*one));
    }
    default:
      return std::nullopt;
  }
}

/// Along an axis of the grid.
std::optional<std::uint64_t> CallEdits::blocks_of(const CallEdit& edit, const LaunchStep& step,
                                                  std::uint64_t now) const {
  const auto number = [&]() -> std::uint64_t {  // of the argument; 0: not one above 0
    const auto* const value = argument(edit, &step, 0);
    const std::int64_t known = value == nullptr ? 0 : sites_.number(*value).value_or(0);
    return known > 0 ? static_cast<std::uint64_t>(known) : 0;
  };
  switch (edit.to.kind) {
    case To::more:
      return now + 1;
    case To::less:
      return now - 1;
    case To::times:
      return edit.to.number * now;
    case To::ceil: {
      const std::uint64_t size = extent_of(step.request.block, edit.part.axis);
      return (number() + size - 1) / size;
    }
    case To::rows: {
      const AnnouncedArray* const one = array(edit.to.array);
      const std::uint64_t length = number();
      if (one == nullptr || length == 0 || elements_of(*one) % length != 0) return std::nullopt;
      return elements_of(*one) / length;
    }
    default:
      return std::nullopt;
  }
}

bool CallEdits::change_grid(LaunchStep& step, const CallEdit& edit) const {
  Dim3& grid = step.request.grid;
  Dim3& block = step.request.block;
  const Dim3 before = grid;
  const std::uint64_t threads = block.count();
  if (edit.part.kind == Part::grid) {
    if (edit.to.kind == To::exchanged_with_y) std::swap(grid.x, grid.y);
    if (edit.to.kind == To::exchanged_with_block) std::swap(grid, block);
  } else {
    std::uint32_t* const blocks = axis_of(grid, edit.part.axis);
    const auto want = blocks == nullptr ? std::nullopt : blocks_of(edit, step, *blocks);
    if (want.value_or(0) == 0 || *want > std::numeric_limits<std::uint32_t>::max()) return false;
    *blocks = static_cast<std::uint32_t>(*want);
  }
  const bool fits =
      grid.count() * block.count() <= kMostTimes * before.count() * threads + kMostMore * threads &&
      block.count() <= static_cast<std::uint64_t>(card_.max_threads_per_block);
  return fits && !(grid == before);
}

std::optional<std::uint64_t> CallEdits::bytes_of(const CallEdit& edit, std::uint64_t now,
                                                 std::uint64_t address) const {
  if (edit.to.kind == To::times) return edit.to.number * now;
  if (edit.to.kind != To::all) return std::nullopt;
  for (const AnnouncedArray& one : arrays_) {
    if (one.address == address) return one.bytes;
  }
  const std::uint64_t rest = sites_.bytes_at(address);
  return rest == 0 ? std::nullopt : std::optional(rest);
}

std::optional<HostBytes> CallEdits::host_bytes(const CopyStep& step) const {
  HostBytes bytes = {.bytes = std::vector<std::byte>(step.box.width),
                     .from_device = std::vector<std::uint8_t>(step.box.width),
                     .after_results = step.rows.after_results};
  std::vector<std::uint8_t> known(step.box.width);
  record_.host_arrays().read(step.from.address, bytes.bytes, known);
  if (std::ranges::find(known, std::uint8_t{0}) != known.end()) return std::nullopt;
  return bytes;
}

bool CallEdits::change(CopyStep& step, const CallEdit& edit) const {
  if (step.box.height != 1 || step.box.depth != 1) return false;
  const std::uint64_t width = step.box.width;
  const Side before_to = step.to;
  const Side before_from = step.from;
  if (edit.part.kind == Part::bytes) {
    // Of both sides one may be an array, of which the other one is a copy.
    const auto to = bytes_of(edit, width, step.to.address);
    const auto from = bytes_of(edit, width, step.from.address);
    if (!to && !from) return false;
    step.box.width = std::min(to.value_or(~std::uint64_t{0}), from.value_or(~std::uint64_t{0}));
  } else {
    const bool is_source = edit.part.kind == Part::from;
    const bool in_program = is_source ? step.from_program : step.to_program;
    std::uint64_t& address = (is_source ? step.from : step.to).address;
    if (edit.to.kind == To::array) {
      const AnnouncedArray* const other = array(edit.to.array);
      if (other == nullptr || other->on_host != in_program) return false;
      address = other->address;
    } else if (edit.to.kind == To::argument) {
      const auto* const value = argument(edit, nullptr, sites_.steps().size());
      if (value == nullptr || !sites_.is_pointer(*value) || in_program) return false;
      std::memcpy(&address, value->data(), sizeof address);
    }
  }
  const bool changes = step.box.width != width || step.to.address != before_to.address ||
                       step.from.address != before_from.address;
  if (!changes || step.box.width == 0) return false;
  if (!step.from_program || step.to_program) return true;
  std::optional<HostBytes> bytes = host_bytes(step);
  if (!bytes) return false;
  step.rows = *std::move(bytes);
  return true;
}

bool CallEdits::change(FillStep& step, const CallEdit& edit) const {
  if (step.box.height != 1 || step.box.depth != 1) return false;
  if (edit.part.kind == Part::bytes) {
    const auto bytes = bytes_of(edit, step.box.width, step.to.address);
    if (!bytes) return false;
    const std::uint64_t before = step.box.width;
    step.box.width = *bytes - *bytes % step.element_bytes;
    return step.box.width != before;
  }
  if (edit.part.kind == Part::value) {
    if (edit.to.kind != To::number || edit.to.number == step.value) return false;
    step.value = edit.to.number;
    return true;
  }
  const AnnouncedArray* const other = edit.to.kind == To::array ? array(edit.to.array) : nullptr;
  if (other == nullptr || other->on_host || other->address == step.to.address) return false;
  step.to.address = other->address;
  return true;
}

}  // namespace warpsim::cudart
