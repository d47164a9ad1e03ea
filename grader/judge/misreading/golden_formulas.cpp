#include "grader/judge/misreading/golden_formulas.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <sstream>
#include <string>
#include <utility>

#include "grader/judge/misreading/explain_outputs.h"
#include "grader/judge/misreading/variant.h"
#include "grader/process/forked.h"
#include "harness/core/lab_error.h"
#include "harness/tolerance/compare.h"

namespace warpgrade {
namespace {

/// Only a variant that never ends takes as long; steps are counted.
constexpr std::chrono::seconds kEndless{3};
/// Failing cases that all variants are tried on, the smallest first.
constexpr std::size_t kFirstCases = 3;
/// Processes that may crash; each ends with one variant.
constexpr int kMostCrashes = 48;
/// Steps of loops and elements, of all variants in the first cases: about 0.3 s. Of pairs as many.
constexpr double kFirstWork = 1 << 25;
/// Of those that are left, in all cases.
constexpr ExplanationBudget kRest{.total = 1 << 26, .largest_case = 1 << 22};
/// A variant may need more steps than the golden function: of another extent.
constexpr std::uint64_t kMoreSteps = 4;
constexpr std::uint64_t kFewSteps = 10'000;
constexpr std::uint64_t kMostSteps = std::uint64_t{1} << 26;
/// Variants that give a part of the elements, of which pairs are tried.
constexpr std::size_t kMostPartial = 10;

/// Of one variant, or two, in the smallest failing cases.
struct Tried {
  Variant variant;
  std::uint32_t number = 0;
  bool whole = false;  // gives these cases
  bool where_wrong = false;  // gives what is wrong in them
  /// How many elements more than the golden function it has as the submission, in the first case.
  std::uint64_t gain = 0;
};

std::uint64_t elements_of(const CaseData& data) {
  std::uint64_t elements = 0;
  for (const auto& [name, expected] : data.expected) elements += expected.count();
  return elements;
}

/// In a process of its own: what a variant prints when it crashes is not for users.
void print_nothing() {
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
}

class VariantTrial {
 public:
  VariantTrial(const GoldenVariantLibrary& library, const WrongOutputs& asked)
      : library_(library), asked_(asked) {
    for (const WrongCase& wrong : asked.wrong) {
      if (work_of(*wrong.data) <= kRest.largest_case) cases_.push_back(&wrong);
    }
    std::stable_sort(cases_.begin(), cases_.end(), [](const WrongCase* a, const WrongCase* b) {
      return work_of(*a->data) < work_of(*b->data);
    });
    if (cases_.size() > kFirstCases) cases_.resize(kFirstCases);
  }

  std::optional<Explanation> run() {
    std::vector<Tried> single = all_variants();
    if (cases_.empty() || single.empty()) return std::nullopt;
    try_in_first_cases(single);
    if (auto found = explained(single, true)) return found;
    std::vector<Tried> pairs = pairs_of(single);
    try_in_first_cases(pairs);
    if (auto found = explained(pairs, true)) return found;
    return explained(single, false);
  }

 private:
  [[nodiscard]] std::function<void(const GoldenCall&)> formula(std::uint32_t one,
                                                               std::uint32_t other) const {
    return [&library = library_, one, other, most = most_steps_](const GoldenCall& call) {
      (void)library.run(call, one, other, *most);
    };
  }

  /// Those of the lowest rank first.
  [[nodiscard]] std::vector<Tried> all_variants() const {
    const auto all = library_.all();
    std::vector<std::uint32_t> order(all.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return all[a].rank < all[b].rank; });
    std::vector<Tried> made;
    for (const std::uint32_t i : order) {
      made.push_back({.variant = {.id = fmt::format("golden-{}", i + 1),
                                  .says = all[i].says,
                                  .pitfall = all[i].pitfall,
                                  .formula = formula(i + 1, 0),
                                  .of_golden = true},
                      .number = i + 1});
    }
    return made;
  }

