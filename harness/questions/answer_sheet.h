#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade {

/// A larger answers.toml is not read.
inline constexpr std::size_t kMaxAnswerBytes = std::size_t{64} << 10U;

/// A value as a student wrote it.
struct GivenAnswer {
  enum class Type : std::uint8_t {
    blank,  // "" or []
    number,
    text,
    list,  // of strings
    other,  // a date, true, a table: no question has such an answer
  };
  Type type = Type::blank;
  double number = 0;
  std::string text = {};
  std::vector<std::string> list = {};
  std::uint32_t line = 0;
  std::string shown = {};  // for reports: 4, 4 blocks, a and c
};

/// A student's answers.toml.
struct AnswerSheet {
  std::string problem = {};  // why nothing of it can be used, one sentence; empty if it can
  std::string lab = {};  // for which it was written
  std::string student = {};  // whose numbers its questions have; empty: the same for everybody
  std::string draw = {};  // public id of the course from which they were drawn
  std::map<std::string, GivenAnswer> answers = {};  // by question; blank ones too
};

/// Reads a file that anybody may have written; never throws on its contents.
[[nodiscard]] AnswerSheet read_answer_sheet(std::string_view text);

}  // namespace warpgrade
