#include "grader/author/check/check_misreadings.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "grader/judge/misreading/explain.h"
#include "grader/judge/misreading/explain_outputs.h"
#include "grader/judge/misreading/golden_formulas.h"
#include "grader/judge/misreading/variant.h"
#include "grader/process/forked.h"

namespace warpgrade {
namespace {

/// Cases whose golden function is more work add time and no size that others lack.
constexpr double kLargestCase = 1 << 23;
/// For one formula and all cases; they take less than a second.
constexpr std::chrono::seconds kLongest{20};

/// One misreading, and what distinguishes it.
struct Tried {
  const Variant* variant = nullptr;
  std::unique_ptr<VariantResult> result = nullptr;  // of the current case
  bool differs = false;  // from the right result, in any case
  bool fails = false;
};

class Check {
 public:
  Check(const LabSession& session, const std::vector<Variant>& variants,
        const std::function<void()>& about_to, std::vector<std::string>& problems)
      : lab_(session.lab()),
        outputs_(comparable_outputs(lab_)),
        about_to_(about_to),
        problems_(problems) {
    for (const Variant& variant : variants) tried_.push_back({.variant = &variant});
    alike_.assign(variants.size(), std::vector<bool>(variants.size(), true));
  }

  void look_at(const CaseData& data) {
    for (Tried& tried : tried_) compute(data, tried);
    for (std::size_t a = 0; a < tried_.size(); ++a) {
      for (std::size_t b = a + 1; b < tried_.size(); ++b) {
        if (alike_[a][b] && tried_[a].result && tried_[b].result) {
          alike_[a][b] = !told_apart(*tried_[a].result, *tried_[b].result);
        }
      }
    }
  }

  void report() const {
    for (std::size_t a = 0; a < tried_.size(); ++a) {
      if (tried_[a].fails) continue;
      if (!tried_[a].differs) {
        say(tried_[a],
            "equals the right result in all visible cases; add data that tell them apart");
        continue;
      }
      for (std::size_t b = a + 1; b < tried_.size(); ++b) {
        if (!alike_[a][b] || tried_[b].fails || !tried_[b].differs) continue;
        say(tried_[a], fmt::format("equals '{}' in all visible cases; leave one out, or add data "
                                   "that tell them apart",
                                   tried_[b].variant->id));
      }
    }
  }

 private:
  void say(const Tried& tried, const std::string& what) const {
    problems_.push_back(fmt::format("reference/{}/misreadings.cpp: misreading '{}' {}", lab_.id,
                                    tried.variant->id, what));
  }

  void compute(const CaseData& data, Tried& tried) {
    if (tried.fails) return;
    about_to_();
    try {
      tried.result = std::make_unique<VariantResult>(*tried.variant, data);
      tried.differs = tried.differs || is_wrong_in(*tried.result, data);
    } catch (const LabError& error) {
      tried.fails = true;
      tried.result.reset();
      problems_.push_back(fmt::format("case \"{}\": {}", data.spec->name, error.what()));
    }
  }

  [[nodiscard]] bool told_apart(const VariantResult& a, const VariantResult& b) const {
    return std::any_of(outputs_.begin(), outputs_.end(), [&](const std::string& name) {
      return are_told_apart(a.of(name).values(), b.of(name).values());
    });
  }

