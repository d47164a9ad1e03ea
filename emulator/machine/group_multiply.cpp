#include "emulator/machine/group_multiply.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "emulator/machine/access.h"
#include "emulator/machine/async.h"
#include "emulator/machine/faults.h"
#include "emulator/machine/for_lanes.h"
#include "emulator/machine/group_registers.h"
#include "emulator/machine/group_state.h"
#include "emulator/machine/tell.h"
#include "emulator/machine/whole_warp.h"

namespace warpsim {
namespace {

constexpr std::uint32_t kChunk = 16;  // bytes that lie together in every layout
constexpr std::uint32_t kGroupWarps = 4;

const GroupMultiply& multiply_of(const Inst& in) {
  return *static_cast<const GroupMultiply*>(in.extra);
}

/// Reads chunks of 16 bytes of shared memory as if the lanes of a warp did, 32 at a time.
class ChunkReader {
 public:
  ChunkReader(WarpContext& context, const Inst& in) : context_(context), in_(in) {}

  /// The chunk's elements of `width` bytes go to `to`, `to + step`, ...
  void read(std::uint32_t offset, std::byte* to, std::uint32_t step, std::uint32_t width) {
    at_.address[count_] = offset;
    chunks_.push_back(offset);
    places_[count_] = {to, step, width};
    if (++count_ == kWarpSize) finish();
  }
  void finish() {
    if (count_ == 0) return;
    Warp& warp = context_.warp;
    const std::uint32_t active = warp.active;
    warp.active = count_ == kWarpSize ? kFullMask : (1u << count_) - 1;
    settle_access(
        context_,
        {.in = in_, .space = ptx::Space::shared, .type = AccessType::load, .width = kChunk}, at_);
    warp.active = active;
    fatal_ = fatal_ || at_.fatal;
    for (std::uint32_t i = 0; i < count_; ++i) {
      std::byte chunk[kChunk];
      if (((at_.lanes >> i) & 1) != 0) {
        std::memcpy(chunk, at_.host[i], kChunk);
      } else {
        std::memset(chunk, 0xCB, kChunk);
      }
      const auto& [to, step, width] = places_[i];
      for (std::uint32_t e = 0; e < kChunk / width; ++e) {
        std::memcpy(to + e * step, chunk + e * width, width);
      }
    }
    count_ = 0;
  }
  [[nodiscard]] bool fatal() const { return fatal_; }
  /// Offsets of all that was read.
  [[nodiscard]] std::vector<std::uint32_t> take_chunks() { return std::move(chunks_); }

