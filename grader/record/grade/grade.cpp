#include "grader/record/grade/grade.h"

#include <algorithm>
#include <cmath>

namespace warpgrade {
namespace {

/// Points are sums and shares; a grade should say 7.5, not 7.499999999999999.
double rounded_points(double points) {
  return std::round(points * 1e6) / 1e6;
}

template <class Keep, class Value>
double sum(const std::vector<Item>& items, Keep keep, Value value) {
  double total = 0;
  for (const Item& item : items) {
    total += keep(item) ? value(item) : 0;
  }
  return rounded_points(total);
}

constexpr auto kAll = [](const Item&) { return true; };
constexpr auto kPoints = [](const Item& item) { return item.points; };
constexpr auto kMaxPoints = [](const Item& item) { return item.max_points; };

bool assessed(const Item& item) {
  return item.status != ItemStatus::not_assessed && item.status != ItemStatus::error;
}

}  // namespace

void add_hidden_case(const Item& item, Item& sum) {
  const bool error = item.status == ItemStatus::error || sum.status == ItemStatus::error;
  sum.points = rounded_points(sum.points + item.points);
  sum.max_points = rounded_points(sum.max_points + item.max_points);
  sum.status = error                          ? ItemStatus::error
               : sum.points >= sum.max_points ? ItemStatus::passed
               : sum.points > 0               ? ItemStatus::partial
                                              : ItemStatus::failed;
}

const CardCounts* CardProfile::find(std::string_view program, bool timed) const {
  const auto it = std::find_if(counts.begin(), counts.end(), [&](const CardCounts& c) {
    return c.program == program && c.timed == timed;
  });
  return it == counts.end() ? nullptr : &*it;
}

double Grade::score() const {
  return sum(items, kAll, kPoints);
}

double Grade::max_score() const {
  return sum(items, kAll, kMaxPoints);
}

double Grade::assessed_points() const {
  return sum(items, assessed, kMaxPoints);
}

double Timing::deciding_ratio() const {
  if (source != "measured") return ratio;
  const double tolerated = ratio / (1 + kTierTolerance);
  return runs && runs->ratio_low ? std::min(*runs->ratio_low, tolerated) : tolerated;
}

const TimingTier* Timing::reached() const {
  const auto it = std::find_if(tiers.begin(), tiers.end(), [this](const TimingTier& tier) {
    return deciding_ratio() <= tier.ratio;  // ascending in ratio: the first is the best
  });
  return it == tiers.end() ? nullptr : &*it;
}

double Grade::points_in(Category category) const {
  return sum(
      items, [&](const Item& item) { return item.category == category; }, kPoints);
}

double Grade::max_points_in(Category category) const {
  return sum(
      items, [&](const Item& item) { return item.category == category; }, kMaxPoints);
}

bool Grade::passed() const {
  return std::all_of(items.begin(), items.end(), [](const Item& item) {
    // A case that was not assessed may be a wrong one.
    return item.status == ItemStatus::passed ||
           (item.status == ItemStatus::not_assessed && item.category != Category::correctness);
  });
}

}  // namespace warpgrade
