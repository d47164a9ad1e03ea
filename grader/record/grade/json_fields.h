#pragma once

#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <string>

#include "emulator/record/read.h"
#include "emulator/record/write.h"
#include "grader/core/error.h"
#include "grader/core/text.h"
#include "grader/record/grade/grade.h"

// JSON of the structures of a grade, in grade.json and in files that the grader writes for itself.

namespace warpgrade {

inline nlohmann::ordered_json to_document(const Expression& formula) {
  return formula.text();
}
inline void from_document(const nlohmann::ordered_json& document, Expression& formula) {
  const auto& text = document.get_ref<const std::string&>();
  try {
    formula = Expression(text);
  } catch (const ExpressionError& error) {
    throw UsageError(fmt::format("'{}' is not a formula: {}", text, error.what()));
  }
}
inline nlohmann::ordered_json schema_of(const Expression* /*type*/,
                                        const record::Limits& /*limits*/) {
  return {{"type", "string"}};
}

// Values that are left out of the document.

inline void finish_document(const Timing& timing, nlohmann::ordered_json& object) {
  if (!timing.shape.empty()) return;
  object.erase("shape");
  object.erase("card");
}
inline void finish_document(const CardCounts& /*counts*/, nlohmann::ordered_json& object) {
  for (nlohmann::ordered_json& kernel : object.at("kernels")) kernel.erase("lines");
}
inline void finish_document(const BeforeRelease& seen, nlohmann::ordered_json& object) {
  if (seen.hidden_cases == 0) object = {{"hidden_cases", 0}};
}

inline std::string printable_text(const std::string& text) {
  return printable(text);
}

using JsonWriter = record::Writer<record::Document::grade, printable_text>;

/// Reads what JsonWriter wrote.
/// @throws nlohmann::json::exception, UsageError  for what it did not write
template <record::Trust kTrust, class T>
void read_json(const nlohmann::ordered_json& document, T& value) {
  try {
    record::Reader<record::Document::grade, kTrust>().read(document, value);
  } catch (const record::BadName& error) {
    throw UsageError(error.what());
  }
}

}  // namespace warpgrade
