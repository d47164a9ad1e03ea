#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/findings/array_access.h"
#include "emulator/findings/finding_kinds.h"
#include "emulator/record/fields.h"

namespace warpsim {

/// "P1", or empty.
inline constexpr std::string_view kPitfallPattern = "^(P[1-9][0-9]*)?$";

/// A checker's finding, as the emulator reports it, merged over the cases.
struct ReportedFinding {
  std::string pitfall;
  std::string kind;
  std::string severity = "error";
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;  // from 1; 0 if unknown
  std::string other_file = {};  // of a race's other access
  std::uint32_t other_line = 0;  // 0 if there is none
  std::string kernel;
  std::string message;
  std::string where;
  std::string who;
  std::string got;
  std::string want;
  std::string next;
  std::int64_t offset = 0;  // of access(), as are the next two
  std::uint64_t width = 0;
  std::uint64_t array_bytes = 0;
  std::string detail = {};  // the slug of a FindingDetail; empty if there is none
  std::uint64_t count = 1;
  std::vector<std::string> cases;  // in which it was seen

  /// The access to an array that it is about; not known if it is about none.
  [[nodiscard]] ArrayAccess access() const {
    return {.offset = offset, .width = width, .bytes = array_bytes};
  }
  [[nodiscard]] bool has(FindingDetail of) const { return detail == slug(of); }

  [[nodiscard]] bool is_error() const { return severity == "error"; }
  [[nodiscard]] bool is(FindingKind of) const { return kind == slug(of); }
  [[nodiscard]] bool is_about(FindingTopic topic) const;
  /// Names a symptom that many causes can have.
  [[nodiscard]] bool has_many_causes() const;
  /// Affects neither memory nor results.
  [[nodiscard]] bool is_tidiness() const;
  /// The program relies on undefined behavior that happened to work: lanes in lockstep without
  /// __syncwarp(), a barrier that some warps never reach, blocks that start in order.
  [[nodiscard]] bool relies_on_luck() const;
  /// Reports a missing feature of the emulator, not a mistake of the program.
  [[nodiscard]] bool is_lack_of_emulator() const;
  /// It costs points for safety.
  [[nodiscard]] bool counts() const { return is_error() || relies_on_luck(); }
};
WARPGRADE_FIELDS(
    ReportedFinding,
    (pitfall, "A page of docs/pitfalls without its ending, or empty.",
     {.pattern = kPitfallPattern}),
    (kind, "One of docs/emulator.md's kinds of findings.", {.not_empty = true}),
    (severity, "", {.one_of = kSeverityNames}), file, line,
    (column, "From 1; 0 if unknown.", {.optional = true}),
    (other_file, "Of a race: where the other access is.", {.optional = true}),
    (other_line, "0 if there is no other place.", {.optional = true}),
    (kernel, "Demangled; empty for host code."), message, where, who, got, want, next,
    (offset,
     "Of an access to an array: its first byte, from the array's start; negative before it.",
     {.optional = true}),
    (width, "Bytes of that access; 0: the finding is not about an access to an array.",
     {.optional = true}),
    (array_bytes, "Bytes of that array; 0 if unknown.", {.optional = true}),
    (detail, "What its kind does not say, or empty.",
     {.optional = true, .one_of = kFindingDetails}),
    (count, "How often it occurred.", {.from = 1}),
    (cases, "In which it was seen; a single run has none.", {.only = record::Document::grade}))

}  // namespace warpsim
