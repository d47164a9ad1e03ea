#include <algorithm>
#include <bit>
#include <cstring>

#include "emulator/changes/changes.h"
#include "emulator/machine/context.h"
#include "emulator/machine/schedule.h"

// What a warp's registers hold before its first instruction, or a function's before its own.

namespace warpsim {
namespace {

template <class T, class F>
void fill_lanes(std::byte* at, F value) {
  for (int lane = 0; lane < kWarpSize; ++lane) {
    const T v = static_cast<T>(value(lane));
    std::memcpy(at + static_cast<std::size_t>(lane) * sizeof(T), &v, sizeof(T));
  }
}

template <class F>
void fill_lanes_of(std::byte* at, std::uint8_t bytes, F value) {
  switch (bytes) {
    case 2:
      fill_lanes<std::uint16_t>(at, value);
      break;
    case 8:
      fill_lanes<std::uint64_t>(at, value);
      break;
    default:
      fill_lanes<std::uint32_t>(at, value);
      break;
  }
}

template <class T>
void fill_with(std::byte* at, std::uint64_t bits) {
  auto* const lanes = static_cast<T*>(__builtin_assume_aligned(at, 64));
  for (int lane = 0; lane < kWarpSize; ++lane) lanes[lane] = static_cast<T>(bits);
}

/// The same value for all lanes.
void fill_value(std::byte* at, std::uint8_t bytes, std::uint64_t bits) {
  switch (bytes) {
    case 2:
      return fill_with<std::uint16_t>(at, bits);
    case 8:
      return fill_with<std::uint64_t>(at, bits);
    default:
      return fill_with<std::uint32_t>(at, bits);
  }
}

std::uint64_t cluster_value(const BlockContext& block, FrameValue value) {
  const Dim3& size = block.launch->cluster;
  const Dim3& grid = block.launch->grid;
  switch (value) {
    case FrameValue::clusterid_x:
      return block.cluster->id.x;
    case FrameValue::clusterid_y:
      return block.cluster->id.y;
    case FrameValue::clusterid_z:
      return block.cluster->id.z;
    case FrameValue::nclusterid_x:
      return grid.x / size.x;
    case FrameValue::nclusterid_y:
      return grid.y / size.y;
    case FrameValue::nclusterid_z:
      return grid.z / size.z;
    case FrameValue::cluster_ctaid_x:
      return block.id.x % size.x;
    case FrameValue::cluster_ctaid_y:
      return block.id.y % size.y;
    case FrameValue::cluster_ctaid_z:
      return block.id.z % size.z;
    case FrameValue::cluster_nctaid_x:
      return size.x;
    case FrameValue::cluster_nctaid_y:
      return size.y;
    case FrameValue::cluster_nctaid_z:
      return size.z;
    case FrameValue::cluster_ctarank:
      return block.rank;
    case FrameValue::cluster_nctarank:
      return size.count();
    case FrameValue::is_explicit_cluster:
      return block.launch->explicit_cluster ? kFullMask : 0;
    default:
      return 0;
  }
}

std::uint64_t uniform_value(const WarpContext& context, const FrameSlot& slot) {
  const BlockContext& block = *context.block;
  const LaunchState& launch = *block.launch;
  switch (slot.value) {
    case FrameValue::ntid_x:
      return launch.block.x;
    case FrameValue::ntid_y:
      return launch.block.y;
    case FrameValue::ntid_z:
      return launch.block.z;
    case FrameValue::ctaid_x:
      return block.id.x;
    case FrameValue::ctaid_y:
      return block.id.y;
    case FrameValue::ctaid_z:
      return block.id.z;
    case FrameValue::nctaid_x:
      return launch.grid.x;
    case FrameValue::nctaid_y:
      return launch.grid.y;
    case FrameValue::nctaid_z:
      return launch.grid.z;
    case FrameValue::warpid:
      return context.warp.warp_index;
    case FrameValue::nwarpid:
      return launch.warps_per_block;
    case FrameValue::smid:
      return block.linear % static_cast<std::uint64_t>(launch.card->multiprocessors);
    case FrameValue::nsmid:
      return static_cast<std::uint64_t>(launch.card->multiprocessors);
    case FrameValue::gridid:
      return launch.launch_number;
    case FrameValue::dynamic_smem_size:
      return launch.dynamic_shared_bytes;
    case FrameValue::total_smem_size:
      return launch.shared_bytes;
    case FrameValue::envreg1:
      return launch.workspace >> 32;
    case FrameValue::envreg2:
      return launch.workspace & 0xffffffffu;
    default:
      return cluster_value(block, slot.value);
  }
}

std::uint64_t lane_value(const WarpContext& context, FrameValue value, int lane) {
  const LaunchState& launch = *context.block->launch;
  const auto bit = static_cast<std::uint32_t>(lane);
  const std::uint64_t thread = context.warp.warp_index * std::uint64_t{kWarpSize} + bit;
  const std::uint32_t eq = 1u << bit;
  switch (value) {
    case FrameValue::tid_x:
      return thread % launch.block.x;
    case FrameValue::tid_y:
      return thread / launch.block.x % launch.block.y;
    case FrameValue::tid_z:
      return thread / (std::uint64_t{launch.block.x} * launch.block.y) % launch.block.z;
    case FrameValue::laneid:
      return bit;
    case FrameValue::lanemask_eq:
      return eq;
    case FrameValue::lanemask_lt:
      return eq - 1;
    case FrameValue::lanemask_le:
      return eq | (eq - 1);
    case FrameValue::lanemask_gt:
      return ~(eq | (eq - 1));
    case FrameValue::lanemask_ge:
      return ~(eq - 1);
    default:
      return 0;
  }
}

std::uint64_t parameter_value(const std::vector<std::byte>& parameters, std::uint64_t operand) {
  const auto offset = static_cast<std::uint32_t>(operand);
  const auto bytes = static_cast<std::size_t>((operand >> 32) & 0xff);
  std::uint64_t bits = 0;
  if (offset + bytes <= parameters.size()) {
    std::memcpy(&bits, parameters.data() + offset, bytes);
  }
  const bool is_signed = (operand >> 40) & 1;
  if (is_signed && bytes < 8) {
    const int shift = 64 - static_cast<int>(bytes) * 8;
    bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(bits << shift) >> shift);
  }
  return bits;
}

void fill_slots(WarpContext& context, const Frame& frame, const std::vector<FrameSlot>& slots) {
  std::byte* window = context.registers.data() + frame.window;
  for (const FrameSlot& slot : slots) {
    std::byte* at = window + slot.slot;
    if (changes_with_lane(slot.value)) {
      fill_lanes_of(at, slot.bytes,
                    [&](int lane) { return lane_value(context, slot.value, lane); });
    } else if (slot.value == FrameValue::local_address) {
      const std::uint64_t address = frame.local_base + slot.operand;
      fill_value(at, slot.bytes, address);
    } else if (slot.value == FrameValue::kernel_parameter) {
      const std::uint64_t bits = parameter_value(context.block->launch->parameters, slot.operand);
      fill_value(at, slot.bytes, bits);
    } else {
      const std::uint64_t bits = uniform_value(context, slot);
      fill_value(at, slot.bytes, bits);
    }
  }
}

}  // namespace

