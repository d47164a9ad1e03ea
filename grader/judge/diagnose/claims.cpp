#include "grader/judge/diagnose/claims.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <regex>
#include <string_view>

#include "grader/core/comments.h"
#include "grader/core/text.h"
#include "grader/judge/diagnose/claim_elements.h"
#include "grader/judge/diagnose/claim_reader.h"
#include "grader/judge/experiment/edits.h"
#include "grader/judge/experiment/host_calls.h"
#include "grader/judge/experiment/source_functions.h"
#include "grader/record/evidence/failed_case.h"
#include "harness/core/source_tokens.h"

namespace warpgrade {
namespace {

using warpsim::FindingKind;

/// Collects what is untrue.
class Check {
 public:
  Check(const std::string& headline, const Evidence& evidence,
        const std::vector<SourceFile>& sources, const std::optional<Explanation>& explanation)
      : headline_(headline), evidence_(evidence), sources_(sources), explanation_(explanation) {}

  std::vector<std::string> run() {
    if (evidence_.build_problem.empty()) {
      lines();
      accesses();
      repaired_cases();
      failing_cases();
      cases_with_reads();
      names_of_cases();
      for (std::string& claim : untrue_claims_about_elements(headline_, evidence_)) {
        untrue_.push_back(std::move(claim));
      }
    }
    return std::move(untrue_);
  }

 private:
  /// "add.cu:12" and "line 12 of add.cu": the line has code, and the evidence is about it.
  void lines() {
    static const std::regex kPlace(R"(([A-Za-z_][\w./-]*\.cuh?):(\d+))");
    static const std::regex kWords(R"(line (\d+) of ([A-Za-z_][\w./-]*\.cuh?))");
    for (const Claim& c : claims_in(headline_, kPlace)) check_line(c, c.parts[0], c.number(1));
    for (const Claim& c : claims_in(headline_, kWords)) check_line(c, c.parts[1], c.number(0));
  }

  /// Whether a call of the host is there, of which an edit may be said, or device code: of a line
  /// of an unrolled loop there may be nothing left that is counted.
  [[nodiscard]] bool may_be_edited(const std::string& code, std::uint64_t line) const {
    if (!explanation_ || explanation_->slip_cases == 0) return false;
    const std::vector<SourceToken> tokens = tokens_of(code);
    const auto in_device_code = [&](const SourceFunction& f) {
      return f.is_on_device && tokens[f.first].line <= line && line <= tokens[f.last].line;
    };
    if (std::ranges::any_of(functions_in(tokens), in_device_code)) return true;
    return std::ranges::any_of(host_calls(code), [&](const HostCall& call) {
      return call.first_line <= line && line <= call.last_line;
    });
  }

  void check_line(const Claim& claim, const std::string& file, std::uint64_t line) {
    const auto source = std::ranges::find_if(sources_, [&](const SourceFile& s) {
      return s.name == file || s.name.ends_with("/" + file) || file.ends_with("/" + s.name);
    });
    if (source == sources_.end()) {
      add(claim, "no such file was submitted");
      return;
    }
    const std::string code = code_of(source->name, source->text);
    const std::vector<std::string_view> texts = split_lines(code);
    const bool has_code =
        line >= 1 && line <= texts.size() &&
        std::ranges::any_of(texts[line - 1], [](unsigned char c) { return std::isalnum(c) != 0; });
    if (!has_code) {
      add(claim, "the line has no code");
    } else if (!is_seen(file, line) && !may_be_edited(code, line)) {
      add(claim, "no finding, counter or experiment is about this line");
    }
  }

  [[nodiscard]] bool is_seen(const std::string& file, std::uint64_t line) const {
    const auto has = [&](const ReportedFinding& f) {
      return (f.line == line && f.file == file) || (f.other_line == line && f.other_file == file);
    };
    if (std::ranges::any_of(evidence_.findings, has)) return true;
    const auto& cause = evidence_.cause;
    if (cause && cause->line == line && cause->file == file) return true;
    return std::ranges::any_of(evidence_.cases, [&](const CaseOutcome& c) {
      if (!c.emulator) return false;
      return std::ranges::any_of(c.emulator->findings, has) ||
             std::ranges::any_of(c.emulator->kernels, [&](const KernelReport& k) {
               return std::ranges::any_of(
                   k.lines, [&](const KernelLine& l) { return l.line == line && l.file == file; });
             });
    });
  }

  /// "4-byte read past the end of ... (400 bytes": as a finding has it.
  void accesses() {
    static const std::regex kAccess(
        R"((\d+)-byte (?:read|write|atomic)[^.(]*(?:past the end of|before the start of)[^.(]*\((\d+) bytes?)");
    for (const Claim& claim : claims_in(headline_, kAccess)) {
      const bool known = any_finding([&](const ReportedFinding& f) {
        return f.width == claim.number(0) && f.array_bytes == claim.number(1);
      });
      if (!known) add(claim, "no access of this width leaves an array of this size");
    }
  }

  template <class Is>
  [[nodiscard]] bool any_finding(Is is) const {
    return std::ranges::any_of(evidence_.findings, is) ||
           std::ranges::any_of(evidence_.cases, [&](const CaseOutcome& c) {
             return c.emulator && std::ranges::any_of(c.emulator->findings, is);
           });
  }

