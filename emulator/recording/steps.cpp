#include <algorithm>
#include <bit>

#include "emulator/machine/for_lanes.h"
#include "emulator/recording/bytes.h"

// A step is one byte with its kind and what changed since the warp's last step, then numbers.

namespace warpsim::recording {
namespace {

enum Changed : std::uint8_t { kWarp = 8, kLanes = 16 };
enum Form : std::uint8_t {
  kTypeBits = 3,
  kShared = 4,
  kRow = 8,  // addresses have one distance
  kOneValue = 16,
  kValues = 32,
};

struct Lanes {
  std::array<std::uint64_t, 32> address = {};  // of the active lanes, without gaps
  std::size_t count = 0;
};

Lanes active(const Step& step) {
  Lanes lanes;
  for_lanes(step.lanes,
            [&](std::size_t lane) { lanes.address[lanes.count++] = step.address[lane]; });
  return lanes;
}

bool is_row(const Lanes& lanes) {
  for (std::size_t i = 2; i < lanes.count; ++i) {
    if (lanes.address[i] - lanes.address[i - 1] != lanes.address[1] - lanes.address[0])
      return false;
  }
  return true;
}

bool has_one_value(const Step& step) {
  for (std::size_t i = step.width; i < step.values.size(); ++i) {
    if (step.values[i] != step.values[i - step.width]) return false;
  }
  return true;
}

bool is_access(Step::Kind kind) {
  return kind == Step::Kind::access || kind == Step::Kind::fault;
}

std::uint64_t& first_of(std::vector<std::uint64_t>& first, std::uint32_t instruction) {
  if (first.size() <= instruction) first.resize(instruction + std::size_t{1});
  return first[instruction];
}

void put_access(std::string& to, const Step& step, std::uint64_t& last_first) {
  const Lanes lanes = active(step);
  const bool row = is_row(lanes);
  std::uint8_t form = static_cast<std::uint8_t>(step.type);
  if (step.shared) form |= kShared;
  if (row) form |= kRow;
  if (!step.values.empty()) form |= has_one_value(step) ? kOneValue : kValues;
  to += static_cast<char>(form);
  put(to, step.width);
  put_signed(to, lanes.address[0] - last_first);
  last_first = lanes.address[0];
  const std::size_t differences = row ? std::min<std::size_t>(lanes.count, 2) : lanes.count;
  for (std::size_t i = 1; i < differences; ++i) {
    put_signed(to, lanes.address[i] - lanes.address[i - 1]);
  }
  put(to, step.passes);
  put(to, step.ideal);
  const std::size_t bytes = (form & kOneValue) != 0 ? step.width : step.values.size();
  to.append(reinterpret_cast<const char*>(step.values.data()), bytes);
}

void read_access(ByteReader& from, Step& step, std::uint64_t& last_first) {
  const std::uint8_t form = from.byte();
  if ((form & kTypeBits) > static_cast<int>(AccessType::atomic) || form >= 2 * kValues ||
      (form & (kOneValue | kValues)) == (kOneValue | kValues)) {
    throw BadRecording("the recording has an invalid access");
  }
  step.type = static_cast<AccessType>(form & kTypeBits);
  step.shared = (form & kShared) != 0;
  step.width = from.number32(kMostWidth, "width");
  if (step.width == 0 || step.lanes == 0) throw BadRecording("the recording has an empty access");
  std::uint64_t address = last_first += from.difference();
  std::uint64_t distance = 0;
  std::size_t number = 0;
  for_lanes(step.lanes, [&](std::size_t lane) {
    if (number == 1 || (number > 1 && (form & kRow) == 0)) distance = from.difference();
    if (number++ != 0) address += distance;
    step.address[lane] = address;
  });
  step.passes = from.number32(~0u, "count");
  step.ideal = from.number32(~0u, "count");
  step.values.clear();
  if ((form & (kOneValue | kValues)) == 0) return;
  const std::string_view raw = from.raw((form & kOneValue) != 0 ? step.width : step.width * number);
  const auto* const bytes = reinterpret_cast<const std::byte*>(raw.data());
  while (step.values.size() < step.width * number) {
    step.values.insert(step.values.end(), bytes, bytes + raw.size());
  }
}

}  // namespace

void StepWriter::add(const Step& step) {
  std::uint8_t head = static_cast<std::uint8_t>(step.kind);
  if (count_ == 0 || step.warp != warp_) head |= kWarp;
  if (step.lanes != lanes_[step.warp]) head |= kLanes;
  bytes_ += static_cast<char>(head);
  if ((head & kWarp) != 0) put(bytes_, step.warp);
  put_signed(bytes_, std::uint64_t{step.instruction} - instruction_[step.warp]);
  if ((head & kLanes) != 0) put_lanes(bytes_, step.lanes);
  warp_ = step.warp;
  lanes_[step.warp] = step.lanes;
  instruction_[step.warp] = step.instruction;
  ++count_;
  if (is_access(step.kind)) {
    put_access(bytes_, step, first_of(first_, step.instruction));
  } else if (step.kind == Step::Kind::diverge) {
    put_lanes(bytes_, step.other);
  } else if (step.kind != Step::Kind::leave) {
    put(bytes_, step.count);
  }
}

void for_each_step(const Block& block, const std::function<void(const Step&)>& use) {
  ByteReader from(block.steps);
  std::array<std::uint32_t, kMostWarps> lanes = {};
  std::array<std::uint32_t, kMostWarps> instruction = {};
  std::vector<std::uint64_t> first(block.instructions.size());
  Step step;
  for (std::uint32_t i = 0; i < block.step_count; ++i) {
    const std::uint8_t head = from.byte();
    if ((head & 7) > static_cast<int>(Step::Kind::leave) || head >= 2 * kLanes) {
      throw BadRecording("the recording has an invalid step");
    }
    step.kind = static_cast<Step::Kind>(head & 7);
    if ((head & kWarp) != 0) {
      const auto warps = static_cast<std::uint32_t>((block.threads() + 31) / 32);
      step.warp = from.number32(warps - 1, "warp");
    }
    const std::uint64_t number = instruction[step.warp] + from.difference();
    if (number >= block.instructions.size()) {
      throw BadRecording("the recording has an invalid instruction");
    }
    step.instruction = instruction[step.warp] = static_cast<std::uint32_t>(number);
    if ((head & kLanes) != 0) lanes[step.warp] = from.lanes();
    step.lanes = lanes[step.warp];
    step.count = step.other = 0;
    if (is_access(step.kind)) {
      read_access(from, step, first[step.instruction]);
    } else if (step.kind == Step::Kind::diverge) {
      step.other = from.lanes();
    } else if (step.kind != Step::Kind::leave) {
      step.count = from.number32(~0u, "count");
    }
    use(step);
  }
  if (!from.at_end()) throw BadRecording("the recording has bytes after its last step");
}

}  // namespace warpsim::recording
