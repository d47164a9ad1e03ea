#include <fmt/core.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "grader/core/embedded.h"
#include "grader/record/grade/grade_json.h"

namespace warpgrade {
namespace {

const valijson::Schema& grade_schema() {
  static const std::unique_ptr<const valijson::Schema> schema = [] {
    const auto document = nlohmann::json::parse(embedded_file("grade.schema.json"));
    auto parsed = std::make_unique<valijson::Schema>();
    valijson::SchemaParser().populateSchema(valijson::adapters::NlohmannJsonAdapter(document),
                                            *parsed);
    return parsed;
  }();
  return *schema;
}

}  // namespace

std::string schema_violation(const nlohmann::ordered_json& document) {
  const nlohmann::json plain = document;  // the adapter does not accept ordered documents
  valijson::Validator validator;
  valijson::ValidationResults results;
  if (validator.validate(grade_schema(), valijson::adapters::NlohmannJsonAdapter(plain),
                         &results)) {
    return {};
  }
  // The last error is the outermost; the first has the location.
  valijson::ValidationResults::Error error;
  results.popError(error);
  std::string place;
  for (const std::string& step : error.context) {
    place += step == "<root>" ? "" : step;
  }
  return fmt::format("{}: {}", place.empty() ? "the document" : place, error.description);
}

}  // namespace warpgrade
