#include "grader/run/gpu_profile/sanitizer_log.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <tuple>
#include <utility>

#include "grader/core/text.h"
#include "grader/record/counters/kernel_name.h"

namespace warpgrade {
namespace {

constexpr std::string_view kMargin = "=========";
// Indentation of lines that belong to the message above them.
constexpr std::string_view kDetail = "     ";
constexpr std::size_t kMostFindings = 100;
constexpr std::size_t kLongestMessage = 400;
constexpr std::size_t kLongestName = 200;  // of a kernel, a file or a thread

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::size_t hexadecimal_end(std::string_view text, std::size_t at) {
  while (at < text.size() && std::isxdigit(static_cast<unsigned char>(text[at])) != 0) ++at;
  return at;
}

/// Removes addresses and code offsets, and the word before an address: they differ from run to run,
/// and one mistake should give one message.
std::string without_addresses(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (text.compare(i, 2, "0x") != 0) {
      out += text[i++];
      continue;
    }
    i = hexadecimal_end(text, i + 2);
    for (const std::string_view before : {"+", " to ", " at "}) {
      if (out.ends_with(before)) {
        out.erase(out.size() - before.size());
        break;
      }
    }
  }
  if (const std::size_t at = out.find(" ["); at != std::string::npos && has(out, " hazard")) {
    out.erase(at);
  }
  return out.substr(0, kLongestMessage);
}

/// The kind of a mistake, from the first line of its message.
std::string kind_of(std::string_view message) {
  if (message.starts_with("Invalid __") && has(message, " of size")) return "access";
  if (has(message, "Race reported") || has(message, "hazard")) return "race";
  if (has(message, "ninitialized")) return "uninitialized";
  if (message.starts_with("Host API memory access error")) return "copy";
  if (message.starts_with("Barrier error")) return "barrier";
  if (message.starts_with("Leaked ")) return "leak";
  if (has(message, "double free") || has(message, "nvalid pointer") ||
      has(message, "/Free error")) {
    return "free";
  }
  return message.starts_with("Program hit ") ? "api" : "other";
}

/// Lines that do not concern a mistake of the program.
bool is_note(std::string_view message) {
  constexpr std::array kNotes = {"COMPUTE-SANITIZER", "Target application", "This tool",
                                 "No attachable process"};
  return std::any_of(kNotes.begin(), kNotes.end(),
                     [&](const char* note) { return message.starts_with(note); }) ||
         has(message, " SUMMARY:") || has(message, "print limit") || has(message, "print-limit");
}

/// The tool's own failure: "Error: No attachable process found. compute-sanitizer timed-out."
bool is_failure(std::string_view message) {
  return message.starts_with("Internal") || message.starts_with("Unable to") ||
         (message.starts_with("Error: ") && kind_of(message) == "other");
}

/// The number after "ERROR SUMMARY: ", which includes errors that were not printed.
std::optional<std::uint64_t> errors_in(std::string_view message) {
  constexpr std::string_view kHead = "ERROR SUMMARY: ";
  if (!message.starts_with(kHead) || has(message, "not printed")) return std::nullopt;
  std::uint64_t count = 0;
  const char* begin = message.data() + kHead.size();
  const auto [end, error] = std::from_chars(begin, message.data() + message.size(), count);
  return error == std::errc{} ? std::optional(count) : std::nullopt;
}

/// "tree.cu" and 14 of "... in src/tree.cu:14"; the last such place of the text.
std::optional<std::pair<std::string, std::uint32_t>> place_in(std::string_view text) {
  const std::size_t in = text.rfind(" in ");
  if (in == std::string_view::npos) return std::nullopt;
  const std::string_view place = text.substr(in + 4);
  const std::size_t colon = place.find(':');
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  std::uint32_t line = 0;
  const auto [end, error] =
      std::from_chars(place.data() + colon + 1, place.data() + place.size(), line);
  if (error != std::errc{} || line == 0) return std::nullopt;
  return std::pair(std::string(place.substr(0, colon)), line);
}

/// The kernel in "at sum(float *)+0x1a0 in tree.cu:14"; empty if there is an address instead.
std::string kernel_in(std::string_view text) {
  std::size_t at = text.starts_with("at ") ? 0 : text.find(" access at ");
  if (at == std::string_view::npos) return {};
  at = text.find("at ", at) + 3;
  std::string_view name = text.substr(at);
  name = name.substr(0, std::min(name.find("+0x"), name.find(" in ")));
  return name.starts_with("0x") ? std::string() : short_kernel_name(name).substr(0, kLongestName);
}

class Reader {
 public:
  Reader(const std::string& tool, const std::filesystem::path& source_folder)
      : tool_(tool), prefix_(source_folder.string() + "/") {}

