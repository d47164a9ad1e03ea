#include "grader/build/compile/compiler_messages.h"

#include <fmt/core.h>

#include <charconv>
#include <csignal>
#include <optional>

#include "grader/core/text.h"

namespace warpgrade {
namespace {

/// Splits "file(12)" (cudafe++), "file:12" and "file:12:5" (g++) into a message's place.
bool parse_place(std::string_view place, CompilerMessage& message) {
  place = trimmed(place);
  std::string_view digits;
  if (place.ends_with(')')) {
    const std::size_t open = place.rfind('(');
    if (open == std::string_view::npos) {
      return false;
    }
    digits = place.substr(open + 1, place.size() - open - 2);
    place = place.substr(0, open);
  } else {
    std::size_t colon = place.find(':');
    if (colon == std::string_view::npos) {
      return false;
    }
    digits = place.substr(colon + 1);
    const std::size_t second = digits.find(':');
    if (second != std::string_view::npos) {
      const std::string_view column = digits.substr(second + 1);
      std::from_chars(column.data(), column.data() + column.size(), message.column);
      digits = digits.substr(0, second);
    }
    place = place.substr(0, colon);
  }
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), message.line);
  message.file = std::string(place);
  return error == std::errc() && end == digits.data() + digits.size() && !place.empty();
}

/// "error: ..." and "fatal error: ..." of a back end name no place.
struct Mark {
  std::string_view text;
  bool is_error;
};
// The longer first: each contains one that follows.
constexpr Mark kMarks[] = {
    {": catastrophic error", true}, {": fatal error", true}, {": error", true},
    {": warning", false},           {" fatal ", true},       {": undefined reference to ", true}};

std::optional<CompilerMessage> parse_line(std::string_view line) {
  for (const std::string_view start : {"error: ", "fatal error: "}) {
    if (line.starts_with(start)) {
      return CompilerMessage{.file = {},
                             .line = 0,
                             .is_error = true,
                             .text = std::string(trimmed(line.substr(start.size())))};
    }
  }
  for (const Mark& mark : kMarks) {
    const std::size_t at = line.find(mark.text);
    if (at == std::string_view::npos) {
      continue;
    }
    CompilerMessage message{.file = {}, .line = 0, .is_error = mark.is_error, .text = {}};
    const std::string_view place = line.substr(0, at);
    if (mark.text.starts_with(": undefined")) {
      // "object.o: in function `f': file:12: undefined reference to `g'": the object is ours.
      message.text = std::string(line.substr(at + 2));
      return message;
    }
    std::string_view text = line.substr(at + mark.text.size());
    if (!parse_place(place, message)) {
      message.file.clear();
      message.line = 0;
    }
    // "error #20: ...", "error: ...", ptxas "fatal   : ..."
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos || colon > 12) {
      continue;
    }
    message.text = std::string(trimmed(text.substr(colon + 1)));
    return message;
  }
  return std::nullopt;
}

/// Whether it stands in a file that is not the submission's, whose files have relative names.
bool is_foreign(const CompilerMessage& message) {
  return message.file.starts_with('/');
}

void move_to(const CompilerMessage& place, CompilerMessage& message) {
  message.file = place.file;
  message.line = place.line;
  message.column = place.column;
}

/// "In file included from vecadd.cu:3:", "                 from a.h:2,": the last one of the
/// submission's files.
bool read_includer(std::string_view line, CompilerMessage& includer) {
  static constexpr std::string_view kStart = "In file included from ";
  if (!line.starts_with(kStart)) return false;
  CompilerMessage place;
  line.remove_prefix(kStart.size());
  line = line.substr(0, line.find_last_not_of(":,") + 1);
  if (parse_place(line, place) && !is_foreign(place)) includer = std::move(place);
  return true;
}

/// "vecadd.cu:7:3: note: in instantiation of function template specialization ... requested here"
bool read_instantiation(std::string_view line, CompilerMessage& user) {
  const std::size_t at = line.find(": note: in instantiation of ");
  return at != line.npos && parse_place(line.substr(0, at), user) && !is_foreign(user);
}

/// "a.cu:1:2: current parser token 'pragma'", where clang was in a file of the submission when it
/// crashed, from a line of its stack dump: "1.\ta.cu:1:2: current parser token 'pragma'".
std::string_view place_in_dump(std::string_view line) {
  const std::size_t tab = line.find(".\t");
  if (tab == line.npos || line.substr(0, tab).find_first_not_of("0123456789") != line.npos) {
    return {};
  }
  line.remove_prefix(tab + 2);
  const std::size_t end = line.find(": ");
  CompilerMessage place;
  const bool is_place = end != line.npos && parse_place(line.substr(0, end), place);
  return is_place && !is_foreign(place) ? line : std::string_view();
}

/// A crash of g++ or cudafe++, at a place or not; not a message of the source with these words.
bool is_internal_error(std::string_view line) {
  for (const std::string_view mark :
       {": internal compiler error: ", ": internal error: assertion failed"}) {
    const std::size_t at = line.find(mark);
    if (at != line.npos && line.substr(0, at).find(' ') == line.npos) return true;
  }
  return false;
}

/// "... File size limit exceeded signal terminated program as", for processor time and file size;
/// a program that was killed used too much memory, or was killed by someone else.
bool is_end_by_limit(std::string_view line) {
  return line.find("limit exceeded") != line.npos ||
         line.find("Killed signal terminated") != line.npos;
}

/// nvcc's message about a program of its own: "nvcc error   : 'cicc' died due to signal 11 (...)".
bool is_death_of_part(std::string_view line) {
  static constexpr std::string_view kDied = "' died due to signal ";
  const std::size_t at = line.find(kDied);
  if (!line.starts_with("nvcc error") || at == line.npos) return false;
  const std::string_view number = line.substr(at + kDied.size());
  int signal = 0;
  std::from_chars(number.data(), number.data() + number.size(), signal);
  return signal != SIGXCPU && signal != SIGKILL && signal != SIGXFSZ;
}

}  // namespace

std::string compiler_crash(std::string_view output) {
  std::string_view place;
  bool clang = false;
  for (const std::string_view line : split_lines(output)) {
    if (is_end_by_limit(line)) return {};
    if (is_internal_error(line) || is_death_of_part(line)) return std::string(trimmed(line));
    clang = clang || line.starts_with("PLEASE submit a bug report");
    if (clang && place.empty()) place = place_in_dump(line);
  }
  if (!clang) return {};
  return place.empty() ? "it asks for a bug report" : std::string(trimmed(place));
}

std::string CompilerMessage::sentence() const {
  return file.empty() ? text : fmt::format("{}:{}: {}", file, line, text);
}

std::vector<CompilerMessage> parse_compiler_messages(std::string_view output) {
  std::vector<CompilerMessage> messages;
  CompilerMessage includer;  // of what the next message is in
  for (const std::string_view line : split_lines(output)) {
    if (line.empty() || line.front() == ' ') continue;
    if (read_includer(line, includer)) continue;
    if (auto message = parse_line(line)) {
      if (is_foreign(*message) && !includer.file.empty()) move_to(includer, *message);
      messages.push_back(std::move(*message));
      includer = {};
    } else if (!messages.empty() && is_foreign(messages.back())) {
      CompilerMessage user;
      if (read_instantiation(line, user)) move_to(user, messages.back());
    }
  }
  return messages;
}

}  // namespace warpgrade
