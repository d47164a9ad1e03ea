#include "emulator/cudart/sent_to_host.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>

namespace warpsim::cudart {
namespace {

constexpr std::size_t kPiece = 16;  // bytes that are not equal by chance
constexpr std::size_t kSentWord = 4;
constexpr std::uint64_t kMostSent = std::uint64_t{512} << 20;  // later bytes replace earlier ones
/// A device that sends more than the outputs so many times, and a bit, may have sent every value.
constexpr std::uint64_t kMostSentCopies = 4;
constexpr std::uint64_t kFewBytes = std::uint64_t{64} << 10;

/// A set of hashes of byte strings; a false hit is as unlikely as an equal hash of 64 bits.
class HashSet {
 public:
  explicit HashSet(std::size_t most) : slots_(std::bit_ceil(2 * most + 2)) {}

  void insert(std::uint64_t hash) {
    std::size_t at = hash & (slots_.size() - 1);
    while (slots_[at] != 0 && slots_[at] != hash) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = hash;
  }
  [[nodiscard]] bool contains(std::uint64_t hash) const {
    std::size_t at = hash & (slots_.size() - 1);
    while (slots_[at] != 0 && slots_[at] != hash) at = (at + 1) & (slots_.size() - 1);
    return slots_[at] == hash;
  }

 private:
  std::vector<std::uint64_t> slots_;  // 0: free
};

std::uint64_t mixed(std::uint64_t x) {  // the finalizer of splitmix64
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

/// Of at most 16 bytes.
std::uint64_t hash_of(std::span<const std::byte> bytes) {
  std::uint64_t words[2] = {};
  std::memcpy(words, bytes.data(), bytes.size());
  const std::uint64_t hash =
      mixed(mixed(words[0] + bytes.size()) ^ (words[1] + 0x9e3779b97f4a7c15));
  return hash == 0 ? 1 : hash;
}

bool is_zero(std::span<const std::byte> bytes) {
  return std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{}; });
}

/// The smallest part of an element that is looked for.
std::size_t unit_of(const AnnouncedArray& array) {
  return array.element_bytes % kSentWord == 0 ? kSentWord : array.element_bytes % 2 == 0 ? 2 : 1;
}

/// Adds a range to ranges that do not touch.
void join(std::map<std::uint64_t, std::uint64_t>& ranges, std::uint64_t begin, std::uint64_t end) {
  auto at = ranges.upper_bound(begin);
  if (at != ranges.begin() && std::prev(at)->second >= begin) --at;
  while (at != ranges.end() && at->first <= end) {
    begin = std::min(begin, at->first);
    end = std::max(end, at->second);
    at = ranges.erase(at);
  }
  ranges.emplace(begin, end);
}

}  // namespace

SentToHost::SentToHost(std::span<const AnnouncedArray> arrays) {
  for (const AnnouncedArray& array : arrays) {
    if (!array.is_output || !array.on_host) continue;
    output_bytes_ += array.bytes;
    images_.push_back(
        {.address = array.address, .bytes = std::vector<std::byte>(array.bytes), .sent = {}});
  }
}

void SentToHost::keep(std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  if (kept_.size() + bytes.size() > kMostSent) {
    kept_.clear();
    rows_.clear();
  }
  rows_.push_back({.at = kept_.size(), .bytes = bytes.size()});
  kept_.insert(kept_.end(), bytes.begin(), bytes.end());
}

void SentToHost::add(std::uint64_t address, std::span<const std::byte> bytes) {
  sent_ += bytes.size();
  const std::uint64_t end = address + bytes.size();
  bool is_inside = false;
  for (Image& image : images_) {
    const std::uint64_t from = std::max(address, image.address);
    const std::uint64_t to = std::min(end, image.address + image.bytes.size());
    if (from >= to) continue;
    const std::uint64_t at = from - image.address;
    std::memcpy(image.bytes.data() + at, bytes.data() + (from - address), to - from);
    join(image.sent, at, at + (to - from));
    is_inside = is_inside || to - from == bytes.size();
  }
  if (!is_inside) keep(bytes);
}

bool SentToHost::any_value_may_be_sent() const {
  return sent_ > kMostSentCopies * output_bytes_ + kFewBytes;
}

template <class Use>
void SentToHost::for_sent_rows(Use use) const {
  for (const Row& row : rows_) use(std::span(kept_).subspan(row.at, row.bytes));
  for (const Image& image : images_) {
    for (const auto& [begin, end] : image.sent) {
      use(std::span(image.bytes).subspan(begin, end - begin));
    }
  }
}

std::vector<std::size_t> SentToHost::not_put_there(const AnnouncedArray& output,
                                                   std::span<const std::byte> content) const {
  const std::size_t unit = unit_of(output);
  std::vector<std::size_t> open;
  const auto look_at = [&](std::size_t begin, std::size_t end, const std::byte* sent) {
    for (std::size_t at = begin; at + unit <= end; at += unit) {
      const auto here = content.subspan(at, unit);
      if (sent != nullptr && std::memcmp(here.data(), sent + at, unit) == 0) continue;
      if (!is_zero(here)) open.push_back(at);
    }
  };
  std::size_t done = 0;
  const auto image = std::ranges::find(images_, output.address, &Image::address);
  if (image != images_.end() && image->bytes.size() == content.size()) {
    for (const auto& [begin, end] : image->sent) {
      const std::size_t first = (begin + unit - 1) / unit * unit;
      const std::size_t last = end / unit * unit;
      if (first >= last) continue;
      look_at(done, first, nullptr);
      if (std::memcmp(content.data() + first, image->bytes.data() + first, last - first) != 0) {
        look_at(first, last, image->bytes.data());
      }
      done = last;
    }
  }
  look_at(done, content.size(), nullptr);
  return open;
}

SentToHost::Foreign SentToHost::foreign_in(const AnnouncedArray& output,
                                           std::span<const std::byte> content) const {
  const std::size_t unit = unit_of(output);
  std::vector<std::size_t> open = not_put_there(output, content);
  /// Leaves the units for which no piece that contains them is among the sent ones.
  const auto explain = [&](std::size_t piece) {
    std::size_t count = 0;
    for_sent_rows([&](std::span<const std::byte> row) { count += row.size() / unit; });
    HashSet sent(count);
    for_sent_rows([&](std::span<const std::byte> row) {
      for (std::size_t at = 0; at + piece <= row.size(); at += unit) {
        sent.insert(hash_of(row.subspan(at, piece)));
      }
    });
    std::size_t looked = 0;  // pieces before it were searched for
    std::size_t explained = 0;  // units before it are in a piece that was sent
    std::erase_if(open, [&](std::size_t at) {
      if (at < explained) return true;
      std::size_t from = at + unit < piece ? 0 : at + unit - piece;
      for (from = std::max(from, looked); from <= at && from + piece <= content.size();
           from += unit) {
        looked = from + unit;
        if (!sent.contains(hash_of(content.subspan(from, piece)))) continue;
        explained = from + piece;
        return true;
      }
      return false;
    });
  };
  if (!open.empty()) explain(kPiece);
  if (!open.empty() && unit == kSentWord && !any_value_may_be_sent()) explain(kSentWord);
  return {.bytes = open.size() * unit, .first = open.empty() ? 0 : open.front()};
}

}  // namespace warpsim::cudart
