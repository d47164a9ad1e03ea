#include "grader/judge/experiment/candidates.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "grader/core/comments.h"
#include "grader/judge/experiment/hypotheses.h"
#include "grader/judge/experiment/old_content.h"
#include "grader/record/evidence/evidence.h"
#include "harness/data/array.h"
#include "harness/lab/counter_names.h"
#include "harness/lab/shapes.h"

namespace warpgrade {
namespace {

using warpsim::FindingKind;
using warpsim::FindingTopic;

constexpr std::size_t kMostBarriers = 10;  // of one case's lines
constexpr std::size_t kMostLines = 3;  // of other findings
constexpr std::size_t kMostBlockSizes = 3;
constexpr std::size_t kMostIndexPairs = 12;

using SourcePlace = std::pair<std::string, std::uint32_t>;  // file and line

std::string text_of(const SourcePlace& place) {
  return fmt::format("{}:{}", place.first, place.second);
}

/// Findings of the failing cases that satisfy `wanted`, each location once.
template <class Wanted>
std::vector<const ReportedFinding*> findings(const std::vector<const CaseOutcome*>& failing,
                                             Wanted wanted) {
  std::vector<const ReportedFinding*> found;
  std::set<std::pair<std::string, SourcePlace>> seen;
  for (const CaseOutcome* c : failing) {
    if (!c->emulator) {
      continue;
    }
    for (const ReportedFinding& f : c->emulator->findings) {
      if (wanted(f) && seen.insert({f.kind, {f.file, f.line}}).second) {
        found.push_back(&f);
      }
    }
  }
  return found;
}

double counted(const KernelLine& line, const char* name) {
  const auto it = line.counters.find(std::string(find_counter(name)->metric));
  return it == line.counters.end() ? 0 : it->second;
}

/// Lines of a file that use shared memory.
std::set<std::uint32_t> shared_lines(const std::vector<const CaseOutcome*>& failing,
                                     const std::string& file) {
  std::set<std::uint32_t> lines;
  for (const CaseOutcome* c : failing) {
    for (const KernelReport& kernel :
         c->emulator ? c->emulator->kernels : std::vector<KernelReport>()) {
      for (const KernelLine& line : kernel.lines) {
        if (line.file == file && (counted(line, "shared_load_requests") > 0 ||
                                  counted(line, "shared_store_requests") > 0)) {
          lines.insert(line.line);
        }
      }
    }
  }
  return lines;
}

/// The two accesses of a race in one file, in the order that a barrier has to enforce.
struct Order {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
};

/// A read waits for the write, except where the write of a loop's next iteration has to wait for
/// the read (P23).
Order order_of(const ReportedFinding& race) {
  if (race.other_line == 0 || race.other_file != race.file) return {race.line, race.line};
  if (race.pitfall == "P23") return {race.line, race.other_line};
  return {race.other_line, race.line};
}

/// Lines after which a barrier may order a race, the likeliest first: those between the two
/// accesses, from the second one up, then those above both. If the second access is above the
/// first, it belongs to a loop's next iteration, and the lines after the first come before the
/// others. A barrier after the second access comes too late, even where all results are then
/// correct because a warp reads only what it wrote itself before it meets the barrier. Both
/// accesses in one line: that line, those above and those below.
std::vector<std::uint32_t> lines_between(const std::set<std::uint32_t>& lines, Order order) {
  std::vector<std::uint32_t> ordered;
  const auto add_if = [&](auto wanted, bool upwards) {
    std::vector<std::uint32_t> chosen;
    std::copy_if(lines.begin(), lines.end(), std::back_inserter(chosen), wanted);
    if (upwards) std::reverse(chosen.begin(), chosen.end());
    ordered.insert(ordered.end(), chosen.begin(), chosen.end());
  };
  const std::uint32_t from = order.from;
  const std::uint32_t to = order.to;
  if (from < to) {
    add_if([&](std::uint32_t line) { return line >= from && line < to; }, true);
    add_if([&](std::uint32_t line) { return line < from; }, true);
  } else if (from > to) {
    add_if([&](std::uint32_t line) { return line >= from; }, false);
    add_if([&](std::uint32_t line) { return line != to && line < from; }, true);
  } else {
    add_if([&](std::uint32_t line) { return line <= from; }, true);
    add_if([&](std::uint32_t line) { return line > from; }, false);
  }
  return ordered;
}

void add_barriers(const std::vector<const CaseOutcome*>& failing, std::vector<Candidate>& all) {
  std::set<std::string> proposed;
  const auto add = [&](const SourcePlace& place, bool behind) {
    const std::string change =
        fmt::format("barrier-{}={}", behind ? "after" : "before", text_of(place));
    if (!proposed.insert(change).second || proposed.size() > kMostBarriers) {
      return;
    }
    all.push_back({.kind = CauseKind::barrier,
                   .changes = {change},
                   .file = place.first,
                   .line = place.second,
                   .behind = behind});
  };
  for (const ReportedFinding* race : findings(failing, is_race)) {
    if (race->line == 0) {
      continue;
    }
    const Order order = order_of(*race);
    if (race->is(FindingKind::race_shared)) {
      std::set<std::uint32_t> lines = shared_lines(failing, race->file);
      lines.insert({order.from, order.to});
      std::vector<std::uint32_t> places = lines_between(lines, order);
      // The place before the second access is one of them.
      places.resize(std::min(places.size(), kMostBarriers - 1));
      for (const std::uint32_t line : places) {
        add({race->file, line}, true);
      }
    } else {
      add({race->file, order.from}, true);
    }
    add({race->file, order.to}, false);
  }
}

void add_indivisible(const std::vector<const CaseOutcome*>& failing, std::vector<Candidate>& all) {
  std::size_t count = 0;
  for (const ReportedFinding* race : findings(failing, is_race)) {
    if (race->line == 0 || ++count > kMostLines) {
      continue;
    }
    const SourcePlace place{race->file, race->line};
    all.push_back({.kind = CauseKind::indivisible,
                   .changes = {fmt::format("in-turn={}", text_of(place))},
                   .file = place.first,
                   .line = place.second});
    if (race->line > 1) {  // before the line of the load
      all.push_back(
          {.kind = CauseKind::indivisible,
           .changes = {fmt::format("in-turn={}:{}-{}", race->file, race->line - 1, race->line)},
           .file = place.first,
           .line = place.second});
    }
  }
}

bool is_out_of_range(const ReportedFinding& f) {
  return f.is(FindingKind::oob_global_read) || f.is(FindingKind::oob_global_write) ||
         f.is(FindingKind::oob_shared_read) || f.is(FindingKind::oob_shared_write) ||
         f.is(FindingKind::oob_local_read) || f.is(FindingKind::oob_local_write);
}

void add_outside(const std::vector<const CaseOutcome*>& failing, std::vector<Candidate>& all) {
  const auto found = findings(failing, is_out_of_range);
  std::set<SourcePlace> lines;
  for (const ReportedFinding* f : found) {
    const SourcePlace place{f->file, f->line};
    if (f->line == 0 || lines.size() == kMostLines || !lines.insert(place).second) {
      continue;
    }
    all.push_back({.kind = CauseKind::outside,
                   .changes = {fmt::format("outside={}", text_of(place))},
                   .file = f->file,
                   .line = f->line,
                   .pitfall = f->pitfall});
  }
  if (found.size() > 1) {
    all.push_back({.kind = CauseKind::outside,
                   .changes = {"outside=all"},
                   .file = found.front()->file,
                   .line = found.front()->line,
                   .pitfall = found.front()->pitfall});
  }
}

void add_uninitialized(const std::vector<const CaseOutcome*>& failing,
                       std::vector<Candidate>& all) {
  const auto found = findings(failing, [](const ReportedFinding& f) {
    return f.is_error() &&
           (f.is(FindingKind::unwritten_global_read) || f.is(FindingKind::unwritten_shared_read) ||
            f.is(FindingKind::unwritten_local_read));
  });
  if (found.empty()) {
    return;
  }
  all.push_back({.kind = CauseKind::uninitialized,
                 // 0, infinity, minus infinity, 1: sums, minima, maxima, products
                 .changes = {"start=0", "start=0x7f800000", "start=0xff800000", "start=0x3f800000"},
                 .file = found.front()->file,
                 .line = found.front()->line,
                 .pitfall = found.front()->pitfall});
}

/// Whether failing cases launch two-dimensional blocks or grids.
bool has_rows(const std::vector<const CaseOutcome*>& failing) {
  return std::any_of(failing.begin(), failing.end(), [](const CaseOutcome* c) {
    if (!c->emulator) return false;
    const auto& kernels = c->emulator->kernels;
    return std::any_of(kernels.begin(), kernels.end(), [](const KernelReport& k) {
      return (k.grid.size() > 1 && k.grid[1] > 1) || (k.block.size() > 1 && k.block[1] > 1);
    });
  });
}

/// Block sizes that occur as numbers in the source and in no launch of these cases.
std::vector<std::uint64_t> sizes_in_source(const std::vector<const CaseOutcome*>& failing,
                                           const std::vector<SourceFile>& sources) {
  constexpr std::array<std::uint64_t, 6> kUsual = {32, 64, 128, 256, 512, 1024};
  std::set<std::uint64_t> launched;
  for (const CaseOutcome* c : failing) {
    for (const KernelReport& k : c->emulator ? c->emulator->kernels : std::vector<KernelReport>()) {
      if (!k.block.empty()) launched.insert(k.block.front());
    }
  }
  std::vector<std::uint64_t> sizes;
  for (const std::uint64_t size : kUsual) {
    const std::string digits = std::to_string(size);
    const auto stands_in = [&](const SourceFile& source) {
      const std::string code = without_comments(source.text);
      for (std::size_t at = code.find(digits); at != std::string::npos;
           at = code.find(digits, at + 1)) {
        const auto part_of_word = [&](std::size_t i) {
          return i < code.size() && (std::isalnum(static_cast<unsigned char>(code[i])) != 0 ||
                                     code[i] == '_' || code[i] == '.');
        };
        if (!(at > 0 && part_of_word(at - 1)) && !part_of_word(at + digits.size())) return true;
      }
      return false;
    };
    if (!launched.contains(size) && std::any_of(sources.begin(), sources.end(), stands_in)) {
      sizes.push_back(size);
    }
  }
  if (sizes.size() > kMostBlockSizes) {  // programs most often assume the largest ones
    sizes.erase(sizes.begin(), sizes.end() - kMostBlockSizes);
  }
  return sizes;
}

/// Source lines with accesses of a kind, in order.
std::set<SourcePlace> lines_with(const std::vector<const CaseOutcome*>& failing,
                                 std::initializer_list<const char*> counters) {
  std::set<SourcePlace> lines;
  for (const CaseOutcome* c : failing) {
    for (const KernelReport& kernel :
         c->emulator ? c->emulator->kernels : std::vector<KernelReport>()) {
      for (const KernelLine& line : kernel.lines) {
        const bool has = std::any_of(counters.begin(), counters.end(), [&](const char* counter) {
          return counted(line, counter) > 0;
        });
        if (has && line.line != 0) lines.emplace(line.file, line.line);
      }
    }
  }
  return lines;
}

/// Rows and columns of a matrix in a case; nothing if it is none, or a single row or column.
std::optional<std::pair<std::uint64_t, std::uint64_t>> extents(const Lab& lab,
                                                               const Parameter& parameter,
                                                               const Case& spec) {
  if (!parameter.is_array() || parameter.shape.size() != 2) return std::nullopt;
  const std::vector<std::uint64_t> shape = shape_of(lab, parameter, spec.data.dims);
  if (shape[0] <= 1 || shape[1] <= 1) return std::nullopt;
  return std::pair{shape[0], shape[1]};
}

std::uint64_t bytes_of(const Lab& lab, const Parameter& parameter, const Case& spec) {
  if (!parameter.is_array()) return 0;
  return Array::count_of(shape_of(lab, parameter, spec.data.dims)) * size_of(parameter.type);
}

/// Row and column exchanged where a line accesses a matrix of the lab, or a tile in shared memory.
/// Only where no finding explains the results: such an access is within its array.
void add_index_pairs(const std::vector<const CaseOutcome*>& failing, const Lab& lab,
                     std::vector<Candidate>& all) {
  const std::vector<Parameter>& parameters = lab.parameters;
  const auto is_error = [](const ReportedFinding& f) { return f.is_error(); };
  if (!findings(failing, is_error).empty()) return;
  const std::set<SourcePlace> loads = lines_with(failing, {"global_load_requests"});
  const std::set<SourcePlace> stores = lines_with(failing, {"global_store_requests"});
  std::set<SourcePlace> lines =
      lines_with(failing, {"shared_load_requests", "shared_store_requests"});
  const std::set<SourcePlace> tiles = lines;
  lines.insert(loads.begin(), loads.end());
  lines.insert(stores.begin(), stores.end());
  std::size_t count = 0;
  const auto add = [&](const SourcePlace& place, std::optional<std::size_t> matrix) {
    if (++count > kMostIndexPairs) return;
    all.push_back({.kind = CauseKind::axes,
                   .changes = matrix ? std::vector<std::string>()
                                     : std::vector{fmt::format("pair={}:tile", text_of(place))},
                   .file = place.first,
                   .line = place.second,
                   .pitfall = "P5",
                   .words = fmt::format("row and column swapped in an index at line {} of {}",
                                        place.second, place.first),
                   .matrix = matrix});
  };
  for (const SourcePlace& line : lines) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const Parameter& parameter = parameters[i];
      const bool is_matrix = std::any_of(failing.begin(), failing.end(), [&](const CaseOutcome* c) {
        return extents(lab, parameter, *c->spec).has_value();
      });
      const bool moves = (parameter.is_read() && loads.contains(line)) ||
                         (parameter.is_written() && stores.contains(line));
      if (is_matrix && moves) add(line, i);
    }
    if (tiles.contains(line)) add(line, std::nullopt);
  }
}

