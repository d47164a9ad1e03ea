#include "grader/judge/experiment/call_words.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "emulator/changes/call_edit.h"
#include "grader/judge/experiment/host_calls.h"

namespace warpgrade {
namespace {

/// A longer argument is not repeated in a sentence.
constexpr std::size_t kLongestQuotedCall = 32;

using warpsim::CallEdit;
using PartKind = warpsim::CallPart::Kind;
using NewValue = warpsim::CallValue::Kind;

class Words {
 public:
  Words(const CallEdit& edit, const std::vector<SourceFile>& sources)
      : edit_(edit), kind_(kind_of(edit)) {
    for (const SourceFile& source : sources) {
      if (std::filesystem::path(source.name).filename() == edit.file) {
        calls_ = host_calls(source.text);
      }
    }
  }

  [[nodiscard]] bool is_weak() const {
    if (kind_ == "call") return true;
    const std::string was = own(edit_.part.argument);
    return kind_ == "number" && was.find_first_of("+-") == was.npos;
  }

  [[nodiscard]] std::optional<std::pair<std::string, std::string>> exchanged() const {
    if (edit_.to.kind != NewValue::exchanged) return std::nullopt;
    std::pair both(own(edit_.part.argument), own(edit_.to.number));
    if (both.first.empty() || both.second.empty()) return std::nullopt;
    return both;
  }

  [[nodiscard]] EditWords find() const {
    const std::string call = is_launch() ? fmt::format("{} of `{}`", launches(), edit_.call)
                                         : fmt::format("`{}`", edit_.call);
    if (kind_ == "order") return same("two calls in the other order");
    if (kind_ == "call") {
      return edit_.to.kind == NewValue::none ? same(fmt::format("{} left out", call))
                                             : same(fmt::format("{} made twice", call));
    }
    EditWords words = kind_ == "blocks" ? blocks() : is_launch() ? of_launch() : of_memory();
    words.kind += " in " + call;
    words.fix += " in " + call;
    return words;
  }

 private:
  static EditWords same(const std::string& text) { return {.kind = text, .fix = text}; }

  [[nodiscard]] bool is_launch() const { return !edit_.call.starts_with("cuda"); }

  [[nodiscard]] std::string_view launches() const {
    return edit_.later ? "the later launches" : "the launch";
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
    return short_enough ? text : std::string();
  }

  static std::string quoted(const std::string& text) {
    return text.empty() ? text : fmt::format("`{}`", text);
  }

  [[nodiscard]] std::string own(std::uint32_t number) const {
    return argument(edit_.line, edit_.call, number);
  }

  /// What the edit puts there; empty if the source has no word for it.
  [[nodiscard]] std::string given() const {
    const warpsim::CallValue& to = edit_.to;
    switch (to.kind) {
      case NewValue::argument:
        return quoted(to.line == 0 ? own(to.number) : argument(to.line, {}, to.number));
      case NewValue::array:
        return fmt::format("`{}`", to.array);
      case NewValue::count:
        return fmt::format("the number of elements of `{}`", to.array);
      case NewValue::blocks:
        return "the number of blocks";
      case NewValue::blocks_less_1:
        return "the number of blocks less 1";
      default:
        return fmt::format("`{}`", to_text(to));
    }
  }

  [[nodiscard]] EditWords of_launch() const {
    if (kind_ == "size") {
      return {.kind = "another size of the shared memory",
              .fix = "4 times the bytes of shared memory"};
    }
    if (edit_.to.kind == NewValue::exchanged) {
      const std::string kind = "two arguments exchanged";
      const auto both = exchanged();
      if (!both) return same(kind);
      return {.kind = kind,
              .fix = fmt::format("`{}` and `{}` exchanged", both->first, both->second)};
    }
    const std::string was = quoted(own(edit_.part.argument));
    const std::string what = kind_ == "number" ? "number" : "argument";
    const std::string kind =
        was.empty() ? "another " + what : fmt::format("another {} than {}", what, was);
    if (edit_.to.kind == NewValue::more || edit_.to.kind == NewValue::less) {
      const char* const change = edit_.to.kind == NewValue::more ? "1 more" : "1 less";
      return {.kind = kind, .fix = was.empty() ? change : fmt::format("{} than {}", change, was)};
    }
    const std::string now = given();
    if (was.empty() || now.empty()) return same(kind);
    return {.kind = kind, .fix = fmt::format("{} in place of {}", now, was)};
  }

  [[nodiscard]] EditWords blocks() const {
    const NewValue to = edit_.to.kind;
    if (edit_.part.kind == PartKind::grid) {
      return same(to == NewValue::exchanged_with_y
                      ? "x and y of the grid exchanged"
                      : "the numbers of blocks and of threads exchanged");
    }
    const std::string along = fmt::format("along {}", edit_.part.axis);
    EditWords words = {.kind = "another number of blocks " + along, .fix = {}};
    words.fix = words.kind;
    if (to == NewValue::more) words.fix = "one block more " + along;
    if (to == NewValue::less) words.fix = "one block less " + along;
    if (to == NewValue::times && edit_.to.number == 2) words.fix = "twice the blocks " + along;
    if (to == NewValue::ceil && !own(edit_.to.number).empty()) {
      words.fix = fmt::format("a thread {} for each of {}", along, quoted(own(edit_.to.number)));
    }
    return words;
  }

  [[nodiscard]] EditWords of_memory() const {
    if (kind_ == "size") {
      return {.kind = "another size",
              .fix = edit_.to.kind == NewValue::all ? "the size of the whole array"
                                                    : "4 times the bytes"};
    }
    if (kind_ == "value") {
      return {.kind = "another value", .fix = fmt::format("the value {}", edit_.to.number)};
    }
    const std::string side = edit_.part.kind == PartKind::from ? "source" : "destination";
    const std::string now = given();
    const std::string kind = fmt::format("another array as the {}", side);
    return {.kind = kind, .fix = now.empty() ? kind : fmt::format("{} as the {}", now, side)};
  }

  const CallEdit& edit_;
  std::string_view kind_;
  std::vector<HostCall> calls_;
};

}  // namespace

std::optional<std::pair<std::string, std::string>> exchanged_arguments(
    const CallEdit& edit, const std::vector<SourceFile>& sources) {
  return Words(edit, sources).exchanged();
}

EditWords words_of_call(const CallEdit& edit, const std::vector<SourceFile>& sources) {
  return Words(edit, sources).find();
}

bool is_weak(const CallEdit& edit, const std::vector<SourceFile>& sources) {
  return Words(edit, sources).is_weak();
}

}  // namespace warpgrade
