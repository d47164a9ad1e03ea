#include "emulator/recording/variables.h"

#include <cstring>

#include "emulator/machine/for_lanes.h"
#include "emulator/recording/bytes.h"

// A change is one byte with its form and what differs from the last change, then numbers.

namespace warpsim::recording {
namespace {

enum Form : std::uint8_t {
  kVisible,
  kRow,  // whole numbers at one distance from lane to lane
  kOneValue,
  kEachValue,
  kNoValue,
};
constexpr std::uint8_t kFormBits = 7;
enum Changed : std::uint8_t { kStep = 8, kWarp = 16, kLanes = 32 };

/// Numbers that a page can compute with: doubles have them without loss.
constexpr std::uint64_t kMostInRow = std::uint64_t{1} << 50;

bool is_small(std::uint64_t value) {
  return value + kMostInRow < 2 * kMostInRow;
}

/// The value as a number of 64 bits, in two's complement.
std::uint64_t widened(const Variable& variable, std::uint64_t value) {
  if (variable.type != VariableType::signed_integer || variable.bytes == 8) return value;
  const auto unused = static_cast<int>(64 - 8 * variable.bytes);
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(value << unused) >> unused);
}

std::uint64_t narrowed(const Variable& variable, std::uint64_t value) {
  return variable.bytes == 8 ? value : value & ((std::uint64_t{1} << 8 * variable.bytes) - 1);
}

struct Row {
  std::uint64_t first = 0, distance = 0;
};

/// Whether the lanes' values are numbers at one distance.
bool is_row(const VariableChange& change, const Variable& variable, Row& row) {
  if (variable.type == VariableType::floating) return false;
  bool all = true;
  std::uint64_t number = 0, last = 0;
  for_lanes(change.lanes, [&](std::size_t lane) {
    const std::uint64_t value = widened(variable, change.values[lane]);
    all = all && is_small(value);
    if (number == 0) row.first = value;
    if (number == 1) row.distance = value - last;
    if (number > 1) all = all && value - last == row.distance;
    last = value;
    ++number;
  });
  return all;
}

bool is_uniform(const VariableChange& change) {
  bool same = true;
  const std::uint64_t first =
      change.values[static_cast<std::size_t>(std::countr_zero(change.lanes))];
  for_lanes(change.lanes, [&](std::size_t lane) { same = same && change.values[lane] == first; });
  return same;
}

void put_value(std::string& to, std::uint64_t value, std::uint32_t bytes) {
  for (std::uint32_t i = 0; i < bytes; ++i) to += static_cast<char>(value >> (8 * i));
}

std::uint64_t read_value(ByteReader& from, std::uint32_t bytes) {
  std::uint64_t value = 0;
  for (std::uint32_t i = 0; i < bytes; ++i) value |= std::uint64_t{from.byte()} << (8 * i);
  return value;
}

}  // namespace

void VariableWriter::begin(std::uint8_t form, const VariableChange& change) {
  std::uint8_t head = form;
  if (change.step != step_) head |= kStep;
  if (change.warp != warp_) head |= kWarp;
  if (form != kVisible && change.lanes != lanes_) head |= kLanes;
  bytes_ += static_cast<char>(head);
  if ((head & kStep) != 0) put(bytes_, std::uint64_t{change.step} - step_);
  if ((head & kWarp) != 0) put(bytes_, std::uint64_t{change.warp});
  if ((head & kLanes) != 0) put_lanes(bytes_, change.lanes);
  put(bytes_, std::uint64_t{change.number});
  step_ = change.step;
  warp_ = change.warp;
  if (form != kVisible) lanes_ = change.lanes;
  ++count_;
}

void VariableWriter::add_visible(std::uint32_t step, std::uint32_t warp, std::uint32_t set) {
  begin(kVisible,
        {.kind = VariableChange::Kind::visible, .step = step, .warp = warp, .number = set});
}

void VariableWriter::add(const VariableChange& change, const Variable& variable) {
  if (change.kind == VariableChange::Kind::none) return begin(kNoValue, change);
  if (Row row; is_row(change, variable, row)) {
    begin(kRow, change);
    if (first_.size() <= change.number) first_.resize(change.number + std::size_t{1});
    put_signed(bytes_, row.first - first_[change.number]);
    put_signed(bytes_, row.distance);
    first_[change.number] = row.first;
    return;
  }
  const bool uniform = is_uniform(change);
  begin(uniform ? kOneValue : kEachValue, change);
  const std::uint32_t lanes = uniform ? change.lanes & (0 - change.lanes) : change.lanes;
  for_lanes(lanes,
            [&](std::size_t lane) { put_value(bytes_, change.values[lane], variable.bytes); });
}