/// How many times the blocks would compute all elements, if what is wrong is only that most of a
/// case's were not written: those after the first half, third, ...
std::optional<std::uint64_t> times_as_many_blocks(const std::vector<const CaseOutcome*>& failing) {
  constexpr std::uint64_t kMost = 64;
  std::uint64_t times = 1;
  for (const CaseOutcome* c : failing) {
    const CaseReport& r = c->report;
    if (r.verdict != CaseVerdict::wrong || c->unwritten_elements != r.wrong_elements) continue;
    const std::uint64_t written = r.elements - r.wrong_elements;
    if (written == 0 || r.first_mismatches.empty() || r.first_mismatches.front().index < written) {
      continue;
    }
    times = std::max(times, (r.elements + written - 1) / written);
  }
  return times > 1 && times <= kMost ? std::optional(times) : std::nullopt;
}

}  // namespace

std::vector<std::string> changes_for(const Candidate& candidate, const Case& spec, const Lab& lab) {
  if (!candidate.matrix) return candidate.changes;
  const std::vector<Parameter>& parameters = lab.parameters;
  const Parameter& matrix = parameters.at(*candidate.matrix);
  const auto size = extents(lab, matrix, spec);
  if (!size) return {};
  // Programs allocate arrays of equal size in the order of the parameters.
  const std::uint64_t bytes = bytes_of(lab, matrix, spec);
  const auto end = parameters.begin() + static_cast<std::ptrdiff_t>(*candidate.matrix);
  const auto before = std::count_if(parameters.begin(), end, [&](const Parameter& other) {
    return bytes_of(lab, other, spec) == bytes;
  });
  return {fmt::format("pair={}:{}:{}/{}/{}/{}", candidate.file, candidate.line,
                      size->first * size->second, size->first, size->second, before + 1)};
}

