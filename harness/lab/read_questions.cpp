#include "harness/lab/read_questions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "harness/lab/checks.h"
#include "harness/lab/counter_names.h"
#include "harness/lab/python_form.h"

namespace warpgrade {

namespace {

constexpr double kMostPoints = 100;
constexpr std::size_t kFewestSizes = 3;
constexpr std::size_t kFewestOptions = 2;
constexpr std::size_t kMostDrawn = 1000;  // values of one number

bool has_key_value(QuestionKind kind) {
  return kind == QuestionKind::number || kind == QuestionKind::formula;
}

bool has_options(QuestionKind kind) {
  return kind == QuestionKind::choice || kind == QuestionKind::choices;
}

/// Reads the [[question]] tables of one lab.toml.
class QuestionReader {
 public:
  explicit QuestionReader(const Lab& lab) : lab_(lab) {
    for (const Case& spec : lab.cases) case_names_.push_back(spec.name);
  }

  LabQuestion read(TomlTable& row) const {
    LabQuestion question;
    question.id = row.string("id");
    row.set_title(fmt::format("[[question]] \"{}\"", question.id));
    if (!is_identifier(question.id)) {
      row.fail("id", fmt::format("question id '{}' must be lower-case letters, digits and _, "
                                 "because it is a key in answers.toml",
                                 question.id));
    }
    question.title = row.string("title");
    question.kind = named<QuestionKind>(row, "kind");
    question.points = row.number("points");
    if (!(question.points > 0 && question.points <= kMostPoints)) {
      row.fail("points", fmt::format("'points' is {}; it must be above 0 and at most {}",
                                     question.points, kMostPoints));
    }
    question.drawn = read_drawn(row);
    question.text = text(row, question, "text");
    if (row.has("hint")) question.hint = text(row, question, "hint");
    for (const char* key : {"answer", "solution", "partial"}) {
      if (row.has(key)) {
        row.fail(key, fmt::format("'{}' would be in lab.toml, which students get; write it to "
                                  "reference/{}/answers.toml, in the table [{}]",
                                  key, lab_.id, question.id));
      }
    }
    read_number(row, question);
    read_options(row, question);
    read_sizes(row, question);
    read_counter(row, question);
    row.finish();
    return question;
  }

  /// Reads this question's table of answers.toml.
  QuestionKey read_key(TomlTable& table, const LabQuestion& question) const {
    QuestionKey key;
    if (has_key_value(question.kind)) {
      key.value = value(table, question, "answer");
    } else if (question.kind == QuestionKind::choice) {
      key.options = {option(table, question, "answer", table.string("answer"))};
    } else if (question.kind == QuestionKind::choices) {
      key.options = table.strings("answer");
      for (const std::string& id : key.options) (void)option(table, question, "answer", id);
      if (key.options.empty()) {
        table.fail("answer", "'answer' is empty; at least one option must be right");
      }
    }
    for (TomlTable& row : table.tables("partial")) {
      if (!has_key_value(question.kind) && question.kind != QuestionKind::choice) {
        table.fail("partial", fmt::format("a question of kind '{}' has no 'partial'; remove it{}",
                                          slug(question.kind),
                                          question.kind == QuestionKind::choices
                                              ? ": each right option earns its share by itself"
                                              : ""));
      }
      key.partial.push_back(read_partial(row, question));
    }
    if (table.has("solution")) {
      key.solution = table.string("solution");
      check_names(table, question, "solution", key.solution, {"answer"});
    }
    table.finish();
    return key;
  }

 private:
  std::vector<DrawnNumber> read_drawn(TomlTable& row) const {
    std::vector<DrawnNumber> drawn;
    if (!row.has("draw")) return drawn;
    TomlTable table = row.table("draw");
    for (const std::string& name : table.keys()) {
      if (!is_identifier(name)) {
        table.fail(name,
                   fmt::format("drawn number '{}' must be lower-case letters, digits and _", name));
      }
      DrawnNumber number{.name = name, .values = {}};
      if (table.is_table(name)) {
        TomlTable range = table.table(name);
        const double from = range.number("from");
        const double to = range.number("to");
        const double step = range.number_or("step", 1);
        range.finish();
        if (!(step > 0 && from <= to && (to - from) / step < static_cast<double>(kMostDrawn))) {
          table.fail(name, fmt::format("'{}' must have from <= to, step > 0 and at most {} values; "
                                       "write {} = {{ from = 64, to = 512, step = 64 }}",
                                       name, kMostDrawn, name));
        }
        const auto count = static_cast<std::size_t>(std::floor((to - from) / step + 1e-9)) + 1;
        for (std::size_t i = 0; i < count; ++i) {
          number.values.push_back(from + static_cast<double>(i) * step);
        }
      } else {
        number.values = table.numbers(name);
      }
      if (number.values.empty() || number.values.size() > kMostDrawn) {
        table.fail(name, fmt::format("'{}' has {} values to draw from; give 1 to {}, such as {} = "
                                     "[1000, 1500, 2000]",
                                     name, number.values.size(), kMostDrawn, name));
      }
      drawn.push_back(std::move(number));
    }
    return drawn;
  }

