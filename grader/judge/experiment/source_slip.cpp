#include "grader/judge/experiment/source_slip.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "grader/core/source_names.h"
#include "grader/judge/experiment/choosing_copies.h"
#include "grader/judge/experiment/kernel_copies.h"
#include "grader/judge/experiment/kernel_source.h"
#include "grader/judge/experiment/structural_edits.h"
#include "grader/record/counters/emulator_report.h"
#include "harness/case/tried_edits.h"

namespace warpgrade {
namespace {

/// The only program; null if there are several.
const SourceFile* only_program(const std::vector<SourceFile>& sources) {
  const SourceFile* found = nullptr;
  for (const SourceFile& source : sources) {
    if (!is_program(source.name)) continue;
    if (found != nullptr) return nullptr;
    found = &source;
  }
  return found;
}

std::set<std::string> launched_in(const CaseOutcome& c) {
  std::set<std::string> names;
  for (const KernelReport& kernel : c.emulator->kernels) {
    names.insert(kernel.name);
  }
  return names;
}

/// The copies as PTX, without those that do not compile, as a variable of another type may not.
/// @tparam Copies  CopiesOfKernels or ChoosingCopies
template <class Copies>
class CompiledCopies {
 public:
  CompiledCopies(LabSession& session, Copies& copies, const SourceFile& program,
                 const std::vector<SourceFile>& sources, const std::filesystem::path& scratch) {
    for (int attempt = 0; attempt < 2 && ptx_.empty(); ++attempt) {
      const SourceFile changed = {program.name, copies.program(without_)};
      CompiledKernels made = session.compile_kernels(changed, sources, scratch);
      ptx_ = std::move(made.ptx);
      if (!ptx_.empty()) return;
      const std::set<std::size_t> wrong =
          copies.numbers_at(lines_of_errors(made.log, program.name));
      if (wrong.empty() || wrong.contains(0)) return;
      without_.insert(wrong.begin(), wrong.end());
    }
  }

  [[nodiscard]] const std::string& ptx() const { return ptx_; }
  [[nodiscard]] bool has(std::size_t number) const { return !without_.contains(number); }

