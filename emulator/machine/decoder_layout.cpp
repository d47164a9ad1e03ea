#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "emulator/machine/address.h"
#include "emulator/machine/decoder.h"

// Where a function's registers, constants, special registers and variables are: in the frame of a
// warp, or in memory.

namespace warpsim {
namespace {

/// Local memory that a thread can have on any card.
constexpr std::size_t kMaxLocalBytes = 512 * 1024;
constexpr std::size_t kMaxFrameBytes = std::size_t{1} << 30;  // offsets in it have 32 bits

constexpr std::size_t kLine = 64;

std::size_t round_up(std::size_t n, std::size_t to) {
  return (n + to - 1) / to * to;
}

/// Where a `__shared__` array of the kernel, or of a function that it calls, is.
std::uint32_t shared_offset(const Kernel& kernel, const ptx::Variable& variable) {
  const auto it = kernel.shared.offset.find(&variable);
  if (it == kernel.shared.offset.end()) {
    throw UnsupportedForm{
        .reason =
            fmt::format("`{}` is shared memory of a function that the kernel was not seen to call",
                        demangle(variable.name))};
  }
  return it->second;
}

struct SpecialRegister {
  std::string_view name;
  FrameValue value;
};

constexpr SpecialRegister kSpecialRegisters[] = {
    {"tid.x", FrameValue::tid_x},
    {"tid.y", FrameValue::tid_y},
    {"tid.z", FrameValue::tid_z},
    {"ntid.x", FrameValue::ntid_x},
    {"ntid.y", FrameValue::ntid_y},
    {"ntid.z", FrameValue::ntid_z},
    {"ctaid.x", FrameValue::ctaid_x},
    {"ctaid.y", FrameValue::ctaid_y},
    {"ctaid.z", FrameValue::ctaid_z},
    {"nctaid.x", FrameValue::nctaid_x},
    {"nctaid.y", FrameValue::nctaid_y},
    {"nctaid.z", FrameValue::nctaid_z},
    {"laneid", FrameValue::laneid},
    {"warpid", FrameValue::warpid},
    {"nwarpid", FrameValue::nwarpid},
    {"smid", FrameValue::smid},
    {"nsmid", FrameValue::nsmid},
    {"gridid", FrameValue::gridid},
    {"lanemask_eq", FrameValue::lanemask_eq},
    {"lanemask_le", FrameValue::lanemask_le},
    {"lanemask_lt", FrameValue::lanemask_lt},
    {"lanemask_ge", FrameValue::lanemask_ge},
    {"lanemask_gt", FrameValue::lanemask_gt},
    {"dynamic_smem_size", FrameValue::dynamic_smem_size},
    {"total_smem_size", FrameValue::total_smem_size},
    {"envreg1", FrameValue::envreg1},
    {"envreg2", FrameValue::envreg2},
    {"clusterid.x", FrameValue::clusterid_x},
    {"clusterid.y", FrameValue::clusterid_y},
    {"clusterid.z", FrameValue::clusterid_z},
    {"nclusterid.x", FrameValue::nclusterid_x},
    {"nclusterid.y", FrameValue::nclusterid_y},
    {"nclusterid.z", FrameValue::nclusterid_z},
    {"cluster_ctaid.x", FrameValue::cluster_ctaid_x},
    {"cluster_ctaid.y", FrameValue::cluster_ctaid_y},
    {"cluster_ctaid.z", FrameValue::cluster_ctaid_z},
    {"cluster_nctaid.x", FrameValue::cluster_nctaid_x},
    {"cluster_nctaid.y", FrameValue::cluster_nctaid_y},
    {"cluster_nctaid.z", FrameValue::cluster_nctaid_z},
    {"cluster_ctarank", FrameValue::cluster_ctarank},
    {"cluster_nctarank", FrameValue::cluster_nctarank},
};

bool is_clock(std::string_view name) {
  return name == "clock" || name == "clock64" || name == "clock_hi" || name == "globaltimer" ||
         name == "globaltimer_lo" || name == "globaltimer_hi";
}

}  // namespace

ptx::Type Decoder::register_type(std::uint32_t reg) const {
  return function_.registers[reg].type;
}

std::int32_t Decoder::allocate(std::size_t bytes) {
  if (frame_bytes_ > kMaxFrameBytes) {
    throw LoadError(
        fmt::format("{} has too many registers and constants", demangle(function_.name)));
  }
  const auto slot = static_cast<std::int32_t>(frame_bytes_);
  frame_bytes_ += round_up(bytes, kLine);
  return slot;
}

/// Registers are virtual and many; those that are never needed at the same time share a slot, so
/// that the warps of a block fit a core's cache. A result never shares with a source of its own
/// instruction: ranges that touch count as overlapping.
std::int32_t Decoder::shared_slot(const LiveRange& range, std::size_t bytes) {
  for (SharedSlot& shared : shared_slots_) {
    if (!linker_.decoding().shares_registers) break;
    if (shared.bytes != bytes || shared.busy_until >= range.first) continue;
    shared.busy_until = range.last;
    return shared.slot;
  }
  shared_slots_.push_back({allocate(bytes), bytes, range.last});
  return shared_slots_.back().slot;
}

std::int32_t Decoder::register_slot(std::uint32_t reg) {
  if (slots_[reg] >= 0) return slots_[reg];
  first_seen_[reg] = ptx_index_;
  const ptx::Type type = register_type(reg);
  if (type != ptx::Type::pred) {
    slots_[reg] = shared_slot(demand_.ranges[reg], kWarpSize * ptx::size_bytes(type));
    return slots_[reg];
  }
  if (predicate_used_ == kLine) {
    predicate_line_ = static_cast<std::size_t>(allocate(kLine));
    predicate_used_ = 0;
  }
  slots_[reg] = static_cast<std::int32_t>(predicate_line_ + predicate_used_);
  predicate_used_ += sizeof(std::uint32_t);
  return slots_[reg];
}

void Decoder::assign_locals() {
  std::size_t used = 0;
  const auto put = [&](const ptx::Variable& variable) {
    used = round_up(used, std::max<std::size_t>(variable.align, 1));
    const auto offset = static_cast<std::uint32_t>(used);
    used += variable.size_bytes;
    return offset;
  };
  if (!function_.is_entry) {
    for (const auto& result : function_.returns) {
      program_.returns.push_back(
          {result.name, put(result), static_cast<std::uint32_t>(result.size_bytes)});
    }
    for (const auto& parameter : function_.parameters) {
      program_.parameters.push_back(
          {parameter.name, put(parameter), static_cast<std::uint32_t>(parameter.size_bytes)});
    }
  }
  for (const auto& variable : function_.variables) {
    const bool local = variable.space == ptx::Space::local || variable.space == ptx::Space::param;
    variable_offset_.push_back(local ? put(variable) : 0);
  }
  if (used > kMaxLocalBytes) {
    throw LoadError(fmt::format("{} needs {} bytes of local memory per thread; a card has {}",
                                demangle(function_.name), used, kMaxLocalBytes));
  }
  program_.variable_offsets = variable_offset_;
  program_.local_bytes = static_cast<std::uint32_t>(round_up(used, 16));
}

void Decoder::lasts_for_launch(std::int32_t slot, std::size_t bytes) {
  launch_slots_.insert(slot);
  if (function_.is_entry) {
    program_.launch_places.push_back({slot, static_cast<std::uint32_t>(bytes)});
  }
}

void Decoder::keep_uniform(std::int32_t slot, std::size_t bytes) {
  program_.uniform_places.push_back({slot, static_cast<std::uint32_t>(bytes)});
}

std::int32_t Decoder::constant_slot(std::uint64_t bits, std::size_t bytes) {
  const auto key = std::make_pair(bits, bytes);
  const auto [it, added] = constants_.try_emplace(key, 0);
  if (added) {
    it->second = allocate(bytes == 0 ? kLine : kWarpSize * bytes);
    fixed_slots_.insert(it->second);
    lasts_for_launch(it->second, kWarpSize * bytes);
    if (bytes != 0) keep_uniform(it->second, kWarpSize * bytes);
    constant_list_.push_back({it->second, key});
  }
  return it->second;
}

std::int32_t Decoder::frame_slot(FrameValue value, std::size_t bytes, std::uint64_t operand) {
  const auto key = std::make_pair(std::make_pair(static_cast<int>(value), bytes), operand);
  const auto [it, added] = frame_values_.try_emplace(key, 0);
  if (added) {
    it->second = allocate(kWarpSize * bytes);
    fixed_slots_.insert(it->second);
    if (!changes_with_block(value)) lasts_for_launch(it->second, kWarpSize * bytes);
    if (!changes_with_lane(value)) keep_uniform(it->second, kWarpSize * bytes);
    auto& slots = changes_with_block(value) ? program_.block_slots : program_.frame_slots;
    slots.push_back({value, static_cast<std::uint8_t>(bytes), it->second, operand});
    if (changes_with_warp(value)) differs_by_warp(it->second, kWarpSize * bytes);
  }
  return it->second;
}

std::int32_t Decoder::special_slot(std::string_view name, std::size_t bytes) {
  if (is_clock(name)) {
    Inst inst;
    inst.run = read_clock;
    inst.d = allocate(kWarpSize * bytes);
    inst.width = static_cast<std::uint8_t>(bytes);
    inst.aux = name == "clock_hi" || name == "globaltimer_hi" ? 1 : 0;
    emit_before(inst);
    return inst.d;
  }
  // A predicate: the first word of its slot is the mask of lanes.
  if (name == "is_explicit_cluster") return frame_slot(FrameValue::is_explicit_cluster, 4);
  if (name == "WARP_SZ") return constant_slot(kWarpSize, bytes);
  if (name == "reserved_smem_offset_0")
    return constant_slot(kernel_.shared.reserved_offset[0], bytes);
  if (name == "reserved_smem_offset_1")
    return constant_slot(kernel_.shared.reserved_offset[1], bytes);
  for (const auto& special : kSpecialRegisters) {
    if (special.name == name) return frame_slot(special.value, bytes);
  }
  if (name.starts_with("envreg") || name.starts_with("pm")) {
    return frame_slot(FrameValue::zero, bytes);
  }
  throw UnsupportedForm{.reason = fmt::format("special register %{}", name)};
}

std::int32_t Decoder::carry_slot() {
  if (carry_ < 0) carry_ = allocate(kLine);
  return carry_;
}

Decoder::Place Decoder::place(const ptx::Operand& operand) const {
  using Kind = Place::Kind;
  const auto offset = static_cast<std::uint64_t>(operand.offset);
  if (operand.variable != ptx::kNoIndex) {
    const auto& variable = function_.variables[operand.variable];
    if (variable.space == ptx::Space::shared) {
      return {Kind::shared, shared_offset(kernel_, variable) + offset, variable.size_bytes};
    }
    if (variable.space == ptx::Space::local || variable.space == ptx::Space::param) {
      return {Kind::local, variable_offset_[operand.variable] + offset, variable.size_bytes};
    }
  }
  if (function_.is_entry) {
    for (std::size_t i = 0; i < function_.parameters.size(); ++i) {
      if (function_.parameters[i].name == operand.text) {
        return {Kind::kernel_parameter, kernel_.info.parameter_offsets[i] + offset,
                function_.parameters[i].size_bytes};
      }
    }
  } else {
    for (const auto* list : {&program_.parameters, &program_.returns}) {
      for (const auto& parameter : *list) {
        if (parameter.name == operand.text) {
          return {Kind::local, parameter.offset + offset, parameter.bytes};
        }
      }
    }
  }
  if (const auto it = module().shared.find(operand.text); it != module().shared.end()) {
    return {Kind::shared, shared_offset(kernel_, *it->second) + offset, it->second->size_bytes};
  }
  if (const Symbol* symbol = linker_.resolve_symbol(module(), operand.text)) {
    return {Kind::global, symbol->allocation->base + offset, symbol->allocation->size};
  }
  return {};
}

std::int32_t Decoder::symbol_slot(const ptx::Operand& operand, std::size_t bytes) {
  const Place where = place(operand);
  switch (where.kind) {
    case Place::Kind::shared:
    case Place::Kind::global:
    case Place::Kind::kernel_parameter:
      return constant_slot(where.address, bytes);
    case Place::Kind::local:
      return frame_slot(FrameValue::local_address, bytes, where.address);
    case Place::Kind::none:
      break;
  }
  if (const FunctionRef* ref = linker_.resolve_function(module(), operand.text);
      ref != nullptr && ref->builtin != FunctionRef::Builtin::unresolved) {
    return constant_slot(kFunctionWindow + 16 * ref->number, bytes);
  }
  throw UnsupportedForm{.reason = fmt::format("undefined symbol '{}'", operand.text)};
}

void Decoder::fill_frame_image() {
  program_.frame_image.assign(round_up(frame_bytes_, kLine), std::byte{0});
  for (const auto& [slot, key] : constant_list_) {
    const auto& [bits, bytes] = key;
    std::byte* to = program_.frame_image.data() + slot;
    if (bytes == 0) {
      const std::uint32_t mask = bits ? kFullMask : 0;
      std::memcpy(to, &mask, sizeof mask);
    } else {
      for (int lane = 0; lane < kWarpSize; ++lane) {
        std::memcpy(to + static_cast<std::size_t>(lane) * bytes, &bits,
                    std::min<std::size_t>(bytes, 8));
      }
    }
  }
}

}  // namespace warpsim