  static std::vector<std::string> names_of_drawn(const LabQuestion& question) {
    std::vector<std::string> names;
    for (const DrawnNumber& number : question.drawn) names.push_back(number.name);
    return names;
  }

  static void check_names(const TomlTable& table, const LabQuestion& question, std::string_view key,
                          const std::string& written, std::vector<std::string> more = {}) {
    std::vector<std::string> known = names_of_drawn(question);
    known.insert(known.end(), more.begin(), more.end());
    for (const std::string& name : names_in_braces(written)) {
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      table.fail(
          key, fmt::format("'{{{}}}' in '{}' is not a drawn number of question '{}'; {}", name, key,
                           question.id,
                           known.empty() ? fmt::format("add draw = {{ {} = [1000, 1500] }}", name)
                                         : suggestion(name, known)));
    }
  }

  static std::string text(TomlTable& row, const LabQuestion& question, std::string_view key) {
    std::string written = row.string(key);
    check_names(row, question, key, written);
    return written;
  }

  /// unit and tolerances, of kinds with a number as answer.
  static void read_number(TomlTable& row, LabQuestion& question) {
    if (question.kind != QuestionKind::number && question.kind != QuestionKind::counter) return;
    question.unit = row.string_or("unit", "");
    question.tolerance = row.number_or("tolerance", 0);
    question.relative = row.number_or("relative", 0);
    if (!(question.tolerance >= 0)) {
      row.fail("tolerance", fmt::format("'tolerance' is {}; it must be at least 0, in the unit of "
                                        "the answer",
                                        question.tolerance));
    }
    if (!(question.relative >= 0 && question.relative < 1)) {
      row.fail("relative", fmt::format("'relative' is {}; it must be at least 0 and below 1, such "
                                       "as 0.05 for 5 percent",
                                       question.relative));
    }
  }

  static void read_options(TomlTable& row, LabQuestion& question) {
    if (!has_options(question.kind)) return;
    TomlTable table = row.table("options");
    for (const std::string& id : table.keys()) {
      question.options.push_back({.id = id, .text = text(table, question, id)});
    }
    if (question.options.size() < kFewestOptions) {
      row.fail("options", fmt::format("'options' has {}; give at least {}, such as options = {{ a "
                                      "= \"...\", b = \"...\" }}",
                                      question.options.size(), kFewestOptions));
    }
  }

  /// The sizes of a formula: its own, else those of the cases.
  void read_sizes(TomlTable& row, LabQuestion& question) const {
    if (question.kind != QuestionKind::formula) return;
    for (TomlTable& size : row.tables("sizes")) {
      Dims dims;
      for (const std::string& name : size.keys()) dims[name] = size.integer(name);
      question.sizes.push_back(std::move(dims));
    }
    if (!row.has("sizes")) {
      for (const Case& spec : lab_.cases) question.sizes.push_back(spec.data.dims);
    }
    for (const Dims& dims : question.sizes) {
      for (const auto& [name, extent] : question.sizes.front()) {
        if (dims.contains(name) && dims.size() == question.sizes.front().size()) continue;
        row.fail("sizes", fmt::format("not all 'sizes' have the same names as the first; give "
                                      "each of them '{}'",
                                      name));
      }
    }
    for (const DrawnNumber& number : question.drawn) {
      if (question.sizes.empty() || !question.sizes.front().contains(number.name)) continue;
      row.fail("draw", fmt::format("'{}' is a drawn number and a name in the sizes; rename one",
                                   number.name));
    }
    if (std::set<Dims>(question.sizes.begin(), question.sizes.end()).size() < kFewestSizes) {
      row.fail("sizes", fmt::format("formulas are compared by their values at 'sizes'; give at "
                                    "least {} different ones, such as sizes = [{{ n = 1 }}, {{ n = "
                                    "33 }}, {{ n = 1000 }}]",
                                    kFewestSizes));
    }
  }