  void line(std::string_view line) {
    if (!line.starts_with(kMargin)) return;
    const std::string_view body = line.substr(kMargin.size());
    const std::string_view text = trimmed(body, " ");
    if (text.empty()) {
      finish();
    } else if (body.starts_with(kDetail)) {
      if (current_) add_detail(text);
    } else {
      finish();
      begin(text);
    }
  }

  SanitizerLog take() {
    finish();
    return std::move(log_);
  }

 private:
  void begin(std::string_view message) {
    if (has(message, " SUMMARY:")) {
      log_.finished = true;
      log_.errors = std::max(log_.errors, errors_in(message).value_or(0));
    }
    if (message.starts_with("No attachable") || is_failure(message)) {
      if (log_.problem.empty()) log_.problem = without_addresses(message);
      return;
    }
    if (is_note(message)) return;
    current_ = ToolFinding{.tool = tool_,
                           .kind = kind_of(message),
                           .message = without_addresses(message),
                           .kernel = {},
                           .file = {},
                           .line = 0,
                           .who = {}};
    if (current_->kind == "race") {  // has its location on the same line
      set_place(message);
      for (const std::string_view head : {"Error: ", "Warning: ", "Info: "}) {
        if (current_->message.starts_with(head)) current_->message.erase(0, head.size());
      }
    }
  }

  void add_detail(std::string_view text) {
    ToolFinding& f = *current_;
    if (has(text, "Host Frame") || text.starts_with("Saved host")) return;
    if (text.starts_with("by thread")) {
      if (f.who.empty()) f.who = std::string(text.substr(3, kLongestName));
    } else if (text.starts_with("Access ") && f.kind == "access") {
      if (has(text, "misaligned")) f.kind = "misaligned";
      if (f.message.size() < kLongestMessage) {
        f.message += ": " + lowered(without_addresses(text));
      }
    } else if (f.kind == "race" && text.starts_with("and ") && f.message.size() < kLongestMessage) {
      f.message += " " + without_addresses(text);
    } else if (f.kind == "copy" && has(text, "ninitialized")) {
      f.kind = "uninitialized";
    }
    if (f.line == 0) set_place(text);
  }

  void set_place(std::string_view text) {
    if (current_->kernel.empty()) current_->kernel = kernel_in(text);
    const auto place = place_in(text);
    if (!place) return;
    current_->line = place->second;
    const std::string& file = place->first;
    current_->file =
        file.starts_with(prefix_) ? file.substr(prefix_.size()) : file.substr(file.rfind('/') + 1);
    current_->file.resize(std::min(current_->file.size(), kLongestName));
  }

  static std::string lowered(std::string text) {
    text.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(text.front())));
    return text;
  }

  void finish() {
    if (!current_) return;
    const auto key = [](const ToolFinding& f) {
      // A sticky error is reported by every later call.
      const std::string_view message(f.message);
      return std::tuple(std::string_view(f.kind),
                        message.substr(0, message.find(" on CUDA API call")),
                        std::string_view(f.kernel), std::string_view(f.file), f.line);
    };
    auto& found = log_.findings;
    const auto same = std::find_if(found.begin(), found.end(),
                                   [&](const ToolFinding& f) { return key(f) == key(*current_); });
    if (same != found.end()) {
      ++same->count;
    } else if (found.size() < kMostFindings) {
      found.push_back(std::move(*current_));
    }
    current_.reset();
  }

  const std::string& tool_;
  std::string prefix_;
  std::optional<ToolFinding> current_;
  SanitizerLog log_;
};

}  // namespace

SanitizerLog read_sanitizer_log(std::string_view text, const std::string& tool,
                                const std::filesystem::path& source_folder) {
  Reader reader(tool, source_folder);
  for (const std::string_view line : split_lines(text)) {
    reader.line(line);
  }
  return reader.take();
}

}  // namespace warpgrade