bool is_race(const ReportedFinding& finding) {
  return finding.is(FindingKind::race_shared) || finding.is(FindingKind::race_global);
}

std::vector<Candidate> candidates(const std::vector<const CaseOutcome*>& failing,
                                  const std::vector<SourceFile>& sources, const Lab& lab) {
  std::vector<Candidate> all;
  const auto any = [&](FindingKind kind) {
    return !findings(failing, [&](const ReportedFinding& f) { return f.is(kind); }).empty();
  };
  const auto add = [&](CauseKind kind, const char* pitfall, std::vector<std::string> changes,
                       std::string words = "") {
    all.push_back({.kind = kind,
                   .changes = std::move(changes),
                   .pitfall = pitfall,
                   .words = std::move(words)});
  };
  if (any(FindingKind::wrong_copy_direction)) {
    add(CauseKind::direction, "P43", {"direction=pointers"});
  }
  if (any(FindingKind::illegal_launch)) {
    add(CauseKind::launch, "P15", {"block=fit"},
        "the same threads in blocks that the device accepts");
  }
  add_size_hypotheses(failing, lab, all);
  add_outside(failing, all);
  add_index_hypotheses(failing, sources, all);
  add_indivisible(failing, all);
  add_barriers(failing, all);
  add_uninitialized(failing, all);
  const bool rows = has_rows(failing);
  // Without elements a grid of no blocks is what the formula should give.
  const bool work = std::any_of(failing.begin(), failing.end(),
                                [](const CaseOutcome* c) { return !has_nothing_to_do(*c); });
  if (rows) {  // before a block more, which also repairs a small grid whose axes are swapped
    add(CauseKind::axes, "P5", {"exchange=grid"}, "x and y of the launch's grid swapped");
  }
  if (work) {
    add(CauseKind::blocks, "P2", {"blocks=x+1"}, "one more block along x");
  }
  if (work && rows) {
    add(CauseKind::blocks, "P2", {"blocks=y+1"}, "one more block along y");
    add(CauseKind::blocks, "P2", {"blocks=x+1;blocks=y+1"}, "one more block along x and y");
  }
  if (const std::optional<std::uint64_t> times = times_as_many_blocks(failing)) {
    add(CauseKind::blocks, "P2", {fmt::format("blocks=x*{}", *times)},
        fmt::format("{} times as many blocks along x", *times));
  }
  const bool adds_up = std::any_of(failing.begin(), failing.end(), [](const CaseOutcome* c) {
    return may_add_to_old_output(*c) ||
           (c->emulator && c->emulator->total("global_atomic_threads") > 0);
  });
  if (adds_up) {
    add(CauseKind::outputs, "P34", {});
  }
  if (rows) {
    add(CauseKind::axes, "P5", {"exchange=index"},
        "x and y of threadIdx and blockIdx swapped in the kernel");
    add(CauseKind::axes, "P5", {"exchange=index;exchange=grid"},
        "x and y swapped, both in the kernel and in the launch's grid");
  } else if (findings(failing, is_race).empty()) {  // fewer threads hide a race
    for (const std::uint64_t size : sizes_in_source(failing, sources)) {
      add(CauseKind::block_size, "P21", {fmt::format("block={}", size)},
          fmt::format("the same threads in blocks of {}", size));
    }
  }
  add_index_pairs(failing, lab, all);
  return all;
}

}  // namespace warpgrade
