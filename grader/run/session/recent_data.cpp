#include "grader/run/session/recent_data.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace warpgrade {
namespace {

std::size_t bytes_of(const CaseData& data) {
  std::size_t bytes = 0;
  for (const auto& [name, array] : data.inputs) {
    bytes += array.bytes.size();
  }
  for (const auto& [name, expected] : data.expected) {
    bytes += expected.want.size() * sizeof(double) + expected.bound.size() * sizeof(double) +
             expected.exact.size() * sizeof(std::int64_t);
  }
  return bytes;
}

}  // namespace

std::shared_ptr<const CaseData> RecentData::find(const Case& spec, const Secret& secret) {
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.data->spec == &spec && entry.secret == secret.text;
  });
  if (found == entries_.end()) {
    return nullptr;
  }
  entries_.splice(entries_.begin(), entries_, found);
  return entries_.front().data;
}

void RecentData::keep(const Secret& secret, std::shared_ptr<const CaseData> data) {
  const std::size_t more = bytes_of(*data);
  if (more > most_bytes_) {
    return;
  }
  while (bytes_ + more > most_bytes_) {
    drop(std::prev(entries_.end()));
  }
  bytes_ += more;
  entries_.push_front({.secret = secret.text, .data = std::move(data)});
}

void RecentData::forget(const Secret& secret) {
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    entry = entry->secret == secret.text ? drop(entry) : std::next(entry);
  }
}

RecentData::Entries::iterator RecentData::drop(Entries::iterator entry) {
  bytes_ -= bytes_of(*entry->data);
  return entries_.erase(entry);
}

}  // namespace warpgrade
