#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <string>

#include "harness/case/case_data.h"

namespace warpgrade {

/// A bounded LRU cache for data of hidden cases, some of which the runs of one submission need more
/// than once. Not thread-safe.
class RecentData {
 public:
  explicit RecentData(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  /// Null if it is not, or no longer, cached.
  [[nodiscard]] std::shared_ptr<const CaseData> find(const Case& spec, const Secret& secret);
  /// Data larger than the limit are not cached.
  void keep(const Secret& secret, std::shared_ptr<const CaseData> data);
  /// Drops all data made with this secret.
  void forget(const Secret& secret);

  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  struct Entry {
    std::string secret;
    std::shared_ptr<const CaseData> data;
  };
  using Entries = std::list<Entry>;

  Entries::iterator drop(Entries::iterator entry);

  std::size_t most_bytes_;
  std::size_t bytes_ = 0;
  Entries entries_;  // the most recent first
};

}  // namespace warpgrade
