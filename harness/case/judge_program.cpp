#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "harness/case/aligned.h"
#include "harness/case/describe_difference.h"
#include "harness/case/judge_outputs.h"
#include "harness/case/program_run.h"
#include "harness/case/request.h"
#include "harness/case/untrusted_file.h"
#include "harness/core/plural.h"
#include "harness/formats/formats.h"
#include "harness/lab/shapes.h"

namespace warpgrade {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostListed = 3;
constexpr std::size_t kMostLooked = 2000;  // entries of the folder
constexpr std::size_t kShownText = 60;

std::string shown(std::string_view text) {
  std::string name(text.substr(0, kShownText));
  for (char& c : name) {
    if (c < ' ' || c > '~') c = '?';
  }
  return text.size() > kShownText ? name + "..." : name;
}

/// "standard output", "output.raw"
std::string place(const ProgramFile& file) {
  return file.at == kStdout ? "standard output" : fmt::format("`{}`", file.at);
}

/// Names of what the program left in its folder beside its inputs and outputs, sorted.
std::vector<std::string> left_behind(const PreparedCase& prepared, const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (std::size_t i = 0; !error && entry != fs::directory_iterator() && i < kMostLooked; ++i) {
    const std::string name = entry->path().filename().string();
    const auto& files = prepared.data->lab->program->files;
    if (std::none_of(files.begin(), files.end(),
                     [&](const ProgramFile& file) { return file.at == name; })) {
      names.push_back(name);
    }
    entry.increment(error);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMostListed); ++i) {
    text += fmt::format("{}`{}`", text.empty() ? "" : ", ", shown(names[i]));
  }
  if (names.size() > kMostListed) text += fmt::format(" and {} more", names.size() - kMostListed);
  return text;
}

/// The last line that was printed, which mostly says why a program gave up; empty for none.
std::string last_line(std::string_view output) {
  while (!output.empty() && (output.back() == '\n' || output.back() == '\r')) {
    output.remove_suffix(1);
  }
  const std::size_t start = output.rfind('\n');
  return shown(start == output.npos ? output : output.substr(start + 1));
}

class ProgramJudge {
 public:
  ProgramJudge(const PreparedCase& prepared, CaseResult& result)
      : prepared_(prepared),
        lab_(*prepared.data->lab),
        spec_(*prepared.data->spec),
        folder_(program_command(prepared)->folder),
        result_(result) {}

  /// The first problem decides.
  void judge() {
    output_ =
        read_untrusted_file(prepared_.folder / output_file(std::string(kStdout)), kLargestOutput)
            .value_or("");
    const int code = result_.record.exit_code.value_or(0);
    if (code != spec_.program.exit_code) {
      std::string message = fmt::format("The program exited with code {}; {} is expected.", code,
                                        spec_.program.exit_code);
      if (const std::string line = last_line(output_); !line.empty()) {
        message += fmt::format(" The last line that it printed: '{}'.", line);
      }
      return fail(message);
    }
    compare_texts();
    if (spec_.program.exit_code == 0) compare_files();
    if (result_.message.empty()) {
      result_.status = CaseStatus::passed;
      note_leftovers();
    }
  }

 private:
  void fail(std::string message) {
    if (!result_.message.empty()) return;
    result_.status = CaseStatus::wrong;
    result_.message = std::move(message) + unread_input();
  }

  /// Standard input that was never read explains most wrong results.
  [[nodiscard]] std::string unread_input() const {
    const bool never = lab_.program->reads_stdin() && result_.record.input_read == 0 &&
                       spec_.program.exit_code == 0;
    return never ? " It never read its standard input." : "";
  }

  void compare_texts() {
    for (const std::string& pattern : spec_.program.never_prints) {
      if (matches_line(output_, pattern)) {
        return fail(
            fmt::format("Standard output has a line like /{}/, which it must not have.", pattern));
      }
    }
    for (const std::string& pattern : spec_.program.prints) {
      if (!matches_line(output_, pattern)) {
        return fail(fmt::format("Standard output has no line like /{}/{}", pattern,
                                output_.empty() ? ": nothing was printed."
                                : result_.record.output_cut
                                    ? fmt::format(" among its first {} MiB; the rest was not kept.",
                                                  output_.size() >> 20U)
                                    : fmt::format("; its last line is '{}'.", last_line(output_))));
      }
    }
  }

