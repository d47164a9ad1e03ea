#include "harness/lab/lab.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <type_traits>

#include "emulator/device/card.h"
#include "emulator/device/count.h"
#include "emulator/findings/finding_kinds.h"
#include "harness/core/identifier.h"
#include "harness/core/toml_table.h"
#include "harness/data/categories.h"
#include "harness/lab/checks.h"
#include "harness/lab/counter_names.h"
#include "harness/lab/python_form.h"
#include "harness/lab/read_comparison.h"
#include "harness/lab/read_function.h"
#include "harness/lab/read_questions.h"
#include "harness/tolerance/pattern.h"

namespace warpgrade {

namespace {

constexpr double kTotalPoints = 100;
constexpr std::int64_t kLeastArchitecture = 75;
constexpr std::int64_t kMostArchitecture = 90;
constexpr std::string_view kHopper = "90a";  // wgmma, setmaxnreg

double read_points(TomlTable& table, std::string_view key = "points") {
  const double points = table.number(key);
  if (!(points >= 0 && points <= kTotalPoints)) {
    table.fail(key, fmt::format("'{}' is {}; it must be 0 to 100", key, points));
  }
  return points;
}

/// Reads one lab.toml, in the order of the file's sections; later ones refer to earlier ones.
class LabReader {
 public:
  LabReader(const std::filesystem::path& folder)
      : document_(TomlTable::parse(folder / "lab.toml", folder.parent_path().parent_path())) {
    lab_.folder = folder;
    lab_.root = folder.parent_path().parent_path();
  }

  Lab read() {
    read_head();
    read_settings(document_, lab_);
    if (!has_code_) {
      read_questions_only();
      document_.finish();
      return std::move(lab_);
    }
    datasets_ = load_datasets(lab_.root / "datasets" / (lab_.id + ".toml"), lab_.root,
                              named_settings(lab_));
    read_sizes(document_, datasets_, lab_);
    for (const Dataset& dataset : datasets_) dataset_names_.push_back(dataset.name);
    read_task();
    read_device();
    read_host_reads();
    lab_.host_work = document_.strings_or_none("host_work");
    if (!lab_.program) allow_calls(document_, lab_);
    read_lab_tolerance();
    read_rubric();
    read_cases();
    read_waivers(document_, lab_);
    read_answer_waivers(document_, lab_);
    read_performance();
    read_concepts();
    read_rungs();
    read_clues();
    read_questions(document_, lab_);
    document_.finish();
    return std::move(lab_);
  }

  /// The same lab in Python, from a lab.toml that has what differs.
  /// @param base  the lab in CUDA C++, with a function
  static Lab read_python(const Lab& base) {
    return LabReader(base, base.folder / kPythonFolder).read_python();
  }

 private:
  LabReader(const Lab& base, const std::filesystem::path& folder)
      : document_(TomlTable::parse(folder / "lab.toml", base.root)), lab_(base) {
    lab_.folder = folder;
  }

  Lab read_python() {
    if (const auto schema = document_.integer("schema"); schema != 1) {
      document_.fail("schema", fmt::format("schema {} is not known; write schema = 1", schema));
    }
    if (lab_.program || lab_.steps.size() > 1 || lab_.devices > 1) {
      document_.fail("schema", fmt::format("lab {} is not one function on one device, which is "
                                           "what submissions in Python can be; remove this file",
                                           lab_.id));
    }
    lab_.title = document_.string("title");
    lab_.submit = document_.strings("submit");
    if (lab_.submit != std::vector{lab_.id + ".py"}) {
      document_.fail("submit", fmt::format("'submit' is not [\"{}.py\"]; make it that", lab_.id));
    }
    check_python_parameters(document_, lab_);
    datasets_.reserve(lab_.cases.size());
    for (const Case& spec : lab_.cases) {
      datasets_.push_back(spec.data);
      case_names_.push_back(spec.name);
    }
    lab_.header.clear();
    lab_.given.clear();
    lab_.stub = lab_.folder / lab_.submit.front();
    lab_.stub_reason.clear();
    lab_.handout = lab_.folder / "README.md";
    lab_.reference = lab_.reference / kPythonFolder;
    // Those of C++ are about its stages and its sources.
    lab_.rungs.clear();
    lab_.clues.clear();
    read_rungs();
    read_clues();
    document_.finish();
    return std::move(lab_);
  }

