#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "emulator/findings/array_access.h"
#include "emulator/findings/finding_kinds.h"

namespace warpsim {

/// A checker's finding: where, who, got, want, next. Every text is one line.
struct Finding {
  /// Severity and pitfall are the kind's; the checker may change them according to the finding's
  /// data.
  explicit Finding(FindingKind of)
      : kind(of), severity(info_of(of).severity), pitfall(info_of(of).pitfall) {}

  FindingKind kind;
  Severity severity;
  std::string pitfall;  // "P1", or empty
  std::string kernel;  // demangled name; empty for host-side findings
  std::string file;  // of the .cu source, as the compiler recorded it
  std::uint32_t line = 0;
  std::uint32_t column = 0;  // from 1; 0 if unknown, as in host code
  std::string other_file;  // of a race's other access
  std::uint32_t other_line = 0;  // 0 if there is none
  std::string message;  // "4-byte read past the end of `d_A` (1024 bytes, cudaMalloc #2)"
  std::string where;  // "vecadd.cu:12: ld.global.f32 %f1, [%rd8]" and inlined-at, if any
  std::string who;  // "block (3,0,0) thread (8,0,0), warp 0 lane 8; first of 24 lanes"
  std::string got;
  std::string want;
  std::string next;  // what to look at; a fact or a hint, never a guess about intent
  ArrayAccess access;  // that `got` tells of; not known for findings about no array
  FindingDetail detail = FindingDetail::none;
  std::uint64_t count = 1;
  /// Of an access out of bounds of global memory: the allocation next to it, by its id; 0 if none.
  std::uint64_t allocation = 0;
  /// Order of occurrence: launch, block, and position in the block. Of duplicates the earliest is
  /// kept, which makes the reported one independent of the number of host threads.
  std::array<std::uint64_t, 3> order = {0, 0, 0};
};

/// Collects findings from all host threads; duplicates (kind, kernel, file, line) are merged with a
/// count, and the one with the smallest order is kept. Findings of host code have no line here;
/// their location and message are used instead.
class FindingLog {
 public:
  using Content = std::map<std::string, Finding>;

  void add(Finding finding);
  /// For going back to an earlier time.
  [[nodiscard]] Content copy() const;
  void restore(Content content);
  /// In order of first occurrence.
  [[nodiscard]] std::vector<Finding> sorted() const;
  [[nodiscard]] bool has_errors() const;
  /// Whether a finding about global memory at a source line follows from accesses out of bounds
  /// there: they read or write other arrays than the one that was meant. Of that array itself other
  /// accesses may be wrong, too, as in `y[i] = y[i + 1]`, which races and leaves the array.
  /// @param from        kernel, file and line of the access that the finding is about
  /// @param writes      whether that access writes
  /// @param allocation  id of the memory that the finding is about
  [[nodiscard]] bool follows_from_out_of_bounds(const Finding& from, bool writes,
                                                std::uint64_t allocation) const;
  /// Distinct findings so far.
  [[nodiscard]] std::size_t size() const;

 private:
  mutable std::mutex mutex_;
  Content by_key_;
};

/// The text form: a line that editors understand, "file:line:column: error: message [kind, P1]",
/// then where, who, got, want, next, each on its own line and left out if empty; "seen N times" if
/// the finding occurred more than once. The place is left out if the line is unknown, and a file
/// below the current directory is given relative to it.
[[nodiscard]] std::string render(const Finding& finding);

}  // namespace warpsim