void fill_frame(WarpContext& context, const Frame& frame) {
  const Program& program = *frame.program;
  std::copy(program.frame_image.begin(), program.frame_image.end(),
            context.registers.data() + frame.window);  // of an empty kernel it is empty
  fill_slots(context, frame, program.frame_slots);
  fill_slots(context, frame, program.block_slots);
}

namespace {

/// Copies what differs between the warps of a block out of a frame, in Program::warp_places' order.
std::vector<std::byte> numbers_in(const std::byte* window, const Program& program) {
  std::vector<std::byte> numbers;
  for (const Program::Place& place : program.warp_places) {
    const std::byte* from = window + place.slot;
    numbers.insert(numbers.end(), from, from + place.bytes);
  }
  return numbers;
}

/// Fills the kernel's own frame from nothing, and keeps the numbers of the warp.
void make_frame(WarpContext& context) {
  Worker& worker = *context.worker;
  const Program& program = *worker.launch->program;
  context.registers.reserve(program.window_bytes());
  fill_frame(context, *context.frames.front());
  context.warp.regs = context.registers.data();
  context.warp.active = kFullMask;
  for (const Inst& in : program.ahead) static_cast<void>(in.run(context.warp, in));
  auto& numbers = worker.warp_numbers[context.warp.warp_index];
  if (numbers.empty()) numbers = numbers_in(context.registers.data(), program);
}

/// The frame held the numbers of another warp.
void change_warp(WarpContext& context) {
  const Program& program = *context.worker->launch->program;
  const auto& numbers = context.worker->warp_numbers[context.warp.warp_index];
  if (numbers.empty() && !program.warp_places.empty()) return make_frame(context);
  // Registers take lines of the host's caches, predicates less.
  const std::byte* from = numbers.data();
  for (const Program::Place& place : program.warp_places) {
    std::byte* to = context.registers.data() + place.slot;
    std::size_t left = place.bytes;
    for (; left >= kHostLine; left -= kHostLine, to += kHostLine, from += kHostLine) {
      std::memcpy(to, from, kHostLine);
    }
    for (; left != 0; --left) *to++ = *from++;
  }
}

/// Has the kernel's own frame hold what it holds before the first instruction.
void prepare_frame(WarpContext& context) {
  const Program& program = *context.worker->launch->program;
  const std::uint64_t warp = context.warp.warp_index, block = context.block->linear;
  if (context.numbers_of_warp == WarpContext::kNobody || program.reads_unset_registers) {
    make_frame(context);
  } else {
    if (context.numbers_of_warp != warp) change_warp(context);
    if (context.numbers_of_block != block) {
      fill_slots(context, *context.frames.front(), program.block_slots);
    }
  }
  context.numbers_of_warp = warp;
  context.numbers_of_block = block;
}

/// An experiment: what threads' own arrays hold at first.
void start_local(std::byte* to, std::uint32_t bytes, const Changes& changes) {
  for (const Change& change : changes.list()) {
    if (change.kind == Change::Kind::start && change.name.empty()) {
      fill_words(to, bytes, change.word);
    }
  }
}

}  // namespace

