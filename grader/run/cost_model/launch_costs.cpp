#include "grader/run/cost_model/launch_costs.h"

#include <algorithm>

namespace warpgrade {

using warpsim::Card;
using warpsim::cost_fields;
using warpsim::CostField;
using warpsim::CostInputs;

std::optional<LaunchCosts> LaunchCosts::of(const EmulatorReport& report) {
  LaunchCosts costs;
  for (const Card& card : warpsim::all_cards()) {
    if (card.name == report.device) {
      costs.card_ = &card;
    }
  }
  if (costs.card_ == nullptr) {
    return std::nullopt;
  }
  for (std::size_t k = 0; k < report.kernels.size(); ++k) {
    for (const warpsim::LaunchReport& shape : report.kernels[k].shapes) {
      if (shape.cost.launches > 0 && shape.cost.blocks > 0) {
        costs.groups_.push_back({k, shape.cost});
      }
    }
  }
  const double grouped = costs.ms();
  const double reported = report.total(kTimeMetric);
  if (!(grouped > 0) || !(reported > 0)) {
    return std::nullopt;
  }
  costs.scale_ = reported / grouped;
  return costs;
}

double LaunchCosts::ms() const {
  double sum = 0;
  for (const Group& group : groups_) {
    sum += warpsim::modelled_milliseconds(group.inputs, *card_);
  }
  return scale_ * sum;
}

CostInputs LaunchCosts::sum(std::size_t kernel) const {
  CostInputs total;
  for (const Group& group : groups_) {
    if (group.kernel == kernel) {
      total += group.inputs;
    }
  }
  return total;
}

CostInputs LaunchCosts::sum() const {
  CostInputs total;
  for (const Group& group : groups_) {
    total += group.inputs;
  }
  return total;
}

void LaunchCosts::replace(std::size_t kernel, const CostInputs& before, const CostInputs& after) {
  const CostInputs whole = sum(kernel);
  for (Group& group : groups_) {
    if (group.kernel != kernel) {
      continue;
    }
    const double work = whole.instructions > 0 ? group.inputs.instructions / whole.instructions : 0;
    CostInputs changed = group.inputs;
    for (const CostField& field : cost_fields()) {
      const double difference = after.*field.member - before.*field.member;
      const double all = whole.*field.member;
      if (!field.is_sum || difference == 0) {
        continue;
      }
      const double share = all > 0 ? group.inputs.*field.member / all : work;
      changed.*field.member = std::max(0.0, group.inputs.*field.member + difference * share);
    }
    group.inputs = changed;
  }
}

}  // namespace warpgrade
