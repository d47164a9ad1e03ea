#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grader/build/compile/build.h"
#include "grader/record/evidence/case_outcome.h"
#include "grader/record/evidence/explanation.h"
#include "grader/run/session/lab_session.h"
#include "harness/case/tried_edits.h"

namespace warpgrade {

/// What an explanation of this kind begins with.
inline constexpr const char* kSlipVariant = "edit=";  // as for `warpsim --change`

/// A change of the code that may undo a slip, and what it did in the cases that it was tried on.
struct Slip {
  std::string trial;  // what the device process calls it
  std::string text;  // for the grade
  std::string file;  // of the source, its last part
  std::uint32_t line = 0;
  std::vector<std::uint32_t> also = {};  // other lines that are changed in the same way
  std::string kind, fix;  // words, as after "with" and before "at line 42"
  std::string pitfall;
  std::vector<std::string> repaired = {};  // cases
  double points = 0;  // of these
  double left = 0;  // points of failing cases that stay wrong
  bool spoils = false;  // a case that was right
  std::size_t tried = 0, right = 0;  // cases
  bool of_call = false;  // of the host, and not of code
  bool is_weak = false;  // of a call: may as well undo another slip, in a kernel
  bool names_mistake = false;  // of the source: made for one mistake

  void note(const CaseOutcome& c, bool is_right);
};

/// The visible cases from which something can be learned, the smallest first.
struct SlipCases {
  std::vector<const CaseOutcome*> tried;
  std::vector<const CaseOutcome*> failing;  // of these, with wrong values
  std::size_t total = 0;
  double lost = 0;  // points of all that fail
};

[[nodiscard]] SlipCases slip_cases(const std::vector<CaseOutcome>& ran);
/// Whether they have at least half of the lost points.
[[nodiscard]] bool can_explain(const SlipCases& cases);

/// Runs of a submission's cases with changes of its code.
class SlipSearch {
 public:
  /// What the device process is asked to try (harness/case/tried_edits.h).
  using Request = std::function<std::string(const std::vector<Slip>&)>;

  SlipSearch(LabSession& session, const BuildResult& build, std::filesystem::path folder);

  /// @returns nothing if nothing can be learned from this case
  [[nodiscard]] std::optional<TriedEdits> run(const CaseOutcome& outcome,
                                              const std::string& trials);
  /// Tries slips that make the smallest failing case right on the other ones, at most 12 in all.
  /// Those that leave one wrong, or make one so, are dropped, and the search ends with the last. A
  /// few may leave one case wrong that has few of the lost points.
  void try_on_others(const SlipCases& cases, std::vector<Slip>& slips, const Request& request);

 private:
  void try_on(const CaseOutcome& c, std::vector<Slip>& slips, double lost, const Request& request);

  LabSession& session_;
  const BuildResult& build_;
  std::filesystem::path folder_;
  std::size_t runs_ = 0;
};

/// Slips that make all cases right that were tried. Where there are some in code and some in calls
/// of the host, the code comes first; a call is named with it if each has one line, and alone if
/// there are more than two lines of code.
[[nodiscard]] std::vector<Slip> whole_slips(const std::vector<Slip>& slips);

/// Slips that make most failing cases right, three or more, and none wrong: one case, of few
/// points, has another mistake.
[[nodiscard]] std::vector<Slip> slips_beside_another(const std::vector<Slip>& slips, double lost);

/// @param only_line  whether an explanation must be in one line
/// @returns nothing if no slip makes all cases right that were tried, or all but one, or if those
///   that do are in more than two lines; in more than one if they leave a case wrong
[[nodiscard]] std::optional<Explanation> explanation_by(const std::vector<Slip>& slips,
                                                        const SlipCases& cases, Hints hints,
                                                        const std::vector<CaseOutcome>& ran,
                                                        bool only_line = false);

}  // namespace warpgrade
