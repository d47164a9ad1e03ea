#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "harness/case/output.h"
#include "harness/case/program_run.h"
#include "harness/case/request.h"
#include "harness/case/untrusted_file.h"
#include "harness/core/plural.h"
#include "harness/formats/formats.h"
#include "harness/lab/shapes.h"

namespace warpgrade {
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kLargestOutput = std::uint64_t{1} << 30U;
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

  void compare_files() {
    for (const Parameter& parameter : lab_.parameters) {
      if (parameter.is_written()) compare_file(parameter);
    }
    if (const OutputResult* worst = result_.worst();
        worst != nullptr && !worst->comparison.passed()) {
      fail(wrong_message(*worst));
    }
  }

  void compare_file(const Parameter& parameter) {
    const ProgramFile& file = lab_.program->file_of(parameter.name);
    std::optional<std::string> text;
    if (file.at == kStdout) {
      text = output_;
    } else {
      text = read_untrusted_file(folder_ / file.at, kLargestOutput);
    }
    if (!text) {
      const std::vector<std::string> others = left_behind(prepared_, folder_);
      return fail(fmt::format("The program left no file `{}`{}.", file.at,
                              others.empty() ? "" : "; it left " + listed(others)));
    }
    if (text->empty() && file.at == kStdout) return fail("The program printed nothing.");
    const ReadArray read = read_format(
        file.format, parameter.type, shape_of(lab_, parameter, spec_.data.dims), *text, file.line);
    if (file.at == kStdout && result_.record.output_cut) {
      return fail(
          fmt::format("The program printed more than {} MiB to standard output, of which "
                      "only these were kept; print the {} only.",
                      text->size() >> 20U, plural(read.array.count(), "expected number")));
    }
    // Elements that are missing are poisoned, so the comparison tells where they begin.
    if (read.found > 0 || read.problem.empty()) {
      result_.outputs.push_back(compare_output(*prepared_.data, parameter, read.array));
    }
    if (!read.problem.empty()) {
      std::string where = place(file);
      where.front() = where.front() == 's' ? 'S' : where.front();
      return fail(fmt::format("{} {}.", where, read.problem));
    }
    if (OutputResult& output = result_.outputs.back(); !output.comparison.passed()) {
      note_order(read.array, output);
    }
  }

  /// The right values in another order, where order counts.
  void note_order(const Array& got, OutputResult& output) {
    const Expected& want = prepared_.data->expected.at(output.parameter);
    with_type(got.type, [&]<class T>(T) {
      const std::span<const T> values = got.as<T>();
      std::vector<double> sorted(values.begin(), values.end());
      std::vector<std::pair<double, double>> wanted;  // with the bound
      for (std::size_t i = 0; i < want.count(); ++i) {
        wanted.emplace_back(is_float(want.type) ? want.want[i] : static_cast<double>(want.exact[i]),
                            is_float(want.type) ? want.bound[i] : 0);
      }
      const auto is_nan = [](double x) { return x != x; };
      if (std::any_of(sorted.begin(), sorted.end(), is_nan)) return;
      std::sort(sorted.begin(), sorted.end());
      std::sort(wanted.begin(), wanted.end());
      if (sorted.size() != wanted.size() || sorted.size() < 3) return;
      for (std::size_t i = 0; i < sorted.size(); ++i) {
        const double error = sorted[i] - wanted[i].first;
        if (!(error <= wanted[i].second && -error <= wanted[i].second)) return;
      }
      output.pattern.detail = "The values are right, but in another order.";
    });
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
