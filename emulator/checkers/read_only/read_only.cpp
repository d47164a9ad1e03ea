#include "emulator/checkers/read_only/read_only.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

#include "emulator/findings/plural.h"
#include "emulator/isa/description.h"
#include "emulator/machine/address.h"
#include "emulator/machine/context.h"
#include "emulator/machine/faults.h"
#include "emulator/machine/for_lanes.h"
#include "emulator/machine/linker.h"

namespace warpsim {
namespace {

/// The arrays that arguments point into.
std::vector<const Extent*> arrays_of(const LaunchState& launch, AddressSources sources) {
  std::vector<const Extent*> arrays;
  const KernelInfo& kernel = launch.program->kernel->info;
  for (std::size_t i = 0; i < kernel.parameter_sizes.size() && i < kMostParameters; ++i) {
    if ((sources >> i & 1) == 0) continue;
    const std::size_t end = kernel.parameter_offsets[i] + kernel.parameter_sizes[i];
    // A structure may have pointers; they are aligned.
    for (std::size_t at = (kernel.parameter_offsets[i] + 7) / 8 * 8; at + 8 <= end; at += 8) {
      std::uint64_t address = 0;
      std::memcpy(&address, launch.parameters.data() + at, sizeof address);
      if (const Extent* const extent = launch.find(address)) arrays.push_back(extent);
    }
  }
  return arrays;
}

/// @returns from 1; number 0 means none
std::uint32_t thread_number(const WarpContext& context, std::size_t lane) {
  const BlockContext& block = *context.block;
  const std::uint64_t thread = block.linear * block.launch->threads_per_block +
                               context.warp.warp_index * std::uint64_t{kWarpSize} + lane;
  // More threads than numbers would take the emulator months.
  return static_cast<std::uint32_t>(thread % std::numeric_limits<std::uint32_t>::max() + 1);
}

std::string describe_number(const LaunchState& launch, std::uint32_t number) {
  const std::uint64_t thread = number - 1;
  const auto in_block = static_cast<std::uint32_t>(thread % launch.threads_per_block);
  return describe_thread(launch, thread / launch.threads_per_block, in_block / kWarpSize,
                         static_cast<int>(in_block % kWarpSize));
}

}  // namespace

const GlobalAddresses& ReadOnlyLoads::addresses_of(const LaunchState& launch) {
  const Program& program = *launch.program;
  const auto known = addresses_.find(&program);
  if (known != addresses_.end()) return known->second;
  GlobalAddresses addresses = global_addresses(*program.function);
  if (program.kernel->has_calls) {  // functions may have any access
    const auto& functions = program.module->ptx.functions;
    const bool has_any = std::ranges::any_of(functions, [](const ptx::Function& function) {
      return !function.is_entry && global_addresses(function).read_only != 0;
    });
    if (has_any) addresses.read_only |= kElsewhere;
    addresses.written |= kElsewhere;
  }
  return addresses_.emplace(&program, addresses).first->second;
}

/// Whether a read-only load and a store may reach the same array. Fills in which.
bool ReadOnlyLoads::may_meet(const LaunchState& launch) {
  const GlobalAddresses& addresses = addresses_of(launch);
  if (addresses.read_only == 0 || addresses.written == 0) return false;
  if (((addresses.read_only | addresses.written) & kElsewhere) != 0) return true;
  const std::vector<const Extent*> written = arrays_of(launch, addresses.written);
  for (const Extent* const read : arrays_of(launch, addresses.read_only)) {
    if (std::ranges::find(written, read) == written.end()) continue;
    const Range range{read->base, read->end};
    if (std::ranges::find(arrays_, range) == arrays_.end()) arrays_.push_back(range);
  }
  return !arrays_.empty();
}

Follows ReadOnlyLoads::begin_launch(LaunchState& launch) {
  arrays_.clear();
  sites_.clear();
  site_of_.clear();
  uses_.clear();
  followed_ = may_meet(launch);
  return followed_ ? Follows::accesses : Follows::nothing;
}

void ReadOnlyLoads::end_launch(LaunchState& launch) {
  for (Site& site : sites_) {
    if (site.finding) launch.findings->add(std::move(*site.finding));
  }
  sites_.clear();
  site_of_.clear();
  uses_.clear();
}

bool ReadOnlyLoads::is_followed(std::uint64_t address) const {
  return arrays_.empty() || std::ranges::any_of(arrays_, [&](const Range& array) {
           return address >= array.first && address < array.second;
         });
}

ReadOnlyLoads::Site& ReadOnlyLoads::site_of(WarpContext& context, const Inst& in) {
  Site*& site = site_of_[&in];
  if (site == nullptr) {
    site = &sites_.emplace_back();
    site->program = context.frame().program;
    site->inst = &in;
    site->number = static_cast<std::uint16_t>(
        std::min<std::size_t>(sites_.size() - 1, std::numeric_limits<std::uint16_t>::max()));
    const ptx::Instruction* const source = site->program->source[in.index];
    site->read_only = source != nullptr && describe(*source).read_only;
  }
  return *site;
}

void ReadOnlyLoads::note(WarpContext& context, Site& site, std::size_t lane, std::uint64_t address,
                         std::uint32_t bytes) {
  if (!is_followed(address)) return;
  const std::uint32_t thread = thread_number(context, lane);
  const ByteUse use{thread, site.number};
  if (site.read_only) {
    const auto write = uses_.read(address, bytes, use);
    if (write) report(context, site, thread, sites_[write->site], write->thread, address);
  } else {
    const auto read = uses_.write(address, bytes, use);
    if (read) report(context, sites_[read->site], read->thread, site, thread, address);
  }
}

void ReadOnlyLoads::access(WarpContext& context, const MemoryAccess& access) {
  if (access.space != ptx::Space::global) return;
  Site& site = site_of(context, access.in);
  if (access.type == AccessType::load && !site.read_only) return;
  std::uint64_t address[kWarpSize];
  access.spread(address);
  for_lanes(access.lanes,
            [&](std::size_t lane) { note(context, site, lane, address[lane], access.width); });
}

void ReadOnlyLoads::transfer(WarpContext& context, const Inst& in, std::uint64_t address,
                             std::uint64_t bytes, AccessType type) {
  if (type == AccessType::load || bytes == 0 || in_window(address, kSharedWindow) ||
      in_window(address, kLocalWindow) || in_window(address, kParamWindow)) {
    return;
  }
  const auto lane = static_cast<std::size_t>(std::countr_zero(context.warp.active));
  note(context, site_of(context, in), lane, address, static_cast<std::uint32_t>(bytes));
}

void ReadOnlyLoads::report(WarpContext& context, Site& read, std::uint32_t reader,
                           const Site& write, std::uint32_t writer, std::uint64_t address) {
  if (read.finding) {
    ++read.finding->count;
    return;
  }
  const LaunchState& launch = *context.block->launch;
  Finding f = finding_at(launch, *read.program, *read.inst, FindingKind::read_only_written);
  f.order = {launch.launch_number, context.block->linear, order_in_block(context)};
  const SourcePlace other = source_place(*write.program, write.inst->index);
  f.other_file = other.file;
  f.other_line = other.line;
  const Extent* const extent = launch.find(address);
  const std::string name = extent == nullptr ? "global memory" : extent->allocation->in_words();
  const std::uint32_t width = read.inst->width;
  f.message = fmt::format(
      "{}-byte load through the read-only cache of {}, which this kernel writes", width, name);
  f.who = describe_number(launch, reader);
  f.access = {.offset = static_cast<std::int64_t>(address - (extent == nullptr ? 0 : extent->base)),
              .width = width,
              .bytes = extent == nullptr ? 0 : extent->allocation->size};
  f.got = fmt::format("{}, which {} writes at {}", f.access.in_words(),
                      reader == writer ? "the same thread" : describe_number(launch, writer),
                      describe_place(*write.program, *write.inst));
  f.want = "memory that nothing writes while the kernel runs";
  f.next =
      "`const` with `__restrict__`, or `__ldg`, promises that. Pass arrays that do not overlap, or "
      "read with a pointer that makes no promise.";
  read.finding = std::move(f);
}

std::unique_ptr<Observer> make_read_only_checker() {
  return std::make_unique<ReadOnlyLoads>();
}

}  // namespace warpsim