  void read_counter(TomlTable& row, LabQuestion& question) const {
    if (question.kind != QuestionKind::counter) return;
    question.on = row.string("case");
    const Case* spec = lab_.find_case(question.on);
    if (spec == nullptr) {
      row.fail("case", case_names_.empty()
                           ? fmt::format("case '{}' does not exist: a lab without a function runs "
                                         "nothing, so that no counter can be predicted",
                                         question.on)
                           : fmt::format("case '{}' does not exist; {}", question.on,
                                         suggestion(question.on, case_names_)));
    }
    if (!spec->visible) {
      row.fail("case", fmt::format("case '{}' is hidden, so that students cannot predict its "
                                   "counters; name a visible one",
                                   question.on));
    }
    question.measured = row.expression("measured");
    for (const std::string& name : question.measured->names()) {
      if (find_counter(name) != nullptr || spec->data.dims.contains(name)) continue;
      std::vector<std::string> known;
      for (const CounterName& counter : counter_names()) known.emplace_back(counter.name);
      for (const auto& [dim, extent] : spec->data.dims) known.push_back(dim);
      row.fail("measured",
               fmt::format("'{}' in formula '{}' is neither a counter nor a dim of "
                           "case '{}'; {}",
                           name, question.measured->text(), question.on, suggestion(name, known)));
    }
  }

  static std::string option(const TomlTable& table, const LabQuestion& question,
                            std::string_view key, const std::string& id) {
    std::vector<std::string> known;
    for (const QuestionOption& candidate : question.options) known.push_back(candidate.id);
    if (std::find(known.begin(), known.end(), id) == known.end()) {
      table.fail(key, fmt::format("'{}' is not an option of question '{}'; these are {}", id,
                                  question.id, fmt::join(known, ", ")));
    }
    return id;
  }

  static Expression value(TomlTable& table, const LabQuestion& question, std::string_view key) {
    Expression formula = table.expression(key);
    std::vector<std::string> known = names_of_drawn(question);
    if (!question.sizes.empty()) {
      for (const auto& [name, extent] : question.sizes.front()) known.push_back(name);
    }
    for (const std::string& name : formula.names()) {
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      table.fail(
          key,
          fmt::format("'{}' in formula '{}' is not a drawn number{} of question '{}'; "
                      "{}",
                      name, formula.text(), question.sizes.empty() ? "" : " or a name in the sizes",
                      question.id, known.empty() ? "write a number" : suggestion(name, known)));
    }
    return formula;
  }

  static PartialAnswer read_partial(TomlTable& row, const LabQuestion& question) {
    row.set_title(fmt::format("partial answer of question \"{}\"", question.id));
    PartialAnswer partial;
    if (question.kind == QuestionKind::choice) {
      partial.option = option(row, question, "answer", row.string("answer"));
    } else {
      partial.value = value(row, question, "answer");
    }
    partial.share = row.number("share");
    if (!(partial.share > 0 && partial.share < 1)) {
      row.fail("share", fmt::format("'share' is {}; it must be above 0 and below 1, the part of "
                                    "the points that this answer earns",
                                    partial.share));
    }
    if (row.has("says")) {
      partial.says = row.string("says");
      check_names(row, question, "says", partial.says);
    }
    row.finish();
    return partial;
  }

  const Lab& lab_;
  std::vector<std::string> case_names_;
};

/// Nothing for machines without the staff's folder.
void read_keys(const QuestionReader& reader, Lab& lab) {
  if (!std::filesystem::is_directory(common_reference(lab))) return;
  const std::filesystem::path file = answers_key_file(lab);
  const std::string shown = file.lexically_relative(lab.root).generic_string();
  if (!std::filesystem::exists(file)) {
    throw LabError(
        fmt::format("{}: no such file; it has the answers to the questions of {}: a "
                    "table for each, such as [{}] with answer = ...",
                    shown, lab.id, lab.questions.front().id));
  }
  TomlTable document = TomlTable::parse(file, lab.root);
  for (LabQuestion& question : lab.questions) {
    if (!document.has(question.id) && question.kind == QuestionKind::counter) {
      question.key = QuestionKey{};
      continue;
    }
    TomlTable table = document.table(question.id);
    question.key = reader.read_key(table, question);
  }
  document.finish();
}

}  // namespace

std::filesystem::path answers_key_file(const Lab& lab) {
  return common_reference(lab) / "answers.toml";
}

void read_questions(TomlTable& document, Lab& lab) {
  const QuestionReader reader(lab);
  double sum = 0;
  for (TomlTable& row : document.tables("question")) {
    LabQuestion question = reader.read(row);
    const auto same = [&](const LabQuestion& other) { return other.id == question.id; };
    if (std::any_of(lab.questions.begin(), lab.questions.end(), same)) {
      row.fail("id", fmt::format("question '{}' occurs twice; rename one", question.id));
    }
    sum += question.points;
    lab.questions.push_back(std::move(question));
  }
  if (!same_points(sum, lab.rubric.questions)) {
    document.fail("question", fmt::format("the points of all [[question]] sum to {}; make them "
                                          "rubric.questions, {}",
                                          sum, lab.rubric.questions));
  }
  if (!lab.questions.empty()) read_keys(reader, lab);
}

}  // namespace warpgrade