void clear_local(WarpContext& context, std::uint32_t lanes, std::uint32_t base,
                 std::uint32_t bytes) {
  if (bytes == 0) return;
  const Changes* changes = context.block->launch->options.changes.get();
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
    const std::size_t at = lane * context.local_stride + base;
    std::memset(context.local.data() + at, kPoison, bytes);
    if (changes != nullptr) start_local(context.local.data() + at, bytes, *changes);
    std::memset(context.local_written.data() + at, 0, bytes);
  }
}

void start_warp(WarpContext& context) {
  const LaunchState& launch = *context.block->launch;
  context.live = lanes_of(launch, context.warp.warp_index);
  context.executed = 0;
  context.clock = {};
  context.schedule = schedule_state(launch.options.seed, launch.launch_number,
                                    context.block->linear, context.warp.warp_index);
  context.preempted = false;
  context.at_rest = false;
  context.spins = false;
  context.backward = 0;
  context.slow = 0;
  if (context.follower != nullptr) [[unlikely]] {
    context.follower = nullptr;
    context.slots.clear();
  }
  context.polls.reset();
  context.frames.resize(1);
  prepare_frame(context);
  clear_local(context, context.live, 0, launch.program->local_bytes);
  context.splits.clear();
  WarpSplit& all =
      context.splits.emplace_back();  // in its place: a copy would wait for its members
  all.pc = launch.program->code.data();
  all.mask = context.live;
  all.frame = context.frames.front().get();
  context.current = 0;
}

}  // namespace warpsim
