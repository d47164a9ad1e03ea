#include <fmt/core.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "emulator/record/schema.h"
#include "grader/record/grade/grade_json.h"
#include "grader/record/grade/json_fields.h"

namespace warpgrade {

namespace {

const valijson::Schema& parsed_schema() {
  static const std::unique_ptr<const valijson::Schema> schema = [] {
    const nlohmann::json document = grade_schema();
    auto parsed = std::make_unique<valijson::Schema>();
    valijson::SchemaParser().populateSchema(valijson::adapters::NlohmannJsonAdapter(document),
                                            *parsed);
    return parsed;
  }();
  return *schema;
}

}  // namespace

nlohmann::ordered_json grade_schema() {
  record::SchemaWriter<record::Document::grade> writer;
  const record::Schema grade = writer.object<Grade>();
  const record::Schema totals = writer.object<GradeTotals>();
  record::Schema required = {"schema"};
  record::Schema properties = {{"schema", {{"const", kGradeSchema}}}};
  for (const record::Schema* part : {&grade, &totals}) {
    for (const auto& key : part->at("required")) required.push_back(key);
    properties.update(part->at("properties"));
  }
  return {{"$schema", "http://json-schema.org/draft-07/schema#"},
          {"title", "grade.json"},
          {"description",
           "All that warpgrade knows about one submission. Reports and exports are made from it. "
           "Keys that are not here are of a later version: ignore them."},
          {"type", "object"},
          {"required", std::move(required)},
          {"properties", std::move(properties)},
          {"definitions", writer.definitions()}};
}

std::string schema_violation(const nlohmann::ordered_json& document) {
  const nlohmann::json plain = document;  // the adapter does not accept ordered documents
  valijson::Validator validator;
  valijson::ValidationResults results;
  if (validator.validate(parsed_schema(), valijson::adapters::NlohmannJsonAdapter(plain),
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