  /// Two mistakes, each of which explains a part of the elements.
  [[nodiscard]] std::vector<Tried> pairs_of(const std::vector<Tried>& single) const {
    std::vector<const Tried*> partial;
    for (const Tried& one : single) {
      if (one.gain > 0) partial.push_back(&one);
    }
    std::stable_sort(partial.begin(), partial.end(),
                     [](const Tried* a, const Tried* b) { return a->gain > b->gain; });
    if (partial.size() > kMostPartial) partial.resize(kMostPartial);
    std::vector<Tried> made;
    for (std::size_t a = 0; a < partial.size(); ++a) {
      for (std::size_t b = a + 1; b < partial.size(); ++b) {
        const Tried& one = *partial[a];
        const Tried& other = *partial[b];
        made.push_back(
            {.variant = {.id = fmt::format("{}-{}", one.variant.id, other.number),
                         .says = fmt::format("{}, and {}", one.variant.says, other.variant.says),
                         .formula = formula(one.number, other.number),
                         .of_golden = true}});
      }
    }
    return made;
  }

  /// @param whole  of all elements; otherwise of those that are wrong
  [[nodiscard]] std::optional<Explanation> explained(const std::vector<Tried>& all,
                                                     bool whole) const {
    std::vector<Variant> some;
    for (const Tried& one : all) {
      if (whole ? one.whole : one.where_wrong) some.push_back(one.variant);
    }
    if (some.empty()) return std::nullopt;
    *most_steps_ = kMostSteps;
    return found_apart(
        [&] {
          print_nothing();
          return whole ? explain(asked_, some, kRest) : explain_where_wrong(asked_, some, kRest);
        },
        kEndless);
  }

  /// In copies of this process, each of which goes on after the variant that ended the last one.
  void try_in_first_cases(std::vector<Tried>& all) {
    next_ = 0;
    spent_ = 0;
    for (int crashes = 0; crashes < kMostCrashes && next_ < all.size(); ++crashes) {
      const std::size_t first = next_;
      const Forked forked =
          run_forked([&](const Tell& tell) { try_all(all, tell); }, {.time = kEndless});
      for (std::size_t at = 0; at < forked.told.size();) {
        const std::size_t end = std::min(forked.told.find('\n', at), forked.told.size());
        note(forked.told.substr(at, end - at), all);
        at = end + 1;
      }
      if (next_ == first) return;  // the golden function itself does not stand these cases
    }
  }

  /// What the process tells, line by line: "steps" of the golden function in each case; "begins"
  /// a variant; "whole", "part" and "gain" for what it gives; "work" of it, at its end.
  void note(const std::string& line, std::vector<Tried>& all) {
    std::istringstream words(line);
    std::string what;
    words >> what;
    if (what == "steps") {
      for (std::uint64_t steps = 0; words >> steps;) steps_.push_back(steps);
    } else if (what == "begins") {
      words >> next_;
      ++next_;
    } else if (what == "whole") {
      all[next_ - 1].whole = true;
    } else if (what == "part") {
      all[next_ - 1].where_wrong = true;
    } else if (what == "gain") {
      words >> all[next_ - 1].gain;
    } else if (what == "work") {
      double work = 0;
      words >> work;
      spent_ += work;
      if (spent_ > kFirstWork) next_ = all.size();
    }
  }

  void try_all(std::vector<Tried>& all, const Tell& tell) {
    print_nothing();
    if (steps_.empty() && !measure_steps(tell)) return;
    const std::vector<Scope> scopes = scopes_of(asked_);
    for (std::size_t i = next_; i < all.size() && spent_ <= kFirstWork; ++i) {
      tell(fmt::format("begins {}\n", i));
      Tried& tried = all[i];
      const double work = try_one(tried, scopes);
      spent_ += work;
      tell(fmt::format("{}{}gain {}\nwork {}\n", tried.whole ? "whole\n" : "",
                       tried.where_wrong ? "part\n" : "", tried.gain, work));
    }
  }

