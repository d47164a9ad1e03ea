#include <nlohmann/json.hpp>

#include "grader/core/version.h"
#include "grader/show/problems/diagnostics.h"

namespace warpgrade {
namespace {

using Json = nlohmann::ordered_json;

Json position_json(const SourcePosition& at) {
  return {{"file", at.file}, {"line", at.line}, {"column", at.column}};
}

/// With the list, as text.
std::string with_diagnostics(Json result, const std::vector<Diagnostic>& diagnostics) {
  result["diagnostics"] = Json::array();
  for (const Diagnostic& d : diagnostics) {
    Json one = position_json(d.at);
    one["severity"] = d.severity;
    one["kind"] = d.rule;
    one["pitfall"] = d.pitfall;
    one["message"] = d.message;
    if (d.other) one["other"] = position_json(*d.other);
    for (const auto& [name, value] : d.details) one[name] = value;
    one["cases"] = d.cases;
    result["diagnostics"].push_back(std::move(one));
  }
  // Bytes that are not UTF-8, which a program's own text may contain, are replaced.
  return result.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string as_json(const StudentView& shown) {
  const Grade& grade = shown.grade;
  return with_diagnostics({{"schema", 1},
                           {"lab", grade.lab},
                           {"score", grade.score()},
                           {"max_score", grade.max_score()},
                           {"passed", grade.passed()},
                           {"headline", grade.summary},
                           {"pitfall", grade.pitfall}},
                          diagnostics_of(shown));
}

std::string as_json(const ObservedProgram& observed) {
  return with_diagnostics({{"schema", 1},
                           {"passed", observed.passed},
                           {"headline", observed.facts.summary},
                           {"pitfall", observed.facts.pitfall}},
                          diagnostics_of(observed));
}

std::string as_sarif(const StudentView& shown) {
  return warpsim::to_sarif(diagnostics_of(shown), "warpgrade", kVersion);
}

std::string as_github(const StudentView& shown) {
  return warpsim::to_github(diagnostics_of(shown));
}

}  // namespace warpgrade