 private:
  std::string ptx_;
  std::set<std::size_t> without_;
};

Slip slip_of(const SourceEdit& edit, std::size_t number, const SourceFile& program) {
  std::string file = std::filesystem::path(program.name).filename().string();
  std::string text = fmt::format("{}:{}/{}", file, edit.line, edit.fix);
  return {.trial = std::to_string(number),
          .text = std::move(text),
          .file = std::move(file),
          .line = edit.line,
          .also = edit.also,
          .kind = edit.kind,
          .fix = edit.fix,
          .pitfall = edit.pitfall,
          .names_mistake = edit.names_mistake};
}

/// Whether a slip changes all lines of another one, and more: the other one is enough.
bool is_larger(const Slip& slip, const Slip& than) {
  std::set<std::uint32_t> lines(slip.also.begin(), slip.also.end());
  lines.insert(slip.line);
  return than.also.size() < slip.also.size() && lines.contains(than.line) &&
         std::ranges::all_of(than.also, [&](std::uint32_t line) { return lines.contains(line); });
}

std::vector<Slip> without_larger(const std::vector<Slip>& slips) {
  std::vector<Slip> needed;
  std::ranges::copy_if(slips, std::back_inserter(needed), [&](const Slip& slip) {
    return std::ranges::none_of(slips, [&](const Slip& other) {
      return other.right >= slip.right && is_larger(slip, other);
    });
  });
  return needed;
}

/// @param ptx  of these copies, by their numbers
void try_on_others(SlipSearch& search, const SlipCases& cases, std::vector<Slip>& slips,
                   const std::function<std::string(const std::set<std::size_t>&)>& ptx) {
  search.try_on_others(cases, slips, [&](const std::vector<Slip>& left) {
    std::vector<std::string> trials;
    std::set<std::size_t> numbers;
    for (const Slip& slip : left) {
      trials.push_back(slip.trial);
      numbers.insert(std::stoul(slip.trial));
    }
    return request_for_copies(trials, ptx(numbers));
  });
}

}  // namespace

std::vector<Slip> source_slips(LabSession& session, const BuildResult& build,
                               const SlipCases& cases, const std::vector<SourceFile>& sources,
                               const std::filesystem::path& scratch, SourceSlips which) {
  const SourceFile* const program = only_program(sources);
  const CaseOutcome& smallest = *cases.failing.front();
  if (program == nullptr) return {};
  CopiesOfKernels copies(program->text, launched_in(smallest));
  if (which != SourceSlips::all) copies.keep_those_that_name_mistakes();
  if (copies.edits().empty()) return {};
  const CompiledCopies compiled(session, copies, *program, sources, scratch / "build");
  if (compiled.ptx().empty()) return {};
  std::vector<std::string> numbers;
  for (std::size_t number = 0; number <= copies.edits().size(); ++number) {
    if (compiled.has(number)) numbers.push_back(std::to_string(number));
  }
  SlipSearch search(session, build, scratch / "runs");
  const std::optional<TriedEdits> tried =
      search.run(smallest, request_for_copies(numbers, compiled.ptx()));
  // The compiler could make something else of a copy than of the kernel itself.
  const bool same = tried && !tried->edits.empty() && tried->edits.front().output == 0;
  if (!same || tried->unedited_is_right) return {};
  std::vector<Slip> slips;
  for (std::size_t i = 1; i < tried->edits.size(); ++i) {
    if (!tried->right[i]) continue;
    const std::size_t number = std::stoul(numbers[i]);
    slips.push_back(slip_of(copies.edits()[number - 1], number, *program));
    slips.back().note(smallest, true);
  }
  try_on_others(search, cases, slips, [&](const auto&) { return compiled.ptx(); });
  return without_larger(slips);
}

std::vector<Slip> chosen_slips(LabSession& session, const BuildResult& build,
                               const SlipCases& cases, const std::vector<SourceFile>& sources,
                               const std::filesystem::path& scratch) {
  const SourceFile* const program = only_program(sources);
  const CaseOutcome& smallest = *cases.failing.front();
  if (program == nullptr) return {};
  const KernelSource source(program->text, launched_in(smallest));
  std::vector<SourceEdit> edits =
      structural_edits(source.tokens(), source.functions(), source.edited());
  const CopiesOfKernels tried_before(program->text, launched_in(smallest));
  std::erase_if(edits, [&](const SourceEdit& edit) {
    return std::ranges::any_of(tried_before.edits(), [&](const SourceEdit& other) {
      return edit.replacements == other.replacements;
    });
  });
  ChoosingCopies copies(source, edits);
  if (copies.empty()) return {};
  const CompiledCopies compiled(session, copies, *program, sources, scratch / "build");
  if (compiled.ptx().empty()) return {};
  std::vector<std::string> numbers;
  std::set<std::size_t> all;
  for (const ChoosingCopies::Group& group : copies.groups()) {
    if (!compiled.has(group.first)) continue;
    for (std::size_t i = 0; i <= group.edits.size(); ++i) {
      if (!compiled.has(group.first + i)) continue;
      all.insert(group.first + i);
      numbers.push_back(std::to_string(group.first + i));
    }
  }
  SlipSearch search(session, build, scratch / "runs");
  const std::optional<TriedEdits> tried =
      search.run(smallest, request_for_copies(numbers, copies.written_out(compiled.ptx(), all)));
  if (!tried || tried->unedited_is_right) return {};
  std::map<std::size_t, std::size_t> place;  // of a number in `tried`
  for (std::size_t i = 0; i < tried->edits.size(); ++i) place[std::stoul(numbers[i])] = i;
  std::vector<Slip> slips;
  for (const ChoosingCopies::Group& group : copies.groups()) {
    // The compiler could make something else of a copy than of the kernel itself.
    const auto unchanged = place.find(group.first);
    if (unchanged == place.end() || tried->edits[unchanged->second].output != 0) continue;
    for (std::size_t e = 0; e < group.edits.size(); ++e) {
      const auto it = place.find(group.first + 1 + e);
      if (it == place.end() || !tried->right[it->second]) continue;
      slips.push_back(slip_of(group.edits[e], it->first, *program));
      slips.back().note(smallest, true);
    }
  }
  try_on_others(search, cases, slips, [&](const std::set<std::size_t>& left) {
    return copies.written_out(compiled.ptx(), left);
  });
  return without_larger(slips);
}

}  // namespace warpgrade
