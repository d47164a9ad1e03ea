#include <fmt/format.h>

#include <bit>
#include <filesystem>
#include <functional>
#include <string_view>
#include <utility>

#include "emulator/isa/description.h"
#include "emulator/machine/debugger.h"
#include "emulator/machine/faults.h"
#include "emulator/machine/grid.h"
#include "emulator/machine/linker.h"
#include "emulator/machine/source_lines.h"

// Where and who a finding is about: places in the source, threads, blocks.

namespace warpsim {
namespace {

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

/// The PTX text of an instruction without its indentation and semicolon. One that is written over
/// several lines, as calls are, comes as one.
std::string ptx_text(const Program& program, std::size_t index) {
  const ptx::Instruction* source = program.source[index];
  if (source == nullptr || program.module == nullptr) return std::string(make_return().opcode);
  const std::string& text = *program.module->ptx.text;
  // The opcode is a part of the text, so that its line need not be counted from the beginning: a
  // program with a mistake in every access asks for thousands of texts.
  const std::less<> before;
  const char* const opcode = source->opcode.data();
  if (before(opcode, text.data()) || !before(opcode, text.data() + text.size())) {
    return std::string(source->opcode);
  }
  const std::size_t newline = text.rfind('\n', static_cast<std::size_t>(opcode - text.data()));
  const std::size_t start = newline == text.npos ? 0 : newline + 1;
  std::size_t end = text.find('\n', start);
  if (const std::size_t semicolon = text.find(';', start);
      semicolon != text.npos && semicolon > end) {
    end = semicolon;
  }
  std::string clean;
  for (const char c : std::string_view(text).substr(start, end - start)) {
    const char put = c == '\t' || c == '\n' || c == '\r' ? ' ' : c;
    if (put == ' ' && (clean.empty() || clean.back() == ' ')) continue;
    clean += put;
  }
  while (!clean.empty() && (clean.back() == ';' || clean.back() == ' ')) clean.pop_back();
  return clean;
}

const ptx::SourceLocation* location_of(const Program& program, std::size_t index) {
  const auto& locations = program.module->ptx.locations;
  // Code without a line of its own (line 0) belongs to the statement before or after it.
  for (std::size_t i = index + 1; i-- > 0;) {
    const ptx::Instruction* source = program.source[i];
    if (source == nullptr || source->location == ptx::kNoIndex) continue;
    if (locations[source->location].line != 0) return &locations[source->location];
  }
  return nullptr;
}

/// What Numba calls all PTX that it links.
constexpr std::string_view kNumbaOrigin = "<cudapy-ptx>";

}  // namespace

std::string describe_lanes(std::uint32_t lanes, const char* what) {
  const int count = std::popcount(lanes);
  return count == 1 ? std::string() : fmt::format("; first of {} lanes {}", count, what);
}

std::uint64_t order_in_block(const WarpContext& context) {
  return context.warp.warp_index * (std::uint64_t{1} << 40) + context.executed;
}

std::string instruction_text(const Program& program, std::size_t index) {
  return ptx_text(program, index);
}

SourcePlace source_place(const Program& program, std::size_t index) {
  const ptx::SourceLocation* location = location_of(program, index);
  if (location == nullptr) return {program.module->origin};
  location = own_location(*program.module, location);
  return {file_of(*program.module, location->file), location->line, location->column};
}

std::string describe_place(const Program& program, const Inst& in) {
  const ptx::SourceLocation* location = location_of(program, in.index);
  const std::string text = ptx_text(program, in.index);
  if (location == nullptr) {
    const ptx::Instruction* source = program.source[in.index];
    const std::string& origin = program.module->origin;
    const char* option = origin == kNumbaOrigin ? "@cuda.jit(lineinfo=True)" : "-lineinfo";
    return fmt::format("{} (PTX line {}; compile with {} to see the source line): {}", origin,
                       source == nullptr ? 0 : source->ptx_line, option, text);
  }
  const ptx::SourceLocation* own = own_location(*program.module, location);
  std::string place =
      fmt::format("{}:{}: {}", file_name(file_of(*program.module, own->file)), own->line, text);
  if (own != location) {
    place += fmt::format(", in {}:{}", file_name(file_of(*program.module, location->file)),
                         location->line);
  }
  const auto& locations = program.module->ptx.locations;
  for (int depth = 0; own->inlined_at != ptx::kNoIndex && depth < 8; ++depth) {
    own = &locations[own->inlined_at];
    place += fmt::format(", inlined at {}:{}", file_name(file_of(*program.module, own->file)),
                         own->line);
  }
  return place;
}

std::string describe_thread(const LaunchState& launch, std::uint64_t block, std::uint32_t warp,
                            int lane) {
  const Dim3& size = launch.block;
  const std::uint32_t thread = warp * kWarpSize + static_cast<std::uint32_t>(lane);
  return fmt::format("{} thread ({},{},{}), warp {} lane {}", describe_block(launch, block),
                     thread % size.x, thread / size.x % size.y, thread / (size.x * size.y), warp,
                     lane);
}

std::string describe_block(const LaunchState& launch, std::uint64_t block) {
  const Dim3 id = block_index(launch, block);
  return fmt::format("block ({},{},{})", id.x, id.y, id.z);
}

std::string describe_thread(const WarpContext& context, int lane) {
  return describe_thread(*context.block->launch, context.block->linear, context.warp.warp_index,
                         lane);
}

std::string shared_name(const LaunchState& launch, std::uint32_t offset) {
  const SharedArray* in = nullptr;
  for (const SharedArray& array : launch.shared_arrays) {
    if (array.offset <= offset) in = &array;
  }
  if (in == nullptr) return fmt::format("at offset {}", offset);
  if (in->offset == offset) return fmt::format("`{}`", in->name);
  return fmt::format("`{}` + {} bytes", in->name, offset - in->offset);
}

Finding finding_at(const LaunchState& launch, const Program& program, const Inst& in,
                   FindingKind kind) {
  Finding finding(kind);
  finding.kernel = launch.kernel_name;
  SourcePlace place = source_place(program, in.index);
  finding.file = std::move(place.file);
  finding.line = place.line;
  finding.column = place.column;
  finding.where = describe_place(program, in);
  return finding;
}

Finding finding_at(const WarpContext& context, const Inst& in, std::uint32_t lanes,
                   FindingKind kind) {
  Finding finding = finding_at(*context.block->launch, *context.frame().program, in, kind);
  if (lanes != 0) {
    finding.who = describe_thread(context, std::countr_zero(lanes)) +
                  describe_lanes(lanes, "that do this here");
  }
  if (Debugger* const debugger = context.block->launch->debugger) debugger->at_fault = lanes;
  finding.order = {context.block->launch->launch_number, context.block->linear,
                   order_in_block(context)};
  return finding;
}

bool comes_first(const WarpContext& context, const Inst& in, FindingKind kind,
                 std::uint64_t executed) {
  const std::array<std::uint64_t, 2> order = {
      context.block->linear, context.warp.warp_index * (std::uint64_t{1} << 40) + executed};
  Worker::FirstOfKind& firsts = context.worker->first_reports[&in];
  const auto it = firsts.find(kind);
  if (it == firsts.end()) {
    firsts.emplace(kind, order);
    return true;
  }
  if (it->second <= order) return false;
  it->second = order;
  return true;
}

void raise(const LaunchState& launch, const Fault& fault) {
  for (const auto& checker : launch.checkers) checker->fault(fault);
}

void raise(const WarpContext& context, const Fault& fault) {
  raise(*context.block->launch, fault);
}

void log(const WarpContext& context, Finding finding) {
  if (Debugger* const debugger = context.block->launch->debugger) debugger->found(context, finding);
  context.block->launch->findings->add(std::move(finding));
}

}  // namespace warpsim
