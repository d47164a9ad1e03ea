#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>

namespace warpsim {

/// Pages of a large address space, by number, that exist once they are used. The last one is
/// remembered, since the next access is usually in it, too. Not thread-safe.
template <class Page>
class SparsePages {
 public:
  /// The page; made with its default values where there is none.
  Page& make(std::uint64_t number) {
    if (number != last_number_) {
      std::unique_ptr<Page>& page = pages_[number];
      if (page == nullptr) page = std::make_unique<Page>();
      remember(number, page.get());
    }
    return *last_;
  }
  /// Null where there is none.
  Page* find(std::uint64_t number) {
    if (number != last_number_) {
      const auto page = pages_.find(number);
      if (page == pages_.end()) return nullptr;
      remember(number, page->second.get());
    }
    return last_;
  }
  [[nodiscard]] const Page* find(std::uint64_t number) const {
    const auto page = pages_.find(number);
    return page == pages_.end() ? nullptr : page->second.get();
  }
  [[nodiscard]] bool empty() const { return pages_.empty(); }
  void clear() {
    pages_.clear();
    remember(kNone, nullptr);
  }

 private:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};  // no address is in that page

  void remember(std::uint64_t number, Page* page) {
    last_number_ = number;
    last_ = page;
  }

  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  std::uint64_t last_number_ = kNone;
  Page* last_ = nullptr;
};

}  // namespace warpsim