void for_each_change(const Block& block, const std::function<void(const VariableChange&)>& use) {
  const VariableRecord& variables = block.variables;
  const auto warps = static_cast<std::uint32_t>((block.threads() + 31) / 32);
  ByteReader from(variables.changes);
  std::vector<std::uint64_t> first(variables.list.size());
  VariableChange change;
  std::uint32_t lanes = 0;
  for (std::uint32_t i = 0; i < variables.count; ++i) {
    const std::uint8_t head = from.byte();
    const std::uint8_t form = head & kFormBits;
    if (form > kNoValue || head >= 2 * kLanes || (form == kVisible && (head & kLanes) != 0)) {
      throw BadRecording("the recording has an invalid change of a variable");
    }
    if ((head & kStep) != 0) change.step += from.number32(~0u - change.step, "step");
    if (change.step >= block.step_count) throw BadRecording("the recording has an invalid step");
    if ((head & kWarp) != 0) change.warp = from.number32(~0u, "warp");
    if (change.warp >= warps) throw BadRecording("the recording has an invalid warp");
    if ((head & kLanes) != 0) lanes = from.lanes();
    change.number = from.number32(~0u, "variable");
    if (change.number >= (form == kVisible ? variables.sets.size() : variables.list.size())) {
      throw BadRecording("the recording has an invalid variable");
    }
    change.values = {};
    change.lanes = form == kVisible ? 0 : lanes;
    if (form == kVisible) {
      change.kind = VariableChange::Kind::visible;
      use(change);
      continue;
    }
    if (lanes == 0) throw BadRecording("the recording has a value of no lane");
    change.kind = form == kNoValue ? VariableChange::Kind::none : VariableChange::Kind::values;
    const Variable& variable = variables.list[change.number];
    if (form == kRow) {
      std::uint64_t value = first[change.number] += from.difference();
      const std::uint64_t distance = from.difference();
      for_lanes(lanes, [&](std::size_t lane) {
        change.values[lane] = narrowed(variable, value);
        value += distance;
      });
    } else if (form == kOneValue) {
      const std::uint64_t value = read_value(from, variable.bytes);
      for_lanes(lanes, [&](std::size_t lane) { change.values[lane] = value; });
    } else if (form == kEachValue) {
      for_lanes(lanes,
                [&](std::size_t lane) { change.values[lane] = read_value(from, variable.bytes); });
    }
    use(change);
  }
  if (!from.at_end()) throw BadRecording("the recording has bytes after its last variable");
}

void put_variables(std::string& to, const VariableRecord& variables) {
  put(to, variables.list.size());
  for (const Variable& variable : variables.list) {
    put(to, std::string_view(variable.name));
    put(to, static_cast<std::uint64_t>(variable.type));
    put(to, std::uint64_t{variable.bytes});
  }
  put(to, variables.sets.size());
  for (const VisibleVariables& set : variables.sets) {
    put(to, set.list.size());
    for (const VisibleVariables::One& one : set.list) {
      put(to, std::uint64_t{one.variable} * 2 + (one.has_place ? 1 : 0));
    }
  }
  put(to, std::uint64_t{variables.count});
  put(to, std::string_view(variables.changes));
}

VariableRecord read_variables(ByteReader& from) {
  VariableRecord variables;
  variables.list.resize(from.count("number of variables", 3));
  for (Variable& variable : variables.list) {
    variable.name = from.text();
    variable.type = static_cast<VariableType>(
        from.number(static_cast<std::uint64_t>(VariableType::pointer), "type"));
    variable.bytes = from.number32(8, "size of a variable");
    if (!std::has_single_bit(variable.bytes)) {
      throw BadRecording("the recording has an invalid size of a variable");
    }
  }
  variables.sets.resize(from.count("number of sets"));
  for (VisibleVariables& set : variables.sets) {
    set.list.resize(from.count("number of variables"));
    for (VisibleVariables::One& one : set.list) {
      const std::uint64_t number = from.number();
      if (number / 2 >= variables.list.size()) {
        throw BadRecording("the recording has an invalid variable");
      }
      one = {static_cast<std::uint32_t>(number / 2), number % 2 != 0};
    }
  }
  variables.count = from.number32(1u << 30, "number of changes");
  variables.changes = from.text();
  if (variables.count > variables.changes.size()) throw BadRecording("the recording is truncated");
  return variables;
}

}  // namespace warpsim::recording