  /// The steps of the golden function, by which its variants are limited.
  /// @returns false if its results are not those of the right one
  bool measure_steps(const Tell& tell) {
    *most_steps_ = kMostSteps;
    std::string told = "steps";
    for (const WrongCase* wrong : cases_) {
      std::uint64_t steps = 0;
      const Variant unchanged{
          .id = "unchanged", .says = "", .formula = [&](const GoldenCall& call) {
            steps = library_.run(call, 0, 0, *most_steps_);
          }};
      try {
        const VariantResult result(unchanged, *wrong->data);
        if (is_wrong_in(result, *wrong->data)) return false;
      } catch (const LabError&) {
        return false;
      }
      steps_.push_back(steps);
      told += fmt::format(" {}", steps);
    }
    tell(told + "\n");
    return true;
  }

  /// Whether a variant gives the first cases, or what is wrong in them. One of several may have
  /// another mistake.
  /// @returns its work
  double try_one(Tried& tried, const std::vector<Scope>& scopes) {
    double work = 0;
    bool any_whole = false;
    bool any_part = false;
    bool part = true;
    std::size_t missed = 0;
    for (std::size_t c = 0; c < cases_.size() && (missed <= 1 || part); ++c) {
      const WrongCase& wrong = *cases_[c];
      *most_steps_ = kMoreSteps * steps_[c] + kFewSteps;
      work += static_cast<double>(steps_[c] + 8 * elements_of(*wrong.data));
      try {
        const VariantResult result(tried.variant, *wrong.data);
        const bool given = std::any_of(scopes.begin(), scopes.end(), [&](const Scope& scope) {
          const Fit in_scope = fit(result, wrong, scope);
          any_whole = any_whole || in_scope.gives;
          return in_scope.gives || in_scope.silent;
        });
        missed += given ? 0 : 1;
        if (part) {
          const Fit in_part = fit(result, wrong, {.where_wrong = true});
          part = in_part.silent || in_part.explains;
          any_part = any_part || in_part.explains;
        }
        if (c == 0) tried.gain = gain_of(result, wrong);
      } catch (const LabError&) {
        return work;
      }
    }
    tried.whole = any_whole && missed <= 1;
    tried.where_wrong = any_part && part;
    return work;
  }

  /// How many elements more than the right result a variant has as the submission.
  [[nodiscard]] static std::uint64_t gain_of(const VariantResult& result, const WrongCase& wrong) {
    std::uint64_t now = 0;
    std::uint64_t before = 0;
    for (const std::string& name : comparable_outputs(*wrong.data->lab)) {
      const auto got = wrong.outputs->find(name);
      const Expected& values = result.of(name).values();
      if (got == wrong.outputs->end() || got->second.count() != values.count()) return 0;
      const std::vector<bool> own = matches(got->second, values);
      const std::vector<bool>& right = wrong.right_elements(name);
      now += static_cast<std::uint64_t>(std::count(own.begin(), own.end(), true));
      before += static_cast<std::uint64_t>(std::count(right.begin(), right.end(), true));
    }
    return now > before ? now - before : 0;
  }

  const GoldenVariantLibrary& library_;
  const WrongOutputs& asked_;
  std::shared_ptr<std::uint64_t> most_steps_ = std::make_shared<std::uint64_t>(kMostSteps);
  std::vector<const WrongCase*> cases_;
  std::vector<std::uint64_t> steps_;  // of the golden function in these
  double spent_ = 0;
  std::size_t next_ = 0;  // that was not tried yet
};

}  // namespace

std::optional<Explanation> explain_by_golden(const GoldenVariantLibrary& library,
                                             const WrongOutputs& asked) {
  return VariantTrial(library, asked).run();
}

std::optional<Explanation> explain_by_golden(LabSession& session, const Secret& secret,
                                             const std::filesystem::path& scratch,
                                             const std::vector<CaseOutcome>& cases) {
  const WrongOutputs asked = wrong_outputs(session, secret, scratch, cases);
  const bool any = std::any_of(asked.wrong.begin(), asked.wrong.end(),
                               [](const WrongCase& wrong) { return !wrong.unreliable; });
  if (!any) return std::nullopt;
  const GoldenFormulas formulas(session);
  return explain_by_golden(formulas.library(), asked);
}

}  // namespace warpgrade
