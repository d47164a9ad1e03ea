#include "emulator/ptx/labels.h"

#include <fmt/format.h>

namespace warpsim::ptx {

void LabelScopes::open() {
  scopes_.push_back({.first_use = uses_.size(), .targets = {}});
}

void LabelScopes::close(std::vector<Resolved>& resolved) {
  const Scope scope = std::move(scopes_.back());
  scopes_.pop_back();
  if (scopes_.size() > 0 && scope.targets.empty()) return;
  std::size_t kept = scope.first_use;
  for (std::size_t i = scope.first_use; i < uses_.size(); ++i) {
    const auto found = scope.targets.find(uses_[i].label.text);
    if (found != scope.targets.end()) {
      resolved.push_back({.use = uses_[i], .target = found->second});
    } else {
      uses_[kept++] = uses_[i];
    }
  }
  uses_.resize(kept);
  if (scopes_.empty() && !uses_.empty()) {
    const Token& label = uses_.front().label;
    fail(label, fmt::format("no label {} in this function", describe(label)));
  }
}

void LabelScopes::declare(const Token& label, std::uint32_t target) {
  if (!scopes_.back().targets.emplace(label.text, target).second) {
    fail(label, fmt::format("label {} is defined twice", describe(label)));
  }
}

}  // namespace warpsim::ptx
