#include "grader/judge/experiment/call_words.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "emulator/changes/call_edit.h"
#include "grader/judge/experiment/host_calls.h"

namespace warpgrade {
namespace {

/// A longer argument is not repeated in a sentence.
constexpr std::size_t kLongestQuotedCall = 32;

std::uint32_t number_in(std::string_view text) {
  std::uint32_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::optional<std::string_view> after(std::string_view text, std::string_view begin) {
  if (!text.starts_with(begin)) return std::nullopt;
  return text.substr(begin.size());
}

class Words {
 public:
  Words(const TriedEdit& edit, const std::vector<SourceFile>& sources) : edit_(edit) {
    for (const SourceFile& source : sources) {
      if (std::filesystem::path(source.name).filename() == edit.file) {
        calls_ = host_calls(source.text);
      }
    }
  }

  [[nodiscard]] bool is_weak() const {
    if (edit_.kind == "call") return true;
    const std::string was = own(edit_.part);
    return edit_.kind == "number" && was.find_first_of("+-") == was.npos;
  }

  [[nodiscard]] EditWords find() const {
    const std::string call = is_launch() ? fmt::format("{} of `{}`", launches(), edit_.opcode)
                                         : fmt::format("`{}`", edit_.opcode);
    if (edit_.kind == "order") return same("two calls in the other order");
    if (edit_.kind == "call") {
      return edit_.to == "none" ? same(fmt::format("{} left out", call))
                                : same(fmt::format("{} made twice", call));
    }
    EditWords words = edit_.kind == "blocks" ? blocks() : is_launch() ? of_launch() : of_memory();
    words.kind += " in " + call;
    words.fix += " in " + call;
    return words;
  }

 private:
  static EditWords same(const std::string& text) { return {.kind = text, .fix = text}; }

  [[nodiscard]] bool is_launch() const { return !edit_.opcode.starts_with("cuda"); }

  [[nodiscard]] std::string_view launches() const {
    return edit_.from == "later" ? "the later launches" : "the launch";
  }

  /// As the source has it at a line; empty if it does not, or is too long.
  [[nodiscard]] std::string argument(std::uint32_t line, std::string_view name,
                                     std::size_t number) const {
    const auto here = std::ranges::find_if(calls_, [&](const HostCall& call) {
      return (name.empty() || call.name == name) && call.first_line <= line &&
             line <= call.last_line;
    });
    if (here == calls_.end() || number >= here->arguments.size()) return {};
    const std::string& text = here->arguments[number];
    const bool short_enough =
        text.size() <= kLongestQuotedCall && text.find_first_of("\n`") == text.npos;
    return short_enough ? fmt::format("`{}`", text) : std::string();
  }

  [[nodiscard]] std::string own(std::string_view number) const {
    return argument(edit_.line, edit_.opcode, number_in(number));
  }

  /// What the edit puts there; empty if the source has no word for it.
  [[nodiscard]] std::string given() const {
    if (const auto other = after(edit_.to, "@")) {
      const auto colon = other->find(':');
      if (colon == other->npos) return own(*other);
      return argument(number_in(*other), {}, number_in(other->substr(colon + 1)));
    }
    if (const auto name = after(edit_.to, "array=")) return fmt::format("`{}`", *name);
    if (const auto name = after(edit_.to, "count=")) {
      return fmt::format("the number of elements of `{}`", *name);
    }
    if (edit_.to == "blocks") return "the number of blocks";
    if (edit_.to == "blocks-1") return "the number of blocks less 1";
    return fmt::format("`{}`", edit_.to);
  }

  [[nodiscard]] EditWords of_launch() const {
    if (edit_.kind == "size") {
      return {.kind = "another size of the shared memory",
              .fix = "4 times the bytes of shared memory"};
    }
    const std::string was = own(edit_.part);
    if (const auto other = after(edit_.to, "<>")) {
      const std::string with = own(*other);
      const std::string kind = "two arguments exchanged";
      const bool known = !was.empty() && !with.empty();
      return {.kind = kind, .fix = known ? fmt::format("{} and {} exchanged", was, with) : kind};
    }
    const std::string what = edit_.kind == "number" ? "number" : "argument";
    const std::string kind =
        was.empty() ? "another " + what : fmt::format("another {} than {}", what, was);
    if (edit_.to == "+1" || edit_.to == "-1") {
      const char* const change = edit_.to == "+1" ? "1 more" : "1 less";
      return {.kind = kind, .fix = was.empty() ? change : fmt::format("{} than {}", change, was)};
    }
    const std::string now = given();
    if (was.empty() || now.empty()) return same(kind);
    return {.kind = kind, .fix = fmt::format("{} in place of {}", now, was)};
  }

  [[nodiscard]] EditWords blocks() const {
    if (edit_.part == "grid") {
      return same(edit_.to == "<>y" ? "x and y of the grid exchanged"
                                    : "the numbers of blocks and of threads exchanged");
    }
    const std::string along = fmt::format("along {}", edit_.part.back());
    EditWords words = {.kind = "another number of blocks " + along, .fix = {}};
    words.fix = words.kind;
    if (edit_.to == "+1") words.fix = "one block more " + along;
    if (edit_.to == "-1") words.fix = "one block less " + along;
    if (edit_.to == "*2") words.fix = "twice the blocks " + along;
    if (const auto size = after(edit_.to, "ceil="); size && !own(*size).empty()) {
      words.fix = fmt::format("a thread {} for each of {}", along, own(*size));
    }
    return words;
  }

  [[nodiscard]] EditWords of_memory() const {
    if (edit_.kind == "size") {
      return {.kind = "another size",
              .fix = edit_.to == "all" ? "the size of the whole array" : "4 times the bytes"};
    }
    if (edit_.kind == "value") {
      return {.kind = "another value", .fix = fmt::format("the value {}", edit_.to)};
    }
    const std::string side = edit_.part == "from" ? "source" : "destination";
    const std::string now = given();
    const std::string kind = fmt::format("another array as the {}", side);
    return {.kind = kind, .fix = now.empty() ? kind : fmt::format("{} as the {}", now, side)};
  }

  const TriedEdit& edit_;
  std::vector<HostCall> calls_;
};

}  // namespace

bool is_of_call(const TriedEdit& edit) {
  return edit.text.starts_with(warpsim::kCallEdit);
}

EditWords words_of_call(const TriedEdit& edit, const std::vector<SourceFile>& sources) {
  return Words(edit, sources).find();
}

bool is_weak(const TriedEdit& edit, const std::vector<SourceFile>& sources) {
  return Words(edit, sources).is_weak();
}

std::uint32_t other_line(const TriedEdit& edit) {
  const auto line = edit.kind == "order" ? after(edit.to, "after=") : std::nullopt;
  return line ? number_in(*line) : 0;
}

}  // namespace warpgrade