  /// A lab without a function: only its questions have points.
  void read_questions_only() {
    TomlTable table = document_.table("rubric");
    lab_.rubric.questions = read_points(table, "questions");
    table.finish();
    if (!same_points(lab_.rubric.questions, kTotalPoints)) {
      document_.fail("rubric", fmt::format("rubric.questions is {}; make it 100, since the lab "
                                           "consists of questions",
                                           lab_.rubric.questions));
    }
    read_questions(document_, lab_);
  }

  void read_head() {
    if (const auto schema = document_.integer("schema"); schema != 1) {
      document_.fail("schema", fmt::format("schema {} is not known; write schema = 1", schema));
    }
    lab_.id = document_.string("id");
    const std::string folder_name = lab_.folder.filename().string();
    if (lab_.id != folder_name) {
      document_.fail(
          "id", fmt::format("id '{}' differs from its folder's name '{}'; make them equal", lab_.id,
                            folder_name));
    }
    lab_.title = document_.string("title");
    has_code_ = document_.has("function") || document_.has("program") || !document_.has("question");
    lab_.submit = has_code_ ? document_.strings("submit") : std::vector{std::string(kAnswersFile)};
    if (lab_.submit.empty()) {
      document_.fail("submit", "'submit' is empty; name the files to submit");
    }
    if (!has_code_) {
      read_pass();
      read_schedule();
      lab_.handout = lab_.folder / "README.md";
      lab_.reference = lab_.root / "reference" / lab_.id;
      return;
    }
    lab_.allowed_libraries = document_.strings_or_none("allowed_libraries");
    lab_.allowed_names = document_.strings_or_none("allowed_names");
    for (const std::string& name : lab_.allowed_names) check_name(name);
    read_stub(document_, lab_);
    lab_.host_assembly = document_.boolean_or("host_assembly", false);
    read_hints();
    read_pass();
    read_schedule();
    for (const std::string& category : document_.strings_or_none("required_categories")) {
      std::vector<std::string> known;
      for (const EdgeCategory& candidate : categories()) known.emplace_back(candidate.name);
      check_known(document_, "required_categories", category, known, "category");
      lab_.required_categories.push_back(category);
    }
    const std::int64_t architecture = document_.integer_or("architecture", kLeastArchitecture);
    if (architecture < kLeastArchitecture || architecture > kMostArchitecture) {
      document_.fail("architecture",
                     fmt::format("architecture {} is not {} to {} (a compute capability without "
                                 "its point)",
                                 architecture, kLeastArchitecture, kMostArchitecture));
    }
    lab_.architecture = static_cast<int>(architecture);
    read_hopper();
    lab_.standard = named_or(document_, "standard", CppStandard::cpp20);
    lab_.header = lab_.folder / (lab_.id + ".h");
    read_given();
    lab_.stub = lab_.folder / lab_.submit.front();
    lab_.handout = lab_.folder / "README.md";
    lab_.reference = lab_.root / "reference" / lab_.id;
  }

  /// The architecture that only some cards have, and the card that the emulator is.
  void read_hopper() {
    lab_.card = document_.string_or("card", "");
    if (document_.has("card")) {
      std::vector<std::string> known;
      for (const warpsim::Card& card : warpsim::all_cards()) known.push_back(card.id);
      check_known(document_, "card", lab_.card, known, "card");
    }
    lab_.nvcc_architecture = document_.string_or("nvcc_architecture", "");
    if (!document_.has("nvcc_architecture")) return;
    if (lab_.nvcc_architecture != kHopper) {
      document_.fail("nvcc_architecture",
                     fmt::format("nvcc_architecture '{}' is not \"{}\", the only one with "
                                 "instructions of its own that the emulator has; write that, or "
                                 "leave the key out",
                                 lab_.nvcc_architecture, kHopper));
    }
    const warpsim::Card* const card = warpsim::find_card(lab_.card);
    if (card == nullptr || 10 * card->major + card->minor != kMostArchitecture) {
      document_.fail("nvcc_architecture",
                     fmt::format("nvcc_architecture \"{}\" needs a card that has it; write card = "
                                 "\"h100\" or card = \"h200\"",
                                 kHopper));
    }
  }