  /// All that can be read is compared; what cannot is the first problem.
  void compare_files() {
    std::map<std::string, Array> outputs;
    std::string problem;
    for (const Parameter& parameter : lab_.parameters) {
      if (!parameter.is_written()) continue;
      const std::string found = read_file(parameter, outputs);
      if (problem.empty()) problem = found;
    }
    result_.outputs = judge_outputs(*prepared_.data, outputs);
    if (!problem.empty()) return fail(problem);
    for (OutputResult& output : result_.outputs) {
      if (!output.comparison.passed()) note_order(outputs.at(output.parameter), output);
    }
    if (const OutputResult* worst = result_.worst();
        worst != nullptr && !worst->comparison.passed()) {
      fail(wrong_message(*worst));
    }
  }

  /// Adds an output's elements to `outputs`; says why they are not all there, in a sentence.
  std::string read_file(const Parameter& parameter, std::map<std::string, Array>& outputs) const {
    const ProgramFile& file = lab_.program->file_of(parameter.name);
    const std::optional<std::string> text =
        file.at == kStdout ? output_ : read_untrusted_file(folder_ / file.at, kLargestOutput);
    if (!text) {
      const std::vector<std::string> others = left_behind(prepared_, folder_);
      return fmt::format("The program left no file `{}`{}.", file.at,
                         others.empty() ? "" : "; it left " + listed(others));
    }
    const std::vector<std::uint64_t> shape = shape_of(lab_, parameter, spec_.data.dims);
    if (text->empty() && file.at == kStdout && Array::count_of(shape) > 0) {
      return "The program printed nothing.";
    }
    ReadArray read = read_format(file.format, parameter.type, shape, *text, file.line);
    if (file.at == kStdout && result_.record.output_cut) {
      return fmt::format(
          "The program printed more than {} MiB to standard output, of which only these were kept; "
          "print the {} only.",
          text->size() >> 20U, plural(read.array.count(), "expected number"));
    }
    std::string problem;
    if (!read.problem.empty()) {
      std::string where = place(file);
      where.front() = where.front() == 's' ? 'S' : where.front();
      problem = fmt::format("{} {}.{}", where, read.problem,
                            text_difference(parameter, read.array, read.found));
    }
    // Elements that are missing are poisoned, so the comparison tells where they begin.
    if (read.found > 0 || problem.empty()) {
      outputs.emplace(parameter.name, std::move(read.array));
    }
    return problem;
  }

  /// Of a text with too few or too many characters, where it begins to differ.
  [[nodiscard]] std::string text_difference(const Parameter& parameter, const Array& got,
                                            std::uint64_t found) const {
    if (parameter.comparison.form == OutputForm::numbers) return {};
    const std::uint64_t count = std::min<std::uint64_t>(found, got.count());
    Array part(got.type, {count});
    std::copy_n(got.bytes.begin(), part.bytes.size(), part.bytes.begin());
    Expected want = prepared_.data->expected.at(parameter.name);
    want.exact.resize(count);
    const std::vector<bool> right = matches(part, want);
    if (std::find(right.begin(), right.end(), false) == right.end()) return {};
    return " " + describe_text(part, want, right, parameter.comparison.form);
  }

  /// The right values in another order, where order counts.
  void note_order(const Array& got, OutputResult& output) const {
    constexpr std::size_t kFewest = 3;  // of less the order is no surprise
    const auto parameter =
        std::find_if(lab_.parameters.begin(), lab_.parameters.end(),
                     [&](const Parameter& p) { return p.name == output.parameter; });
    const OutputComparison& comparison = parameter->comparison;
    if (comparison.order != OutputOrder::fixed || comparison.form != OutputForm::numbers ||
        comparison.by_predicate || got.count() < kFewest) {
      return;
    }
    Parameter in_any_order = *parameter;
    in_any_order.comparison.order = OutputOrder::any;
    Expected storage;
    const Expected& want = aligned_as_one_group(
        in_any_order, got, prepared_.data->expected.at(output.parameter), storage);
    if (compare(got, want, 0).passed()) {
      output.pattern.detail = "The values are right, but in another order.";
    }
  }

  void note_leftovers() {
    const std::vector<std::string> others = left_behind(prepared_, folder_);
    if (!others.empty()) {
      result_.message = fmt::format(
          "The program also left {} behind: {}. That costs nothing; remove what it "
          "does not need.",
          plural(others.size(), "file"), listed(others));
    }
  }

  const PreparedCase& prepared_;
  const Lab& lab_;
  const Case& spec_;
  const fs::path folder_;
  CaseResult& result_;
  std::string output_;
};

}  // namespace

CaseResult judge_program(const PreparedCase& prepared) {
  CaseResult result;
  result.record = read_record(prepared.folder / kRecordFile, prepared.nonce);
  if (!result.record.complete()) {
    result.status = CaseStatus::incomplete;
    result.message = "The program did not end by itself.";
    return result;
  }
  ProgramJudge(prepared, result).judge();
  return result;
}

}  // namespace warpgrade
