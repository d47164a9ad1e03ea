#include "emulator/record/kernel.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "emulator/record/read.h"

namespace warpsim {
namespace {

template <class Json>
void read_costs(const Json& document, CostInputs& inputs) {
  for (const CostField& field : cost_fields()) {
    const auto it = document.find(field.name);
    if (it == document.end() || !it->is_number()) continue;
    inputs.*field.member = std::clamp(it->template get<double>(), 0.0, record::kLargestNumber);
  }
}

}  // namespace

nlohmann::ordered_json to_document(const CostInputs& inputs) {
  nlohmann::ordered_json cost = nlohmann::ordered_json::object();
  for (const CostField& field : cost_fields()) {
    if (inputs.*field.member != 0) cost[std::string(field.name)] = inputs.*field.member;
  }
  return cost;
}

void from_document(const nlohmann::json& document, CostInputs& inputs) {
  read_costs(document, inputs);
}

void from_document(const nlohmann::ordered_json& document, CostInputs& inputs) {
  read_costs(document, inputs);
}

nlohmann::ordered_json schema_of(const CostInputs* /*type*/, const record::Limits& /*limits*/) {
  return {{"type", "object"}, {"additionalProperties", {{"type", "number"}, {"minimum", 0}}}};
}

}  // namespace warpsim
