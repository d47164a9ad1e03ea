#include "emulator/debug/places.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "emulator/machine/source_lines.h"

namespace warpsim::debug {
namespace {

namespace fs = std::filesystem;

/// Calls that were inlined around a place. Chains are short; a damaged module must not hang.
constexpr std::uint32_t kMostInlined = 32;

LineKey key_of(const LoadedModule& module, std::uint32_t location) {
  const auto& locations = module.ptx.locations;
  const ptx::SourceLocation* own = own_location(module, &locations[location]);
  LineKey key{.location = static_cast<std::uint32_t>(own - locations.data()),
              .file = own->file,
              .line = own->line,
              .inlined = 0};
  for (; own->inlined_at != ptx::kNoIndex && key.inlined < kMostInlined; ++key.inlined) {
    own = &locations[own->inlined_at];
  }
  return key;
}

}  // namespace

Lines::Lines(const Program& program) : program_(&program) {
  const LoadedModule& module = *program.module;
  LineKey last;
  keys_.reserve(program.source.size());
  for (const ptx::Instruction* source : program.source) {
    if (source != nullptr && source->location != ptx::kNoIndex &&
        module.ptx.locations[source->location].line != 0) {
      last = key_of(module, source->location);
      known_ = true;
    }
    keys_.push_back(last);
  }
  // What comes before the first line belongs to it.
  const auto first = std::ranges::find_if(keys_, [](const LineKey& key) { return key.line != 0; });
  if (first != keys_.end()) std::fill(keys_.begin(), first, *first);
}

std::vector<Place> Lines::places(std::uint32_t index) const {
  const LoadedModule& module = *program_->module;
  const LineKey& key = keys_[index];
  const std::string function = demangle(program_->function->name);
  std::vector<Place> places;
  if (key.location == ptx::kNoIndex) {
    const ptx::Instruction* source = program_->source[index];
    places.push_back({"PTX", source == nullptr ? 0 : source->ptx_line, 0, function});
    return places;
  }
  const ptx::SourceLocation* at = &module.ptx.locations[key.location];
  for (std::uint32_t depth = 0;; ++depth) {
    const bool inlined = at->inlined_at != ptx::kNoIndex && depth < kMostInlined;
    std::string name = function;
    if (inlined) {
      name = at->inlined_function.empty() ? "(inlined)" : demangle(at->inlined_function);
    }
    places.push_back({file_of(module, at->file), at->line, at->column, std::move(name)});
    if (!inlined) return places;
    at = &module.ptx.locations[at->inlined_at];
  }
}

std::vector<std::uint32_t> Lines::starts_of(std::string_view file, std::uint32_t line) const {
  const LoadedModule& module = *program_->module;
  std::vector<std::uint32_t> starts;
  std::set<std::uint32_t> seen;  // the calls into which the line was inlined
  for (const Inst& in : program_->code) {
    const LineKey& key = keys_[in.index];
    if (key.line != line || key.location == ptx::kNoIndex) continue;
    const ptx::SourceLocation& at = module.ptx.locations[key.location];
    if (!same_file(file_of(module, at.file), file)) continue;
    if (seen.insert(at.inlined_at).second) starts.push_back(in.index);
  }
  return starts;
}

std::uint32_t Lines::body() const {
  const std::uint32_t first = program_->code.front().index;
  for (const Inst& in : program_->code) {
    const LineKey& key = keys_[in.index];
    // The declaration's line comes first, and what was inlined is part of the body.
    if (!key.same_line(keys_[first]) && program_->source[in.index] != nullptr) return in.index;
    if ((in.flags & kControl) != 0) break;
  }
  return first;
}

bool same_file(std::string_view recorded, std::string_view asked) {
  if (recorded == asked) return true;
  const fs::path a(recorded), b(asked);
  if (a.filename() != b.filename()) return false;
  if (!a.is_absolute() || !b.is_absolute()) return true;
  std::error_code error;
  const fs::path left = fs::weakly_canonical(a, error), right = fs::weakly_canonical(b, error);
  if (left == right) return true;
  return !fs::exists(a, error);  // built elsewhere: the name is what is left to compare
}

std::optional<std::uint32_t> line_with_code(const LoadedModule& module, std::string_view file,
                                            std::uint32_t line) {
  std::optional<std::uint32_t> best;
  const auto& locations = module.ptx.locations;
  for (const ptx::Function& function : module.ptx.functions) {
    std::set<std::uint32_t> lines;
    for (const ptx::Instruction& instruction : function.instructions) {
      if (instruction.location == ptx::kNoIndex) continue;
      const ptx::SourceLocation& at = *own_location(module, &locations[instruction.location]);
      if (at.line != 0 && same_file(file_of(module, at.file), file)) lines.insert(at.line);
    }
    const auto next = lines.lower_bound(line);
    if (next == lines.end()) continue;
    // A line before the function's first one is of something else, unless it is right above it.
    if (*next != line && next == lines.begin() && *next - line > 3) continue;
    if (!best || *next < *best) best = *next;
  }
  return best;
}

}  // namespace warpsim::debug