  const Lab& lab_;
  const std::vector<std::string> outputs_;
  const std::function<void()>& about_to_;
  std::vector<std::string>& problems_;
  std::vector<Tried> tried_;
  std::vector<std::vector<bool>> alike_;  // so far
};

/// Whether a formula returns in all cases, or throws, which Check reports.
bool ends(const Lab& lab, const Variant& variant,
          const std::vector<std::shared_ptr<const CaseData>>& cases,
          std::vector<std::string>& problems) {
  const Forked forked = run_forked(
      [&](const Tell& tell) {
        for (std::size_t i = 0; i < cases.size(); ++i) {
          tell(".");
          try {
            (void)VariantResult(variant, *cases[i]);
          } catch (const LabError&) {
            return;
          }
        }
      },
      {.time = kLongest});
  if (forked.returned) return true;
  problems.push_back(fmt::format(
      "reference/{}/misreadings.cpp: misreading '{}' does not return in case \"{}\": a program "
      "that "
      "calls it {}; correct it",
      lab.id, variant.id, forked.told.empty() ? "" : cases[forked.told.size() - 1]->spec->name,
      forked.end));
  return false;
}

using Cases = std::vector<std::shared_ptr<const CaseData>>;

/// What is wrong with formulas that return.
/// @param unchanged   the lab's formula without a misreading; nothing if it has none
/// @param about_to    called before each formula is computed
std::vector<std::string> problems_of(const LabSession& session,
                                     const std::vector<Variant>& variants,
                                     const std::optional<Variant>& unchanged, const Cases& cases,
                                     const std::function<void()>& about_to) {
  std::vector<std::string> problems;
  Check check(session, variants, about_to, problems);
  for (const auto& data : cases) {
    check.look_at(*data);
    if (!unchanged) continue;
    about_to();
    if (is_wrong_in(VariantResult(*unchanged, *data), *data)) {
      problems.push_back(fmt::format(
          "reference/{}/misreadings.cpp: its unchanged formula differs from golden.cpp in case "
          "\"{}\"",
          session.lab().id, data->spec->name));
    }
  }
  check.report();
  return problems;
}

/// The same in a copy of this process.
/// @returns nothing if a formula does not return
std::optional<std::vector<std::string>> problems_apart(const LabSession& session,
                                                       const std::vector<Variant>& variants,
                                                       const std::optional<Variant>& unchanged,
                                                       const Cases& cases) {
  constexpr char kEnd = '\0';
  const auto formulas = static_cast<int>(variants.size()) + 1;
  const Forked forked = run_forked(
      [&](const Tell& tell) {
        const auto limit_next = [] { ::alarm(static_cast<unsigned>(kLongest.count())); };
        for (const std::string& problem :
             problems_of(session, variants, unchanged, cases, limit_next)) {
          tell(problem + kEnd);
        }
      },
      {.time = kLongest * formulas});
  if (!forked.returned) return std::nullopt;
  std::vector<std::string> problems;
  for (std::size_t at = 0; at < forked.told.size();) {
    const std::size_t end = forked.told.find(kEnd, at);
    problems.push_back(forked.told.substr(at, end - at));
    at = end + 1;
  }
  return problems;
}

}  // namespace

VariantCount count_variants(const LabSession& session) {
  const GoldenFormulas variants(session);
  return {.count = variants.library().all().size(), .problem = variants.library().problem()};
}

std::size_t check_misreadings(LabSession& session, std::vector<std::string>& problems,
                              const std::function<void(const std::string&)>& require_page) {
  const Lab& lab = session.lab();
  const LabFormulas formulas(session);
  std::vector<Variant> variants = lab_variants(formulas.list());
  const std::size_t count = variants.size();
  std::map<std::string, std::size_t> ids;
  for (const Variant& variant : variants) {
    if (!variant.pitfall.empty()) require_page(variant.pitfall);
    if (++ids[variant.id] == 2) {
      problems.push_back(fmt::format(
          "reference/{}/misreadings.cpp: two misreadings have the id '{}'", lab.id, variant.id));
    }
  }
  Cases cases;
  for (const Case& spec : lab.cases) {
    if (!spec.visible || variants.empty()) continue;
    std::shared_ptr<const CaseData> data = session.data(spec, Secret{});
    if (work_of(*data) <= kLargestCase) cases.push_back(std::move(data));
  }
  std::optional<Variant> unchanged;
  if (formulas.list().unchanged()) {
    unchanged = {.id = "unchanged", .says = "", .formula = formulas.list().unchanged()};
  }
  std::optional<std::vector<std::string>> found =
      problems_apart(session, variants, unchanged, cases);
  if (!found) {  // those that do not return are left out, which takes as long again
    if (unchanged && !ends(lab, *unchanged, cases, problems)) unchanged.reset();
    std::erase_if(variants,
                  [&](const Variant& variant) { return !ends(lab, variant, cases, problems); });
    found = problems_of(session, variants, unchanged, cases, [] {});
  }
  problems.insert(problems.end(), found->begin(), found->end());
  return count;
}

}  // namespace warpgrade
