#include "emulator/ptx/name_store.h"

#include <algorithm>
#include <charconv>

namespace warpsim::ptx {
namespace {

constexpr std::size_t kBlockBytes = 16 * 1024;
constexpr std::size_t kMaxDigits = 20;

}  // namespace

char* NameStore::reserve(std::size_t size) {
  if (size > left_) {
    left_ = std::max(size, kBlockBytes);
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(left_));
    next_ = blocks_.back().get();
  }
  return next_;
}

std::string_view NameStore::add(std::string_view text) {
  return add(text, {});
}

std::string_view NameStore::add(std::string_view first, std::string_view second) {
  const std::size_t size = first.size() + second.size();
  char* begin = reserve(size);
  next_ = std::copy(second.begin(), second.end(), std::copy(first.begin(), first.end(), begin));
  left_ -= size;
  return {begin, size};
}

std::string_view NameStore::add(std::string_view prefix, std::uint64_t number,
                                std::string_view suffix) {
  char* begin = reserve(prefix.size() + kMaxDigits + suffix.size());
  char* end = std::copy(prefix.begin(), prefix.end(), begin);
  end = std::to_chars(end, end + kMaxDigits, number).ptr;
  end = std::copy(suffix.begin(), suffix.end(), end);
  const auto size = static_cast<std::size_t>(end - begin);
  next_ = end;
  left_ -= size;
  return {begin, size};
}

}  // namespace warpsim::ptx