 private:
  struct Place {
    std::byte* to;
    std::uint32_t step, width;
  };
  WarpContext& context_;
  const Inst& in_;
  Located at_;
  Place places_[kWarpSize];
  std::vector<std::uint32_t> chunks_;
  std::uint32_t count_ = 0;
  bool fatal_ = false;
};

/// Reads `rows` rows of an operand, from `first` on, into rows of 32 bytes.
void read_operand(ChunkReader& reader, const GroupDescriptor& from, bool across_k,
                  std::uint32_t first, std::uint32_t rows, std::byte* to) {
  constexpr std::uint32_t kRow = GroupMultiply::kRowBytes;
  if (!across_k) {
    for (std::uint32_t row = 0; row < rows; ++row) {
      for (std::uint32_t chunk = 0; chunk < kRow / kChunk; ++chunk) {
        reader.read(from.along_k(first + row, chunk), to + row * kRow + chunk * kChunk, kChunk,
                    kChunk);
      }
    }
  } else {
    constexpr std::uint32_t kElement = 2;  // bytes
    constexpr std::uint32_t kAcross = kChunk / kElement;
    for (std::uint32_t chunk = 0; chunk < rows / kAcross; ++chunk) {
      for (std::uint32_t k = 0; k < kRow / kElement; ++k) {
        reader.read(from.across_k(first / kAcross + chunk, k),
                    to + chunk * kAcross * kRow + k * kElement, kRow, kElement);
      }
    }
  }
  reader.finish();
}

GroupState& state_of(WarpContext& context) {
  auto& state = async_of(context).groups;
  if (state == nullptr) state = std::make_shared<GroupState>();
  return *state;
}

std::uint64_t hash(const BlockContext& block, const std::vector<std::uint32_t>& chunks) {
  std::uint64_t value = 0;
  for (const std::uint32_t offset : chunks) {
    if (offset + kChunk > block.shared.size()) continue;
    std::uint64_t words[kChunk / 8];
    std::memcpy(words, block.shared.data() + offset, kChunk);
    for (const std::uint64_t word : words)
      value = (value ^ word) * 0x9e3779b97f4a7c15 + (value >> 29);
  }
  return value;
}

void report(const WarpContext& context, const Inst& in, FindingKind kind, std::string message,
            std::string got, std::string want, std::string next) {
  if (!comes_first(context, in, kind, context.executed)) return;
  Finding f = finding_at(context, in, context.warp.active, kind);
  f.message = std::move(message);
  f.got = std::move(got);
  f.want = std::move(want);
  f.next = std::move(next);
  log(context, std::move(f));
}

/// The descriptor of an operand, which all threads of a warp have to give alike.
GroupDescriptor find_descriptor(const WarpContext& context, const Inst& in,
                                const GroupMemory& memory, std::string_view operand) {
  const auto* const bits = context.warp.reg<std::uint64_t>(memory.descriptor);
  if (std::any_of(bits, bits + kWarpSize, [&](std::uint64_t other) { return other != bits[0]; })) {
    report(
        context, in, FindingKind::matrix_descriptor,
        fmt::format("threads of a warp give different descriptors of {}", operand),
        "a descriptor that depends on the thread", "the same descriptor in all threads",
        "Compute it from what all threads of the warp have in common, such as threadIdx.x / 32.");
  }
  const GroupDescriptor descriptor = GroupDescriptor::decode(bits[0]);
  if (descriptor.unknown != 0) {
    report(context, in, FindingKind::matrix_descriptor,
           fmt::format("the descriptor of {} has bits set that mean nothing", operand),
           fmt::format("{:#018x}", bits[0]),
           "address in bits 0 to 13, leading offset in 16 to 29, stride offset in 32 to 45 (all in "
           "units of 16 bytes), base offset in 49 to 51, swizzle in 62 and 63",
           "Mask the address with 0x3ffff before it is divided by 16.");
  }
  const auto& boxes = async_of(*context.block).boxes;
  const std::uint32_t first = descriptor.start;
  const auto box = std::ranges::find_if(
      boxes, [&](const TensorBox& one) { return one.begin <= first && first < one.end; });
  if (box != boxes.end() && box->swizzle != descriptor.swizzle) {
    const auto name = [](std::uint32_t bytes) {
      return bytes == 0 ? std::string("no swizzle") : fmt::format("a swizzle of {} bytes", bytes);
    };
    report(context, in, FindingKind::matrix_descriptor,
           fmt::format("the descriptor of {} names another swizzle than the tensor map that its "
                       "elements were loaded by",
                       operand),
           fmt::format("{} in the descriptor, {} in the tensor map", name(descriptor.swizzle),
                       name(box->swizzle)),
           "the same swizzle in both",
           "Bits 62 and 63 of the descriptor: 1 for 128 bytes, 2 for 64, 3 for 32, 0 for none.");
  }
  return descriptor;
}

void check_group(const WarpContext& context, const Inst& in) {
  const LaunchState& launch = *context.block->launch;
  const std::uint32_t first = context.warp.warp_index / kGroupWarps * kGroupWarps;
  if ((first + kGroupWarps) * kWarpSize <= launch.threads_per_block) return;
  report(context, in, FindingKind::warp_group, "wgmma in a warp group that is not complete",
         fmt::format("{} threads in the block, of which the last warp group has {}",
                     launch.threads_per_block, launch.threads_per_block - first * kWarpSize),
         "four warps, the first of which has a number that is a multiple of four",
         "Launch a multiple of 128 threads.");
}

/// Operands of groups that are complete must be what they were.
void finish_works(WarpContext& context, GroupState& state) {
  std::erase_if(state.works, [&](const GroupWork& work) {
    if (state.under_way(work.group)) return false;
    if (hash(*context.block, work.chunks) != work.content) {
      Finding f = finding_at(work.site, FindingKind::group_operand);
      f.message = "an operand of wgmma was changed in shared memory before wgmma.wait_group";
      f.got = "other bytes there when the warp waited than when wgmma was issued";
      f.want = "operands that stay as they are until the wgmma is complete";
      f.next = "Wait for the group before anybody writes to its buffers.";
      log(context, std::move(f));
    }
    return true;
  });
}

}  // namespace

const GroupWork* group_reader(const BlockContext& block, std::uint32_t offset,
                              std::uint32_t bytes) {
  if (block.async == nullptr) return nullptr;
  for (const WarpAsync& warp : block.async->warps) {
    if (warp.groups == nullptr) continue;
    for (const GroupWork& work : warp.groups->works) {
      for (const std::uint32_t chunk : work.chunks) {
        if (chunk < offset + bytes && offset < chunk + kChunk) return &work;
      }
    }
  }
  return nullptr;
}

void check_warp_groups(const BlockContext& block) {
  if (block.async == nullptr) return;
  const auto& warps = block.async->warps;
  const auto issued = [&](std::size_t i) {
    return warps[i].groups == nullptr ? 0 : warps[i].groups->issued;
  };
  for (std::size_t first = 0; first + kGroupWarps <= warps.size(); first += kGroupWarps) {
    std::size_t most = first;
    std::size_t least = first;
    for (std::size_t i = first; i < first + kGroupWarps; ++i) {
      if (issued(i) > issued(most)) most = i;
      if (issued(i) < issued(least)) least = i;
    }
    if (issued(most) == issued(least)) continue;
    const AsyncSite& site = warps[most].groups->last;
    Finding f = finding_at(site, FindingKind::warp_group);
    f.message = "not all warps of a warp group execute wgmma";
    f.got = fmt::format("{} times by warp {}, {} times by warp {}", issued(most), most,
                        issued(least), least);
    f.want = "each wgmma by all four warps of the group";
    f.next = "Let a condition around wgmma depend on threadIdx.x / 128 only.";
    log(*site.warp, std::move(f));
  }
}

const Inst* begin_group_multiply(Warp& warp, const Inst& in, GroupOperands& operands) {
  if (warp.active != kFullMask) {
    if (const Inst* next = wait_for_whole_warp(warp, in)) return next;
  }
  WarpContext& context = *warp.context;
  const GroupMultiply& op = multiply_of(in);
  check_group(context, in);
  GroupState& state = state_of(context);
  begin_group_registers(context, in, state);
  ChunkReader reader(context, in);
  if (op.a.descriptor >= 0) {
    read_operand(reader, find_descriptor(context, in, op.a, "A"), op.a.across_k,
                 warp.warp_index % kGroupWarps * GroupMultiply::kRows, GroupMultiply::kRows,
                 operands.a[0]);
  }
  read_operand(reader, find_descriptor(context, in, op.b, "B"), op.b.across_k, 0, op.n,
               operands.b[0]);
  if (reader.fatal()) return abort_launch(warp, in, LaunchStatus::illegal_address);
  GroupWork& work = state.works.emplace_back();
  work.site = state.last = site_of(context, in, warp.active);
  work.group = state.open;
  work.chunks = reader.take_chunks();
  work.content = hash(*context.block, work.chunks);
  ++state.issued;
  for (const std::uint32_t chunk : work.chunks) {
    tell(*context.block, &Observer::proxy_read, context, in, std::size_t{0}, chunk, kChunk);
  }
  return nullptr;
}

const Inst* fence_group(Warp& warp, const Inst& in) {
  if (warp.active != kFullMask) {
    if (const Inst* next = wait_for_whole_warp(warp, in)) return next;
  }
  GroupState& state = state_of(*warp.context);
  state.fenced = true;
  for (GroupState::Register& reg : state.registers) reg.written = nullptr;
  return &in + 1;
}

const Inst* commit_group(Warp& warp, const Inst& in) {
  if (warp.active != kFullMask) {
    if (const Inst* next = wait_for_whole_warp(warp, in)) return next;
  }
  ++state_of(*warp.context).open;
  return &in + 1;
}

const Inst* wait_group(Warp& warp, const Inst& in) {
  if (warp.active != kFullMask) {
    if (const Inst* next = wait_for_whole_warp(warp, in)) return next;
  }
  GroupState& state = state_of(*warp.context);
  if (state.open > in.imm) state.finished = std::max(state.finished, state.open - in.imm);
  finish_works(*warp.context, state);
  // Its operands were read for all of the warp: any lane may say that they are free.
  tell(*warp.context->block, &Observer::meet, *warp.context, warp.active);
  return &in + 1;
}

}  // namespace warpsim
