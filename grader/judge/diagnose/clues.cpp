#include "grader/judge/diagnose/clues.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <regex>
#include <string>

#include "grader/core/comments.h"
#include "grader/core/text.h"

namespace warpgrade {
namespace {

/// Compiled once: the rules and the labs have a few hundred, and a class asks them thousands of
/// times. @throws std::regex_error
const std::regex& compiled(const char* text) {
  static std::mutex mutex;
  static std::map<std::string, std::regex> known;  // references into a map stay valid
  const std::lock_guard lock(mutex);
  const auto it = known.find(text);
  return it != known.end()
             ? it->second
             : known.emplace(text, std::regex(text, std::regex::optimize)).first->second;
}

}  // namespace

Clues::Clues(const Evidence& evidence, const std::vector<Item>& items,
             const std::vector<SourceFile>& sources)
    : evidence_(evidence), items_(items) {
  for (const SourceFile& source : sources) {
    const std::string code = code_of(source.name, source.text);
    std::vector<std::string>& file = files_[source.name];
    for (const std::string_view line : split_lines(code)) {
      file.emplace_back(line);
      if (line.size() <= kLongestLine) {
        lines_.emplace_back(line);
      }
    }
  }
}

const CaseOutcome* Clues::first(CaseVerdict verdict) const {
  const auto it = std::find_if(evidence_.cases.begin(), evidence_.cases.end(),
                               [&](const CaseOutcome& c) { return c.report.verdict == verdict; });
  return it == evidence_.cases.end() ? nullptr : &*it;
}

const CaseOutcome* Clues::first_pattern(std::string_view pattern) const {
  const auto it =
      std::find_if(evidence_.cases.begin(), evidence_.cases.end(), [&](const CaseOutcome& c) {
        return c.report.verdict == CaseVerdict::wrong && c.report.pattern == pattern;
      });
  return it == evidence_.cases.end() ? nullptr : &*it;
}

const ReportedFinding* Clues::finding(warpsim::FindingKind kind) const {
  return finding(warpsim::slug(kind));
}

const ReportedFinding* Clues::finding(std::string_view slug) const {
  const auto it = std::find_if(evidence_.findings.begin(), evidence_.findings.end(),
                               [&](const ReportedFinding& f) { return f.kind == slug; });
  return it == evidence_.findings.end() ? nullptr : &*it;
}

bool Clues::any_failure() const {
  return fails_where_hidden() ||
         std::any_of(evidence_.cases.begin(), evidence_.cases.end(), [](const CaseOutcome& c) {
           return c.report.verdict != CaseVerdict::passed &&
                  c.report.verdict != CaseVerdict::not_run;
         });
}

bool Clues::fails_where_hidden() const {
  return evidence_.hidden && evidence_.hidden->fails;
}

bool Clues::falls_short(Category category) const {
  return std::any_of(items_.begin(), items_.end(), [&](const Item& item) {
    return item.category == category &&
           (item.status == ItemStatus::failed || item.status == ItemStatus::partial);
  });
}

bool Clues::outputs_on_device() const {
  const std::vector<Parameter>& parameters = evidence_.lab->parameters;
  return std::any_of(parameters.begin(), parameters.end(), [](const Parameter& p) {
    return p.is_array() && p.is_written() && p.memory == Memory::device;
  });
}

bool Clues::any_kernel() const {
  return std::any_of(evidence_.cases.begin(), evidence_.cases.end(), [](const CaseOutcome& c) {
    return c.emulator && !c.emulator->kernels.empty();
  });
}

bool Clues::any_report() const {
  return std::any_of(evidence_.cases.begin(), evidence_.cases.end(),
                     [](const CaseOutcome& c) { return c.emulator.has_value(); });
}

bool Clues::source_matches(const char* regex) const {
  const std::regex& pattern = compiled(regex);
  return std::any_of(lines_.begin(), lines_.end(),
                     [&](const std::string& line) { return std::regex_search(line, pattern); });
}

Conditions Clues::conditions_at(const ReportedFinding& finding) const {
  const auto file = files_.find(finding.file);
  return file == files_.end() ? Conditions() : conditions_of(file->second, finding.line);
}

bool Clues::has_rows(const std::string& kernel) const {
  const auto rows = [](const std::vector<std::uint64_t>& extents) {
    return extents.size() > 1 && extents[1] > 1;
  };
  return std::any_of(evidence_.cases.begin(), evidence_.cases.end(), [&](const CaseOutcome& c) {
    return c.emulator && std::any_of(c.emulator->kernels.begin(), c.emulator->kernels.end(),
                                     [&](const KernelReport& k) {
                                       return k.name == kernel && (rows(k.grid) || rows(k.block));
                                     });
  });
}

std::uint64_t threads_of(const KernelReport& kernel) {
  std::uint64_t threads = 1;
  for (const std::uint64_t extent : kernel.grid) {
    threads *= extent;
  }
  for (const std::uint64_t extent : kernel.block) {
    threads *= extent;
  }
  return threads;
}

}  // namespace warpgrade
