#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "grader/class/similar/winnow.h"
#include "grader/record/grade/grade.h"

namespace warpgrade {

/// One submission, prepared for comparison.
struct ComparedWork {
  std::string student;
  std::vector<SourceFile> files;
  std::vector<std::uint32_t> file_of;  // by token: index into files
  std::vector<Token> tokens;  // of all files
  std::vector<Fingerprint> fingerprints;  // without those of the handout
  bool earlier = false;  // of another term, or published: not compared with others of its kind
};

/// Hashes of all passages given to every student: stub, header, code of the handout.
using KnownPassages = std::unordered_set<std::uint64_t>;
void add_known(const std::string& source, KnownPassages& known);

[[nodiscard]] ComparedWork compared_work(std::string student, std::vector<SourceFile> files,
                                         const KnownPassages& known);

/// A passage that two submissions share, as tokens of each.
struct SharedPassage {
  std::size_t a_begin = 0;
  std::size_t a_end = 0;
  std::size_t b_begin = 0;
  std::size_t b_end = 0;
};

struct SimilarPair {
  std::size_t a = 0;  // indices of the works
  std::size_t b = 0;
  std::size_t shared = 0;  // fingerprints
  double share_of_a = 0;  // of a's own fingerprints, weighted; 0 to 1
  double share_of_b = 0;

  /// The score for ranking pairs.
  [[nodiscard]] double similarity() const { return (share_of_a + share_of_b) / 2; }
};

/// Fewer shared fingerprints are common code: a loop, an index, a guard.
inline constexpr std::size_t kLeastShared = 4;

/// Removes fingerprints that more than half of a class of ten or more has, because they follow from
/// the task. Copies count once.
void leave_out_common(std::vector<ComparedWork>& works);

/// Pairs with at least kLeastShared fingerprints in common, the most similar first; at least one of
/// a pair is of the class itself. In a class of ten or more, the weight of a fingerprint decreases
/// with its owners, copies counted once: 1 for two, 0 from half of the class on.
[[nodiscard]] std::vector<SimilarPair> rank_pairs(const std::vector<ComparedWork>& works);

/// Removes redundant pairs of identical copies: of ten copies nine pairs stay, each with the first,
/// and pairs of the other copies with a third submission are removed.
void fold_copies(std::vector<SimilarPair>& pairs);

/// The shared passages, in order of a's tokens.
[[nodiscard]] std::vector<SharedPassage> shared_passages(const ComparedWork& a,
                                                         const ComparedWork& b);

}  // namespace warpgrade