  /// The path of "more.h", beside lab.toml, or of "../other/more.h", beside another lab's; empty
  /// for anything else.
  [[nodiscard]] std::filesystem::path header_at(const std::filesystem::path& name) const {
    if (name == name.filename()) return lab_.folder / name;
    const std::filesystem::path labs = lab_.folder.parent_path();
    const std::filesystem::path other = name.parent_path().filename();
    const bool is_of_another = name == ".." / other / name.filename() && other != lab_.id &&
                               std::filesystem::is_regular_file(labs / other / "lab.toml");
    return is_of_another ? labs / other / name.filename() : std::filesystem::path();
  }

  void read_given() {
    for (const std::string& name : document_.strings_or_none("given")) {
      const std::filesystem::path file = header_at(name);
      if (file.empty() || file.extension() != ".h" || file == lab_.header ||
          !std::filesystem::is_regular_file(file)) {
        document_.fail(
            "given", fmt::format("'{}' is not a header in labs/{} beside {}; name a file with the "
                                 "ending .h there, or ../<lab>/<file>.h of another lab",
                                 name, lab_.id, lab_.header.filename().string()));
      }
      lab_.given.push_back(file);
    }
  }

  /// A linker name: one word, and not a pattern.
  void check_name(const std::string& name) const {
    if (!is_name(name)) {
      document_.fail("allowed_names",
                     fmt::format("'{}' is not a valid symbol name; write it as shown by nm, such "
                                 "as 'getenv' or '_ZNSt6thread4joinEv'",
                                 name));
    }
  }

  /// What the student writes: functions, or a whole program.
  void read_task() {
    if (!document_.has("program")) return read_function(document_, datasets_, lab_);
    if (document_.has("function")) {
      document_.fail("program",
                     "there are [function] and [program]; keep the one that students write");
    }
    read_program(document_.table("program"), datasets_, lab_);
  }

  void check_dims(const TomlTable& table, std::string_view key, const Expression& formula,
                  bool counters_too = false) const {
    warpgrade::check_dims(table, key, formula, datasets_, counters_too);
  }

  void read_device() {
    if (!document_.has("device")) return;
    TomlTable table = document_.table("device");
    const std::int64_t count = table.integer("count");
    if (count < 1 || count > warpsim::kMostDevices) {
      table.fail("count", fmt::format("'count' is {}; it must be 1 to {}, the devices that a "
                                      "submission sees, such as count = 2",
                                      count, warpsim::kMostDevices));
    }
    table.finish();
    lab_.devices = static_cast<int>(count);
  }

  void read_host_reads() {
    if (!document_.has("host_reads")) return;
    lab_.host_reads = document_.expression("host_reads");
    check_dims(document_, "host_reads", *lab_.host_reads);
  }

  void read_lab_tolerance() {
    const bool has_output = std::any_of(lab_.parameters.begin(), lab_.parameters.end(),
                                        [](const Parameter& p) { return p.is_written(); });
    if (lab_.program && !has_output && !document_.has("tolerance")) return;
    TomlTable table = document_.table("tolerance");
    lab_.tolerance = read_tolerance(table, datasets_);
    table.finish();
  }

  void read_rubric() {
    TomlTable table = document_.table("rubric");
    Rubric& rubric = lab_.rubric;
    rubric.build = read_points(table, "build");
    rubric.correctness = read_points(table, "correctness");
    rubric.safety = read_points(table, "safety");
    rubric.concept_checks = read_points(table, "concept");
    rubric.performance = read_points(table, "performance");
    if (table.has("questions")) rubric.questions = read_points(table, "questions");
    const double sum = rubric.total();
    if (!same_points(sum, kTotalPoints)) {
      document_.fail("rubric", fmt::format("the points of [rubric] sum to {}; make them 100", sum));
    }
    table.finish();
  }

