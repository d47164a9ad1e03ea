#include <algorithm>
#include <bit>
#include <cstring>

#include "emulator/machine/for_lanes.h"
#include "emulator/recording/bytes.h"

// A step is one byte with its kind and what changed since the warp's last step, then numbers.

namespace warpsim::recording {
namespace {

enum ChangedInStep : std::uint8_t { kOtherWarp = 8, kOtherLanes = 16 };
enum StepForm : std::uint8_t {
  kTypeBits = 3,
  kShared = 4,
  kAddressRow = 8,  // addresses have one distance
  kSameValue = 16,
  kValues = 32,
};

struct Lanes {
  std::array<std::uint64_t, 32> address;  // of the active lanes, without gaps
  std::size_t count = 0;
};

/// Whether all addresses have one distance.
bool is_row(const Lanes& lanes) {
  const std::uint64_t distance = lanes.address[1] - lanes.address[0];
  for (std::size_t i = 2; i < lanes.count; ++i) {
    if (lanes.address[i] - lanes.address[i - 1] != distance) return false;
  }
  return true;
}

bool has_one_value(const Step& step) {
  return step.values.size() <= step.width ||
         std::memcmp(step.values.data(), step.values.data() + step.width,
                     step.values.size() - step.width) == 0;
}

/// Numbers in a buffer that has room for those of an access.
class Numbers {
 public:
  void byte(std::uint8_t value) { *at_++ = static_cast<char>(value); }
  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) byte(static_cast<std::uint8_t>(value | 0x80));
    byte(static_cast<std::uint8_t>(value));
  }
  void difference(std::uint64_t value) { number(zigzag(value)); }
  void lanes(std::uint32_t value) {
    for (int i = 0; i < 4; ++i) byte(static_cast<std::uint8_t>(value >> (8 * i)));
  }
  [[nodiscard]] std::string_view text() const {
    return {bytes_.data(), static_cast<std::size_t>(at_ - bytes_.data())};
  }

 private:
  static constexpr std::size_t kLongest = 10;  // of a number
  std::array<char, (32 + 8) * kLongest> bytes_;
  char* at_ = bytes_.data();
};

bool is_access(Step::Kind kind) {
  return kind == Step::Kind::access || kind == Step::Kind::fault;
}

std::uint64_t& first_of(std::vector<std::uint64_t>& first, std::uint32_t instruction) {
  if (first.size() <= instruction) first.resize(instruction + std::size_t{1});
  return first[instruction];
}

void put_access(std::string& to, const Step& step, std::uint64_t& last_first) {
  Lanes lanes;
  for_lanes(step.lanes,
            [&](std::size_t lane) { lanes.address[lanes.count++] = step.address[lane]; });
  if (lanes.count < 2) lanes.address[1] = lanes.address[0];
  const bool row = is_row(lanes);
  std::uint8_t form = static_cast<std::uint8_t>(step.type);
  if (step.shared) form |= kShared;
  if (row) form |= kAddressRow;
  if (!step.values.empty()) form |= has_one_value(step) ? kSameValue : kValues;
  Numbers put;
  put.byte(form);
  put.number(step.width);
  put.difference(lanes.address[0] - last_first);
  last_first = lanes.address[0];
  const std::size_t differences = row ? std::min<std::size_t>(lanes.count, 2) : lanes.count;
  for (std::size_t i = 1; i < differences; ++i) {
    put.difference(lanes.address[i] - lanes.address[i - 1]);
  }
  put.number(step.passes);
  put.number(step.ideal);
  to += put.text();
  const std::size_t bytes = (form & kSameValue) != 0 ? step.width : step.values.size();
  to.append(reinterpret_cast<const char*>(step.values.data()), bytes);
}

void read_access(ByteReader& from, Step& step, std::uint64_t& last_first) {
  const std::uint8_t form = from.byte();
  if ((form & kTypeBits) > static_cast<int>(AccessType::atomic) || form >= 2 * kValues ||
      (form & (kSameValue | kValues)) == (kSameValue | kValues)) {
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
    if (number == 1 || (number > 1 && (form & kAddressRow) == 0)) distance = from.difference();
    if (number++ != 0) address += distance;
    step.address[lane] = address;
  });
  step.passes = from.number32(~0u, "count");
  step.ideal = from.number32(~0u, "count");
  step.values.clear();
  if ((form & (kSameValue | kValues)) == 0) return;
  const std::string_view raw =
      from.raw((form & kSameValue) != 0 ? step.width : step.width * number);
  const auto* const bytes = reinterpret_cast<const std::byte*>(raw.data());
  while (step.values.size() < step.width * number) {
    step.values.insert(step.values.end(), bytes, bytes + raw.size());
  }
}

}  // namespace

void StepWriter::begin(Step::Kind kind, std::uint32_t warp, std::uint32_t instruction,
                       std::uint32_t lanes) {
  std::uint8_t head = static_cast<std::uint8_t>(kind);
  if (count_ == 0 || warp != warp_) head |= kOtherWarp;
  if (lanes != lanes_[warp]) head |= kOtherLanes;
  Numbers put;
  put.byte(head);
  if ((head & kOtherWarp) != 0) put.number(warp);
  put.difference(std::uint64_t{instruction} - instruction_[warp]);
  if ((head & kOtherLanes) != 0) put.lanes(lanes);
  bytes_ += put.text();
  warp_ = warp;
  lanes_[warp] = lanes;
  instruction_[warp] = instruction;
  ++count_;
}

void StepWriter::add(const Step& step) {
  begin(step.kind, step.warp, step.instruction, step.lanes);
  if (is_access(step.kind)) {
    put_access(bytes_, step, first_of(first_, step.instruction));
  } else if (step.kind == Step::Kind::diverge) {
    put_lanes(bytes_, step.other);
  } else if (step.kind != Step::Kind::leave) {
    put(bytes_, step.count);
  }
}

void StepWriter::add_run(std::uint32_t warp, std::uint32_t instruction, std::uint32_t lanes,
                         std::uint32_t count) {
  begin(Step::Kind::run, warp, instruction, lanes);
  put(bytes_, count);
}

void for_each_step(const Block& block, const std::function<void(const Step&)>& use) {
  ByteReader from(block.steps);
  std::array<std::uint32_t, kMostWarps> lanes = {};
  std::array<std::uint32_t, kMostWarps> instruction = {};
  std::vector<std::uint64_t> first(block.instructions.size());
  Step step;
  for (std::uint32_t i = 0; i < block.step_count; ++i) {
    const std::uint8_t head = from.byte();
    if ((head & 7) > static_cast<int>(Step::Kind::leave) || head >= 2 * kOtherLanes) {
      throw BadRecording("the recording has an invalid step");
    }
    step.kind = static_cast<Step::Kind>(head & 7);
    if ((head & kOtherWarp) != 0) {
      const auto warps = static_cast<std::uint32_t>((block.threads() + 31) / 32);
      step.warp = from.number32(warps - 1, "warp");
    }
    const std::uint64_t number = instruction[step.warp] + from.difference();
    if (number >= block.instructions.size()) {
      throw BadRecording("the recording has an invalid instruction");
    }
    step.instruction = instruction[step.warp] = static_cast<std::uint32_t>(number);
    if ((head & kOtherLanes) != 0) lanes[step.warp] = from.lanes();
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
