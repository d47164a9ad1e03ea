#include "grader/core/csv.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "grader/core/text.h"

namespace warpgrade {
namespace {

class CsvReader {
 public:
  CsvReader(std::string_view text, char separator, std::string& problem)
      : text_(text), separator_(separator), problem_(problem) {}

  std::vector<CsvRow> run() {
    std::vector<CsvRow> rows;
    while (at_ < text_.size() && problem_.empty()) {
      CsvRow row{.line = line_, .fields = {}};
      do {
        row.fields.push_back(peek() == '"' ? quoted() : plain());
      } while (problem_.empty() && take_if(separator_));
      end_line();
      const bool blank = row.fields.size() == 1 && row.fields[0].empty();
      if (!blank && problem_.empty()) {
        rows.push_back(std::move(row));
      }
    }
    return rows;
  }

 private:
  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\n'; }

  bool take_if(char c) {
    if (at_ >= text_.size() || text_[at_] != c) {
      return false;
    }
    ++at_;
    return true;
  }

  std::string plain() {
    const std::size_t end = std::min(text_.find_first_of(ends_, at_), text_.size());
    std::string field(text_.substr(at_, end - at_));
    at_ = end;
    return field;
  }

  std::string quoted() {
    const std::size_t opened = line_;
    std::string field;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"') {
        ++at_;
        if (peek() != '"' || at_ >= text_.size()) {
          if (ends_.find(peek()) == std::string::npos) {
            problem_ = fmt::format("{}: text after a closing quote", line_);
          }
          return field;
        }
      }
      line_ += text_[at_] == '\n' ? 1 : 0;
      field += text_[at_];
    }
    problem_ = fmt::format("{}: unterminated quote", opened);
    return field;
  }

  void end_line() {
    take_if('\r');
    take_if('\n');
    ++line_;
  }

  std::string_view text_;
  char separator_;
  std::string ends_ = {separator_, '\r', '\n'};  // of a field without quotes
  std::string& problem_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
};

}  // namespace

std::string csv_field(std::string_view raw) {
  std::string text = printable(raw);
  if (!text.empty() && std::string_view("=+-@\t").find(text.front()) != std::string_view::npos) {
    text.insert(text.begin(), '\'');
  }
  if (text.find_first_of(",\"\n") == std::string::npos) {
    return text;
  }
  return "\"" + replace_all(text, "\"", "\"\"") + "\"";
}

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    line += (i == 0 ? "" : ",") + fields[i];
  }
  return line + "\r\n";
}

std::vector<CsvRow> parse_csv(std::string_view text, std::string& problem, char separator) {
  problem.clear();
  if (text.starts_with("\xEF\xBB\xBF")) {
    text.remove_prefix(3);
  }
  return CsvReader(text, separator, problem).run();
}

char separator_of(std::string_view text) {
  const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
  constexpr std::string_view kSeparators = ",;\t";
  std::array<std::size_t, kSeparators.size()> counts{};
  bool in_quotes = false;
  for (const char c : line) {
    in_quotes = in_quotes != (c == '"');
    const std::size_t which = kSeparators.find(c);
    if (!in_quotes && which != std::string_view::npos) ++counts[which];
  }
  return kSeparators[static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) -
                                              counts.begin())];
}

}  // namespace warpgrade