  void read_cases() {
    double sum = 0;
    for (TomlTable& row : document_.tables("case")) {
      Case spec;
      spec.name = row.string("name");
      row.set_title(fmt::format("[[case]] \"{}\"", spec.name));
      if (lab_.find_case(spec.name) != nullptr) {
        row.fail("name", fmt::format("case '{}' occurs twice; rename one", spec.name));
      }
      const std::string dataset = row.string("dataset");
      check_known(row, "dataset", dataset, dataset_names_, "dataset");
      spec.data = *std::find_if(datasets_.begin(), datasets_.end(),
                                [&](const Dataset& d) { return d.name == dataset; });
      read_calls(row, lab_, spec.data);
      assign_fills(row, lab_, spec.data);
      spec.points = read_points(row);
      spec.visible = row.boolean_or("visible", true);
      spec.exact = row.boolean_or("exact", false);
      spec.hint = row.string("hint");
      spec.program = read_program_case(row, lab_, spec.data);
      row.finish();
      sum += spec.points;
      lab_.cases.push_back(std::move(spec));
    }
    if (lab_.cases.empty()) document_.fail("case", "there is no [[case]]; add one");
    for (const Case& spec : lab_.cases) case_names_.push_back(spec.name);
    if (!same_points(sum, lab_.rubric.correctness)) {
      document_.fail("case", fmt::format("the points of all [[case]] sum to {}; make them "
                                         "rubric.correctness, {}",
                                         sum, lab_.rubric.correctness));
    }
  }

  void read_hints() {
    if (!document_.has("hints")) return;
    const std::vector<std::string> levels = {"place", "kind", "fix"};  // in order of Hints
    const std::string level = document_.string("hints");
    check_known(document_, "hints", level, levels, "level");
    const auto at = std::find(levels.begin(), levels.end(), level) - levels.begin();
    lab_.hints = static_cast<Hints>(at);
  }

  void read_schedule() {
    constexpr std::int64_t kMostWeeks = 53;
    constexpr double kMostHours = 200;
    const std::int64_t week = document_.integer_or("week", 0);
    if (document_.has("week") && (week < 1 || week > kMostWeeks)) {
      document_.fail("week", fmt::format("key 'week' is {}; it must be from 1 to {}, the week of "
                                         "the course",
                                         week, kMostWeeks));
    }
    const double hours = document_.number_or("hours", 0);
    if (document_.has("hours") && !(hours > 0 && hours <= kMostHours)) {  // NaN fails
      document_.fail("hours", fmt::format("key 'hours' is {}; it must be above 0 and at most {}, "
                                          "the hours that a student should plan",
                                          hours, kMostHours));
    }
    lab_.schedule = {.week = static_cast<int>(week),
                     .hours = hours,
                     .after = document_.strings_or_none("after")};
    if (std::find(lab_.schedule.after.begin(), lab_.schedule.after.end(), lab_.id) !=
        lab_.schedule.after.end()) {
      document_.fail("after", fmt::format("'after' names the lab itself; name labs that should be "
                                          "done before {}",
                                          lab_.id));
    }
  }

  void read_pass() {
    if (!document_.has("pass")) return;
    const double pass = document_.number("pass");
    if (!(pass >= 0 && pass <= 100)) {  // NaN fails
      document_.fail("pass", fmt::format("key 'pass' is {}; it must be from 0 to 100, the percent "
                                         "of the points with which the lab is passed",
                                         pass));
    }
    lab_.pass = pass;
  }

