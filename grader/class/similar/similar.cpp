#include "grader/class/similar/similar.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace warpgrade {
namespace {

constexpr std::size_t kClassWithHabits = 10;

std::vector<std::uint64_t> distinct_hashes(const ComparedWork& work) {
  std::vector<std::uint64_t> hashes;
  for (const Fingerprint& f : work.fingerprints) {
    hashes.push_back(f.hash);
  }
  std::sort(hashes.begin(), hashes.end());
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
  return hashes;
}

/// The owners of a fingerprint, by its hash; ordered, so that sums are deterministic.
using Owners = std::map<std::uint64_t, std::vector<std::uint32_t>>;

Owners owners_of(const std::vector<ComparedWork>& works) {
  Owners owners;
  for (std::size_t i = 0; i < works.size(); ++i) {
    for (const std::uint64_t hash : distinct_hashes(works[i])) {
      owners[hash].push_back(static_cast<std::uint32_t>(i));
    }
  }
  return owners;
}

/// For each work the first one with the same fingerprints, of which it is a copy; else itself.
std::vector<std::uint32_t> first_of_copies(const std::vector<ComparedWork>& works) {
  std::map<std::vector<std::uint64_t>, std::uint32_t> first;
  std::vector<std::uint32_t> of_work;
  for (std::size_t i = 0; i < works.size(); ++i) {
    const auto own = static_cast<std::uint32_t>(i);
    of_work.push_back(first.emplace(distinct_hashes(works[i]), own).first->second);
  }
  return of_work;
}

std::size_t count_distinct(std::vector<std::uint32_t> works) {
  std::sort(works.begin(), works.end());
  return static_cast<std::size_t>(std::unique(works.begin(), works.end()) - works.begin());
}

/// Owners of a fingerprint, copies counted once: what a group of copies has in common does not
/// follow from the task.
std::size_t count_owners(const std::vector<std::uint32_t>& owners,
                         const std::vector<std::uint32_t>& first) {
  std::vector<std::uint32_t> firsts;
  for (const std::uint32_t owner : owners) firsts.push_back(first[owner]);
  return count_distinct(std::move(firsts));
}

/// The weight of a fingerprint with so many owners: 1 for two, 0 for half of the class, decreasing
/// in between. Always 1 in a small class, where two thirds may be one group.
double weight_of(std::size_t owners, std::size_t students) {
  if (students < kClassWithHabits || owners <= 2) {
    return 1;
  }
  const double half = static_cast<double>(students) / 2;
  return std::max(0.0, std::log(half / static_cast<double>(owners)) / std::log(half / 2));
}

}  // namespace

void add_known(const std::string& source, KnownPassages& known) {
  for (const std::uint64_t hash : gram_hashes(normalised_tokens(source))) {
    known.insert(hash);
  }
}

ComparedWork compared_work(std::string student, std::vector<SourceFile> files,
                           const KnownPassages& known) {
  ComparedWork work;
  work.student = std::move(student);
  work.files = std::move(files);
  for (std::size_t i = 0; i < work.files.size(); ++i) {
    const std::size_t before = work.tokens.size();
    const std::vector<Token> tokens = normalised_tokens(work.files[i].text);
    work.tokens.insert(work.tokens.end(), tokens.begin(), tokens.end());
    work.file_of.resize(work.tokens.size(), static_cast<std::uint32_t>(i));
    // Each file separately: no passage crosses the end of a file.
    for (const Fingerprint& f : winnow(tokens)) {
      if (!known.contains(f.hash)) {
        work.fingerprints.push_back({f.hash, before + f.token});
      }
    }
  }
  return work;
}

void leave_out_common(std::vector<ComparedWork>& works) {
  const std::vector<std::uint32_t> first = first_of_copies(works);
  const std::size_t different = count_distinct(first);
  if (different < kClassWithHabits) {
    return;
  }
  std::unordered_set<std::uint64_t> common;
  for (const auto& [hash, who] : owners_of(works)) {
    if (count_owners(who, first) * 2 > different) common.insert(hash);
  }
  for (ComparedWork& work : works) {
    std::erase_if(work.fingerprints, [&](const Fingerprint& f) { return common.contains(f.hash); });
  }
}

std::vector<SimilarPair> rank_pairs(const std::vector<ComparedWork>& works) {
  struct Shared {
    std::size_t count = 0;
    double weight = 0;
  };
  std::vector<double> own(works.size(), 0);
  std::map<std::pair<std::uint32_t, std::uint32_t>, Shared> shared;
  const std::vector<std::uint32_t> first = first_of_copies(works);
  const std::size_t different = count_distinct(first);
  for (const auto& [hash, who] : owners_of(works)) {
    const double weight = weight_of(count_owners(who, first), different);
    for (std::size_t i = 0; i < who.size(); ++i) {
      own[who[i]] += weight;
      for (std::size_t j = i + 1; j < who.size(); ++j) {
        if (works[who[i]].earlier && works[who[j]].earlier) continue;
        Shared& both = shared[{who[i], who[j]}];
        both.count += 1;
        both.weight += weight;
      }
    }
  }
  std::vector<SimilarPair> pairs;
  for (const auto& [pair, both] : shared) {
    if (both.count >= kLeastShared && both.weight > 0) {
      pairs.push_back({.a = pair.first,
                       .b = pair.second,
                       .shared = both.count,
                       .share_of_a = both.weight / own[pair.first],
                       .share_of_b = both.weight / own[pair.second]});
    }
  }
  std::sort(pairs.begin(), pairs.end(), [](const SimilarPair& x, const SimilarPair& y) {
    return std::tuple(-x.similarity(), y.shared, x.a, x.b) <
           std::tuple(-y.similarity(), x.shared, y.a, y.b);
  });
  return pairs;
}

void fold_copies(std::vector<SimilarPair>& pairs) {
  const auto is_copy = [](const SimilarPair& pair) {
    return pair.share_of_a == 1 && pair.share_of_b == 1;
  };
  std::map<std::size_t, std::size_t> first;  // the first of each group of copies
  for (const SimilarPair& pair : pairs) {
    if (is_copy(pair)) {
      const auto [it, is_new] = first.emplace(pair.b, pair.a);
      it->second = std::min(it->second, pair.a);
    }
  }
  std::erase_if(pairs, [&](const SimilarPair& pair) {
    if (is_copy(pair)) {
      return first.at(pair.b) != pair.a;
    }
    return first.contains(pair.a) || first.contains(pair.b);
  });
}

std::vector<SharedPassage> shared_passages(const ComparedWork& a, const ComparedWork& b) {
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> places;
  for (const Fingerprint& f : b.fingerprints) {
    places[f.hash].push_back(f.token);
  }
  std::vector<SharedPassage> passages;
  for (const Fingerprint& f : a.fingerprints) {
    const auto it = places.find(f.hash);
    if (it == places.end()) {
      continue;
    }
    // The location that continues the last passage, otherwise the first.
    std::size_t at = it->second.front();
    SharedPassage* last = passages.empty() ? nullptr : &passages.back();
    for (const std::size_t place : it->second) {
      if (last != nullptr && place >= last->b_begin && place <= last->b_end) {
        at = place;
      }
    }
    if (last != nullptr && f.token <= last->a_end && at >= last->b_begin && at <= last->b_end) {
      last->a_end = std::max(last->a_end, f.token + kGram);
      last->b_end = std::max(last->b_end, at + kGram);
    } else {
      passages.push_back({f.token, f.token + kGram, at, at + kGram});
    }
  }
  return passages;
}

}  // namespace warpgrade
