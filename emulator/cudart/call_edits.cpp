#include "emulator/cudart/call_edits.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <utility>
#include <variant>

namespace warpsim::cudart {
namespace {

/// A grid with more blocks than so many times those of the launch, and these, takes too long.
constexpr std::uint64_t kMostTimes = 4;
constexpr std::uint64_t kMostMore = 64;

std::optional<std::uint32_t> read_number(std::string_view text) {
  std::uint32_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc{} || read.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

/// What follows `begin`; nothing if the text has another beginning.
std::optional<std::string_view> after(std::string_view text, std::string_view begin) {
  if (!text.starts_with(begin)) return std::nullopt;
  return text.substr(begin.size());
}

std::uint32_t* axis_of(Dim3& size, char axis) {
  return axis == 'x' ? &size.x : axis == 'y' ? &size.y : axis == 'z' ? &size.z : nullptr;
}

std::uint32_t extent_of(const Dim3& size, char axis) {
  return axis == 'x' ? size.x : axis == 'y' ? size.y : size.z;
}

void put_address(std::vector<std::byte>& argument, std::uint64_t address) {
  std::memcpy(argument.data(), &address, sizeof address);
}

const std::vector<std::byte>* argument_of(const LaunchStep& step, std::size_t number) {
  return number < step.arguments.size() ? &step.arguments[number] : nullptr;
}

}  // namespace

EditedWork CallEdits::recorded() const {
  EditedWork work;
  for (const RecordedStep& step : sites_.steps()) work.steps.push_back(&step);
  return work;
}

const AnnouncedArray* CallEdits::array(std::string_view name) const {
  const auto found = std::ranges::find(arrays_, name, &AnnouncedArray::name);
  return found == arrays_.end() ? nullptr : &*found;
}

/// The calls of a site left out, made twice, or made after the next call of another site.
EditedWork CallEdits::made_otherwise(const WorkSite& site, const CallEdit& edit) const {
  const auto line = after(edit.to, "after=");
  const WorkSite* const next =
      line ? sites_.find(edit.file, read_number(*line).value_or(0), {}) : nullptr;
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
    if (!is_edited || edit.to != "none") work.steps.push_back(step);
    if (is_edited && edit.to == "twice") work.steps.push_back(step);
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
  EditedWork work = recorded();
  if (edit.part == "call") {
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
  if (edit.part.starts_with("grid")) return change_grid(step, edit);
  if (edit.part == "shared") {
    const auto bytes = bytes_of(edit, step.request.dynamic_shared_bytes, 0);
    if (!bytes || *bytes > std::numeric_limits<std::uint16_t>::max()) return false;
    step.request.dynamic_shared_bytes = static_cast<std::uint32_t>(*bytes);
    return *bytes != 0;
  }
  const std::optional<std::uint32_t> argument = read_number(edit.part);
  if (!argument || *argument >= step.arguments.size()) return false;
  return change_argument(step, *argument, edit, number);
}

bool CallEdits::change_argument(LaunchStep& step, std::size_t argument, const CallEdit& edit,
                                std::size_t number) const {
  std::vector<std::byte>& now = step.arguments[argument];
  const std::vector<std::byte> before = now;
  if (const auto other = after(edit.to, "<>")) {
    const std::size_t place = read_number(*other).value_or(~std::uint32_t{0});
    if (place >= step.arguments.size() || step.arguments[place].size() != now.size()) return false;
    std::swap(now, step.arguments[place]);
    return now != before;
  }
  if (const auto other = after(edit.to, "@")) {
    const auto colon = other->find(':');
    const auto place = read_number(colon == other->npos ? *other : other->substr(colon + 1));
    const auto line = read_number(other->substr(0, colon));
    const LaunchStep* const from =
        colon == other->npos ? &step : sites_.launch_at(edit.file, line.value_or(0), number);
    const auto* const value = from == nullptr || !place ? nullptr : argument_of(*from, *place);
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
  if (const auto name = after(edit.to, "array=")) {
    const AnnouncedArray* const other = array(*name);
    if (other == nullptr || other->on_host || !sites_.is_pointer(before)) return false;
    put_address(now, other->address);
    return now != before;
  }
  const std::optional<std::int64_t> value = sites_.number(before);
  const std::optional<std::int64_t> other = value ? value_of(edit, step, *value) : std::nullopt;
  if (!other) return false;
  std::memcpy(now.data(), &*other, std::min(now.size(), sizeof *other));
  return now != before;
}

std::optional<std::int64_t> CallEdits::value_of(const CallEdit& edit, const LaunchStep& step,
                                                std::int64_t now) const {
  if (edit.to == "+1") return now + 1;
  if (edit.to == "-1") return now - 1;
  if (edit.to == "blocks") return static_cast<std::int64_t>(step.request.grid.count());
  if (edit.to == "blocks-1") return static_cast<std::int64_t>(step.request.grid.count()) - 1;
  if (const auto name = after(edit.to, "count=")) {
    const AnnouncedArray* const one = array(*name);
    if (one == nullptr) return std::nullopt;
    return static_cast<std::int64_t>(one->bytes / std::max(one->element_bytes, 1U));
  }
  const std::optional<std::uint32_t> number = read_number(edit.to);
  return number ? std::optional<std::int64_t>(*number) : std::nullopt;
}

bool CallEdits::change_grid(LaunchStep& step, const CallEdit& edit) const {
  Dim3& grid = step.request.grid;
  const Dim3 before = grid;
  const Dim3 block = step.request.block;
  if (edit.part == "grid") {
    if (edit.to == "<>y") std::swap(grid.x, grid.y);
    if (edit.to == "<>block") std::swap(grid, step.request.block);
  } else {
    const char axis = edit.part.back();
    std::uint32_t* const blocks = axis_of(grid, axis);
    if (blocks == nullptr) return false;
    std::uint64_t want = *blocks;
    if (edit.to == "+1") ++want;
    if (edit.to == "-1") --want;
    if (edit.to == "*2") want *= 2;
    if (const auto argument = after(edit.to, "ceil=")) {
      const auto* const value =
          argument_of(step, read_number(*argument).value_or(~std::uint32_t{0}));
      const auto threads = value == nullptr ? std::nullopt : sites_.number(*value);
      const std::uint64_t size = extent_of(block, axis);
      if (!threads || *threads < 0) return false;
      want = (static_cast<std::uint64_t>(*threads) + size - 1) / size;
    }
    if (const auto rows = after(edit.to, "rows=")) {
      const auto colon = rows->find(':');
      const AnnouncedArray* const one = array(rows->substr(0, colon));
      const auto place = colon == rows->npos ? std::nullopt : read_number(rows->substr(colon + 1));
      const auto* const value = place ? argument_of(step, *place) : nullptr;
      const auto length = value == nullptr ? std::nullopt : sites_.number(*value);
      if (one == nullptr || !length || *length <= 0) return false;
      const std::uint64_t count = one->bytes / std::max(one->element_bytes, 1U);
      if (count % static_cast<std::uint64_t>(*length) != 0) return false;
      want = count / static_cast<std::uint64_t>(*length);
    }
    if (want == 0 || want > std::numeric_limits<std::uint32_t>::max()) return false;
    *blocks = static_cast<std::uint32_t>(want);
  }
  const bool fits = grid.count() * step.request.block.count() <=
                        kMostTimes * before.count() * block.count() + kMostMore * block.count() &&
                    step.request.block.count() <= 1024;
  return fits && !(grid == before);
}

std::optional<std::uint64_t> CallEdits::bytes_of(const CallEdit& edit, std::uint64_t now,
                                                 std::uint64_t address) const {
  if (edit.to == "*4") return 4 * now;
  if (edit.to != "all") return std::nullopt;
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
  if (edit.part == "bytes") {
    // Of both sides one may be an array, of which the other one is a copy.
    const auto to = bytes_of(edit, width, step.to.address);
    const auto from = bytes_of(edit, width, step.from.address);
    if (!to && !from) return false;
    step.box.width = std::min(to.value_or(~std::uint64_t{0}), from.value_or(~std::uint64_t{0}));
  } else if (const auto name = after(edit.to, "array=")) {
    const AnnouncedArray* const other = array(*name);
    const bool is_source = edit.part == "from";
    const bool in_program = is_source ? step.from_program : step.to_program;
    if (other == nullptr || other->on_host != in_program) return false;
    (is_source ? step.from : step.to).address = other->address;
  } else if (const auto at = after(edit.to, "@")) {
    const auto colon = at->find(':');
    const auto line = read_number(at->substr(0, colon));
    const auto place = colon == at->npos ? std::nullopt : read_number(at->substr(colon + 1));
    const LaunchStep* const launch =
        line && place ? sites_.launch_at(edit.file, *line, sites_.steps().size()) : nullptr;
    const auto* const value = launch == nullptr ? nullptr : argument_of(*launch, *place);
    const bool is_source = edit.part == "from";
    if (value == nullptr || !sites_.is_pointer(*value)) return false;
    if (is_source ? step.from_program : step.to_program) return false;
    std::memcpy(&(is_source ? step.from : step.to).address, value->data(), sizeof(std::uint64_t));
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
  if (edit.part == "bytes") {
    const auto bytes = bytes_of(edit, step.box.width, step.to.address);
    if (!bytes) return false;
    const std::uint64_t before = step.box.width;
    step.box.width = *bytes - *bytes % step.element_bytes;
    return step.box.width != before;
  }
  if (edit.part == "value") {
    const auto value = read_number(edit.to);
    if (!value || *value == step.value) return false;
    step.value = *value;
    return true;
  }
  const auto name = after(edit.to, "array=");
  const AnnouncedArray* const other = name ? array(*name) : nullptr;
  if (other == nullptr || other->on_host || other->address == step.to.address) return false;
  step.to.address = other->address;
  return true;
}

}  // namespace warpsim::cudart