  void read_performance() {
    if (lab_.rubric.performance == 0 && !document_.has("performance")) return;
    TomlTable table = document_.table("performance");
    for (const Parameter& parameter : lab_.parameters) {
      // The time of a program is modelled in the run that is judged.
      if (lab_.rubric.performance > 0 && !lab_.program &&
          (parameter.comparison.by_predicate || !parameter.comparison.groups.empty())) {
        document_.fail("performance",
                       fmt::format("timed calls are verified against the reference's outputs, "
                                   "which '{}' need not equal; write rubric.performance = 0 and "
                                   "remove [performance], or compare '{}' without {}",
                                   parameter.name, parameter.name,
                                   parameter.comparison.by_predicate ? "'predicate'" : "'groups'"));
      }
    }
    lab_.performance_case = table.string("case");
    check_known(table, "case", lab_.performance_case, case_names_, "case");
    if (table.has("time")) {
      const std::string time = table.string("time");
      if (time != "kernels" && time != "timeline") {
        table.fail("time", fmt::format("'time' is \"{}\"; it is \"kernels\", the sum of the "
                                       "kernels' times, or \"timeline\", the whole call with its "
                                       "copies",
                                       time));
      }
      lab_.times_timeline = time == "timeline";
    }
    if (table.has("gpu")) {
      if (lab_.program) {
        table.fail("gpu", "the time of a program is always modelled; remove 'gpu'");
      }
      read_gpu_case(table.table("gpu"));
    }
    if (table.has("flops")) {
      lab_.flops = table.expression("flops");
      check_dims(table, "flops", *lab_.flops);
    }
    double best = 0;
    for (TomlTable& row : table.tables("tier")) {
      const Tier tier{.ratio = row.number("ratio"), .points = read_points(row)};
      if (!(tier.ratio >= 1)) {
        row.fail("ratio", fmt::format("'ratio' is {}; it must be at least 1, the reference's own "
                                      "cost",
                                      tier.ratio));
      }
      if (!lab_.tiers.empty() &&
          !(tier.ratio > lab_.tiers.back().ratio && tier.points < lab_.tiers.back().points)) {
        row.fail("ratio",
                 "tiers must be in order of ascending ratio and descending points; reorder them");
      }
      best = std::max(best, tier.points);
      row.finish();
      lab_.tiers.push_back(tier);
    }
    if (!same_points(best, lab_.rubric.performance)) {
      table.fail("tier",
                 fmt::format("the first tier gives {} points; make it rubric.performance, {}", best,
                             lab_.rubric.performance));
    }
    table.finish();
  }

  /// The timed case, with a size that fills a GPU.
  void read_gpu_case(TomlTable table) {
    table.set_title("[performance] gpu");
    const std::string dataset = table.string("dataset");
    check_known(table, "dataset", dataset, dataset_names_, "dataset");
    Case spec;
    spec.name = lab_.performance_case;
    spec.visible = false;
    spec.exact = table.boolean_or("exact", false);
    spec.data = *std::find_if(datasets_.begin(), datasets_.end(),
                              [&](const Dataset& d) { return d.name == dataset; });
    // It calls what the case calls.
    for (const auto& [name, value] : lab_.find_case(lab_.performance_case)->data.dims) {
      if (spec.data.dims.emplace(name, value).second) spec.data.settings.push_back(name);
    }
    assign_fills(table, lab_, spec.data);
    table.finish();
    lab_.gpu_case = std::move(spec);
  }

  void read_concepts() {
    double sum = 0;
    for (TomlTable& row : document_.tables("concept")) {
      row.set_title(fmt::format("[[concept]] \"{}\"", row.string("id")));
      ConceptCheck check;
      for_each_concept_key([&](const auto& key) { read_key(row, key, check.*key.member); });
      if (!(check.at_least <= check.at_most)) {
        row.fail("at_most", fmt::format("'at_most' ({}) is below 'at_least' ({}); swap them",
                                        check.at_most, check.at_least));
      }
      row.finish();
      sum += check.points;
      lab_.concepts.push_back(std::move(check));
    }
    if (!same_points(sum, lab_.rubric.concept_checks)) {
      document_.fail("concept", fmt::format("the points of all [[concept]] sum to {}; make them "
                                            "rubric.concept, {}",
                                            sum, lab_.rubric.concept_checks));
    }
  }

  template <class Value>
  void read_key(TomlTable& row, const ConceptKey<Value>& key, Value& value) const {
    if (key.need == KeyNeed::optional && !row.has(key.name)) return;
    if constexpr (std::is_same_v<Value, std::string>) {
      value = row.string(key.name);
      if (key.rule == KeyRule::case_name) check_known(row, key.name, value, case_names_, "case");
      if (key.rule == KeyRule::placeholder && value.find("{}") == std::string::npos) {
        row.fail(key.name, "'{}' is missing, the placeholder for the number");
      }
    } else if constexpr (std::is_same_v<Value, Expression>) {
      value = row.expression(key.name);
      check_dims(row, key.name, value, key.rule == KeyRule::over_counters);
    } else {
      static_assert(std::is_same_v<Value, double>);
      value = key.rule == KeyRule::points ? read_points(row, key.name) : row.number(key.name);
    }
  }