  [[nodiscard]] std::size_t count_cases(bool hidden, CaseVerdict verdict) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(evidence_.cases, [&](const CaseOutcome& c) {
          return c.report.visible != hidden && c.report.verdict == verdict;
        }));
  }

  /// "all 12 visible cases are correct; now 4 are": as the experiment counted them.
  void repaired_cases() {
    static const std::regex kProof(
        R"((?:all (\d+)|the (1)|(\d+) of (\d+)) (visible|hidden) cases?( that were tried)?(?: (?:are|is|would be) correct; now (?:(none) is|(\d+) (?:is|are)))?)");
    for (const Claim& claim : claims_in(headline_, kProof)) {
      const bool hidden = claim.parts[4] == "hidden";
      const bool in_part = !claim.parts[2].empty();
      const std::uint64_t tried = in_part                  ? claim.number(3)
                                  : claim.parts[1].empty() ? claim.number(0)
                                                           : 1;
      const std::uint64_t right = in_part ? claim.number(2) : tried;
      const auto& cause = evidence_.cause;
      if (!cause && explanation_ && explanation_->slip_cases > 0 &&
          headline_.find(explanation_->message) != std::string::npos) {
        if (right < explanation_->slip_cases) add(claim, "edits repaired more cases");
        continue;
      }
      if (!cause) {
        add(claim, "no experiment was made");
        continue;
      }
      if (cause->tried != tried || cause->right != right) {
        add(claim, fmt::format("{} of {} cases were correct", cause->right, cause->tried));
      }
      const auto of_kind = static_cast<std::size_t>(std::ranges::count_if(
          evidence_.cases, [&](const CaseOutcome& c) { return c.report.visible != hidden; }));
      const bool all_tried = claim.parts[5].empty();
      if (all_tried && tried != of_kind) add(claim, fmt::format("there are {} cases", of_kind));
      const bool says_now = !claim.parts[6].empty() || !claim.parts[7].empty();
      const std::uint64_t now = claim.parts[6].empty() ? claim.number(7) : 0;
      if (says_now && all_tried && now != count_cases(hidden, CaseVerdict::passed)) {
        add(claim, fmt::format("{} are correct now", count_cases(hidden, CaseVerdict::passed)));
      }
    }
  }

  /// "in all 11 failing cases", "8 of 11 failing cases", "the only failing case". Of one output
  /// that is right in others it is "cases in which it is wrong", which is another number.
  void failing_cases() {
    static const std::regex kFailing(
        R"((?:all (\d+)|(\d+) of (\d+)|(both)|(the only)) failing cases?)");
    for (const Claim& claim : claims_in(headline_, kFailing)) {
      const bool in_part = !claim.parts[1].empty();
      const std::uint64_t failing = in_part                   ? claim.number(2)
                                    : !claim.parts[3].empty() ? 2
                                    : !claim.parts[4].empty() ? 1
                                                              : claim.number(0);
      if (!explanation_) {
        add(claim, "no formula was compared");
        continue;
      }
      const std::uint64_t explained = in_part ? claim.number(1) : failing;
      if (explanation_->cases.size() != explained) {
        add(claim, fmt::format("{} are explained", explanation_->cases.size()));
      }
      const auto count = static_cast<std::uint64_t>(
          std::ranges::count_if(evidence_.cases, [&](const CaseOutcome& c) {
            return c.report.visible != explanation_->from_hidden && has_failed(c);
          }));
      if (count != failing) add(claim, fmt::format("{} cases fail", count));
    }
  }

  /// "In all 3 cases with such a read, the first one is of element 1024."
  void cases_with_reads() {
    static const std::regex kReads(
        R"(In all (\d+) cases with such a read, the first one is of element (\d+))");
    for (const Claim& claim : claims_in(headline_, kReads)) {
      std::size_t count = 0;
      bool same = true;
      for (const CaseOutcome& c : evidence_.cases) {
        const ReportedFinding* f =
            c.emulator ? c.emulator->find(FindingKind::unwritten_global_read) : nullptr;
        if (f == nullptr) continue;
        ++count;
        same = same && f->access().element() == static_cast<std::int64_t>(claim.number(1));
      }
      if (count != claim.number(0)) add(claim, fmt::format("{} cases have one", count));
      if (!same) add(claim, "it is another element in some case");
    }
  }

  /// "Case "ragged": ...": there is one.
  void names_of_cases() {
    static const std::regex kCase(R"re([Cc]ase "([^"]+)")re");
    for (const Claim& claim : claims_in(headline_, kCase)) {
      const CaseOutcome* c = evidence_.find_case(claim.parts[0]);
      if (c == nullptr) add(claim, "there is no such case");
    }
  }

  void add(const Claim& claim, const std::string& why) {
    untrue_.push_back(fmt::format("\"{}\": {}.", claim.text, why));
  }

  const std::string& headline_;
  const Evidence& evidence_;
  const std::vector<SourceFile>& sources_;
  const std::optional<Explanation>& explanation_;
  std::vector<std::string> untrue_;
};

}  // namespace

std::vector<std::string> untrue_claims(const std::string& headline, const Evidence& evidence,
                                       const std::vector<SourceFile>& sources,
                                       const std::optional<Explanation>& explanation) {
  return Check(headline, evidence, sources, explanation).run();
}

}  // namespace warpgrade
