#include "grader/judge/experiment/hypotheses.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "emulator/findings/function_name.h"
#include "grader/core/comments.h"
#include "grader/judge/experiment/kernel_parameters.h"
#include "grader/judge/experiment/old_content.h"
#include "harness/data/array.h"
#include "harness/lab/shapes.h"

namespace warpgrade {
namespace {

using warpsim::ArrayAccess;
using warpsim::FindingKind;

constexpr std::size_t kMostLengths = 6;  // all pairs of three parameters

bool leaves_array(const ReportedFinding& f) {
  return f.is(FindingKind::oob_global_read) || f.is(FindingKind::oob_global_write);
}

bool reads_unwritten(const ReportedFinding& f) {
  return f.is(FindingKind::unwritten_global_read);
}

/// The first finding of each case that satisfies `wanted`, with its case.
template <class Wanted>
std::vector<std::pair<const CaseOutcome*, const ReportedFinding*>> first_of_each(
    const std::vector<const CaseOutcome*>& failing, Wanted wanted) {
  std::vector<std::pair<const CaseOutcome*, const ReportedFinding*>> found;
  for (const CaseOutcome* c : failing) {
    if (!c->emulator) continue;
    const auto& findings = c->emulator->findings;
    const auto it = std::ranges::find_if(
        findings, [&](const ReportedFinding& f) { return f.is_error() && wanted(f); });
    if (it != findings.end()) found.emplace_back(c, &*it);
  }
  return found;
}

void add_row_lengths(const ReportedFinding& at, const std::vector<SourceFile>& sources,
                     std::vector<Candidate>& all) {
  const std::string kernel(warpsim::bare_name(at.kernel));
  const std::vector<KernelParameter> parameters = kernel_parameters(sources, kernel);
  std::size_t count = 0;
  for (std::size_t from = 0; from < parameters.size(); ++from) {
    for (std::size_t to = 0; to < parameters.size(); ++to) {
      if (from == to || !parameters[from].whole || !parameters[to].whole) continue;
      if (++count > kMostLengths) return;
      all.push_back({.kind = CauseKind::row_length,
                     .changes = {fmt::format("length={}:{}/{}", kernel, from, to)},
                     .file = at.file,
                     .line = at.line,
                     .pitfall = "P5",
                     .words = fmt::format("`{}` in place of `{}` in the products of `{}`",
                                          parameters[to].name, parameters[from].name, kernel)});
    }
  }
}

/// Row and column exchanged in the index, which is computed at the line of the access or above it.
void add_exchanged_operands(const ReportedFinding& at, std::vector<Candidate>& all) {
  for (const std::string& lines :
       {fmt::format("{}:{}", at.file, at.line), fmt::format("{}:1-{}", at.file, at.line)}) {
    all.push_back({.kind = CauseKind::axes,
                   .changes = {fmt::format("operands={}", lines)},
                   .file = at.file,
                   .line = at.line,
                   .pitfall = "P5",
                   .words = fmt::format("row and column swapped in the index at line {} of {}",
                                        at.line, at.file)});
  }
}

bool mentions(const std::vector<SourceFile>& sources, std::string_view word) {
  return std::ranges::any_of(sources, [&](const SourceFile& source) {
    return without_comments(source.text).find(word) != std::string::npos;
  });
}

/// Whether an array of the lab has as many elements as this one has bytes; the bytes of an element.
std::optional<std::uint64_t> element_of(const CaseOutcome& c, const ArrayAccess& access,
                                        const Lab& lab) {
  for (const Parameter& parameter : lab.parameters) {
    if (!parameter.is_array() || c.spec == nullptr) continue;
    const std::uint64_t bytes = size_of(parameter.type);
    const std::uint64_t elements = Array::count_of(shape_of(lab, parameter, c.spec->data.dims));
    if (bytes > 1 && elements > 1 && access.bytes == elements) return bytes;
  }
  return std::nullopt;
}

/// Whether an output is wrong from the element on that ends as many bytes as it has elements, since
/// what was there before the call still is, or was added to.
bool has_old_content_from(const CaseOutcome& c, const Parameter& parameter, const Lab& lab) {
  if (!parameter.is_array() || !parameter.is_written() || c.spec == nullptr ||
      c.report.verdict != CaseVerdict::wrong || c.report.first_mismatches.empty()) {
    return false;
  }
  const MismatchedElement& first = c.report.first_mismatches.front();
  const std::uint64_t elements = Array::count_of(shape_of(lab, parameter, c.spec->data.dims));
  return first.parameter == parameter.name && first.index > 0 &&
         first.index == elements / size_of(parameter.type) && is_on_top_of_poison(first);
}

}  // namespace

void add_index_hypotheses(const std::vector<const CaseOutcome*>& failing,
                          const std::vector<SourceFile>& sources, std::vector<Candidate>& all) {
  const auto found = first_of_each(failing, [](const ReportedFinding& f) {
    return (leaves_array(f) || reads_unwritten(f)) && f.line != 0;
  });
  if (found.empty()) return;
  const ReportedFinding& at = *found.front().second;
  add_row_lengths(at, sources, all);
  add_exchanged_operands(at, all);
  if (mentions(sources, "threadIdx") && mentions(sources, "blockIdx")) {
    all.push_back({.kind = CauseKind::thread_and_block,
                   .changes = {fmt::format("exchange={}:thread", warpsim::bare_name(at.kernel))},
                   .file = at.file,
                   .line = at.line,
                   .words = fmt::format("threadIdx and blockIdx swapped in `{}`",
                                        warpsim::bare_name(at.kernel))});
  }
  const auto before = first_of_each(failing, [](const ReportedFinding& f) {
    return leaves_array(f) && f.access().known() && f.access().offset < 0;
  });
  if (!before.empty() && mentions(sources, "char")) {
    const ReportedFinding& negative = *before.front().second;
    all.push_back({.kind = CauseKind::signs,
                   .changes = {fmt::format("sign={}:bytes", warpsim::bare_name(negative.kernel))},
                   .file = negative.file,
                   .line = negative.line,
                   .pitfall = "P17",
                   .words = fmt::format("bytes read as unsigned numbers in `{}`",
                                        warpsim::bare_name(negative.kernel))});
  }
}

void add_size_hypotheses(const std::vector<const CaseOutcome*>& failing, const Lab& lab,
                         std::vector<Candidate>& all) {
  std::set<std::string> proposed;
  const auto add = [&](const char* call, std::uint64_t bytes, const char* function) {
    const std::string change = fmt::format("bytes={}/{}", call, bytes);
    if (!proposed.insert(change).second) return;
    all.push_back(
        {.kind = CauseKind::bytes,
         .changes = {change},
         .pitfall = "P45",
         .words = fmt::format("{} bytes per element in the sizes of {}", bytes, function)});
  };
  for (const auto& [c, f] : first_of_each(failing, leaves_array)) {
    if (const auto bytes = element_of(*c, f->access(), lab)) add("malloc", *bytes, "cudaMalloc");
  }
  for (const auto& [c, f] : first_of_each(failing, reads_unwritten)) {
    const ArrayAccess access = f->access();
    const auto first = static_cast<std::uint64_t>(std::max<std::int64_t>(access.element(), 0));
    if (access.width > 1 && first > 0 && first == access.elements() / access.width) {
      add("copy", access.width, "cudaMemcpy");
      add("set", access.width, "cudaMemset");
    }
  }
  for (const CaseOutcome* c : failing) {
    for (const Parameter& parameter : lab.parameters) {
      const std::uint64_t bytes = size_of(parameter.type);
      if (bytes > 1 && has_old_content_from(*c, parameter, lab)) {
        add("copy", bytes, "cudaMemcpy");
        add("set", bytes, "cudaMemset");
      }
    }
  }
}

}  // namespace warpgrade