  void read_rungs() {
    for (TomlTable& row : document_.tables("rung")) {
      const std::string stage = row.string("stage");
      row.set_title(fmt::format("[[rung]] \"{}\"", stage));
      const std::filesystem::path file = stage_of(lab_, stage);
      if (!std::filesystem::exists(file) && std::filesystem::is_directory(file.parent_path())) {
        row.fail("stage", fmt::format("{} does not exist",
                                      file.lexically_relative(lab_.root).generic_string()));
      }
      Rung rung{.stage = stage,
                .title = row.string("title"),
                .when = row.expression("when"),
                .next = row.string_or("next", "")};
      check_dims(row, "when", rung.when, true);
      read_changes(row, rung);
      row.finish();
      lab_.rungs.push_back(std::move(rung));
    }
  }

  void read_changes(TomlTable& row, Rung& rung) {
    for (TomlTable& change : row.tables("change")) {
      const std::string counter = change.string("counter");
      std::vector<std::string> counters;
      for (const CounterName& known : counter_names()) counters.emplace_back(known.name);
      check_known(change, "counter", counter, counters, "counter");
      Expression value = change.expression("becomes");
      check_dims(change, "becomes", value, true);
      change.finish();
      rung.change.push_back({counter, std::move(value)});
    }
  }

  void read_clues() {
    for (TomlTable& row : document_.tables("clue")) {
      Clue clue;
      clue.pitfall = row.string("pitfall");
      row.set_title(fmt::format("[[clue]] \"{}\"", clue.pitfall));
      if (clue.pitfall == "none") {
        clue.pitfall.clear();
      }
      clue.says = row.string("says");
      clue.pattern = row.string_or("pattern", "");
      if (!clue.pattern.empty()) {
        check_known(row, "pattern", clue.pattern, pattern_names(), "pattern");
      }
      clue.fails = row.strings_or_none("fails");
      clue.passes = row.strings_or_none("passes");
      for (const std::string& name : clue.fails)
        check_known(row, "fails", name, case_names_, "case");
      for (const std::string& name : clue.passes) {
        check_known(row, "passes", name, case_names_, "case");
      }
      clue.finding = read_finding(row, "finding");
      clue.no_finding = read_finding(row, "no_finding");
      clue.source = read_regex(row, "source");
      clue.lacks = read_regex(row, "lacks");
      if (row.has("when")) {
        clue.when = row.expression("when");
        check_dims(row, "when", *clue.when, true);
      }
      if (clue.pattern.empty() && clue.fails.empty() && clue.finding.empty() &&
          clue.source.empty() && !clue.when) {
        row.fail("pitfall",
                 "this clue has no condition; give pattern, fails, "
                 "finding, source or when");
      }
      row.finish();
      lab_.clues.push_back(std::move(clue));
    }
  }

  /// No submission has a finding of a misspelled kind, so the clue would never hold, or always.
  static std::string read_finding(TomlTable& row, std::string_view key) {
    std::string name = row.string_or(key, "");
    if (!row.has(key) || warpsim::find_finding_kind(name) != nullptr) return name;
    std::vector<std::string> known;
    for (const warpsim::FindingInfo& kind : warpsim::finding_kinds()) known.emplace_back(kind.slug);
    check_known(row, key, name, known, "kind of finding");
    return name;
  }

  static std::string read_regex(TomlTable& row, std::string_view key) {
    std::string text = row.string_or(key, "");
    try {
      (void)std::regex(text);
    } catch (const std::regex_error& error) {
      row.fail(key, fmt::format("'{}' is not a regular expression ({}); correct it", text,
                                error.what()));
    }
    return text;
  }

  TomlTable document_;
  Lab lab_;
  bool has_code_ = true;
  std::vector<Dataset> datasets_;
  std::vector<std::string> dataset_names_;
  std::vector<std::string> case_names_;
};

}  // namespace

Lab load_lab(const std::filesystem::path& folder) {
  // With a trailing slash the folder's name would be empty.
  const auto normal = (std::filesystem::absolute(folder) / ".").lexically_normal().parent_path();
  return LabReader(normal).read();
}

Lab read_python_form(const Lab& lab) {
  return LabReader::read_python(lab);
}

}  // namespace warpgrade
