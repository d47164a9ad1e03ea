#include "grader/grade_record/grade_json.h"

#include <fmt/core.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/text.h"
#include "grader/grade_record/json_arrays.h"
#include "grader/grade_record/profile_json.h"
#include "grader/grade_record/speed_json.h"

namespace warpgrade {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) {
  if (std::isnan(value)) {
    return "nan";
  }
  if (std::isinf(value)) {
    return value > 0 ? "inf" : "-inf";
  }
  return value;
}

double number_from(const Json& value) {
  if (value.is_number()) {
    return value.get<double>();
  }
  const std::string text = value.get<std::string>();
  if (text == "nan") {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return text == "inf" ? std::numeric_limits<double>::infinity()
                       : -std::numeric_limits<double>::infinity();
}

/// Points are sums and shares; grades.json should read 7.5, not 7.499999999999999.
double rounded(double points) {
  return std::round(points * 1e6) / 1e6;
}

Json numbers_to_json(const std::optional<ConceptNumbers>& n) {
  if (!n) {
    return nullptr;
  }
  return {{"unit", n->unit},
          {"measured_formula", n->measured_formula},
          {"expected_formula", n->expected_formula},
          {"measured", number(n->measured)},
          {"expected", number(n->expected)},
          {"at_least", n->at_least},
          {"at_most", n->at_most},
          {"reference", n->reference ? number(*n->reference) : Json(nullptr)}};
}

std::optional<ConceptNumbers> numbers_from_json(const Json& item) {
  const auto it = item.find("numbers");  // grades of earlier versions have none
  if (it == item.end() || it->is_null()) {
    return std::nullopt;
  }
  ConceptNumbers n{.unit = it->at("unit"),
                   .measured_formula = it->at("measured_formula"),
                   .expected_formula = it->at("expected_formula"),
                   .measured = number_from(it->at("measured")),
                   .expected = number_from(it->at("expected")),
                   .at_least = it->at("at_least"),
                   .at_most = it->at("at_most")};
  if (const Json& reference = it->at("reference"); !reference.is_null()) {
    n.reference = number_from(reference);
  }
  return n;
}

Json wrong_map_to_json(const std::optional<WrongMap>& map) {
  if (!map) {
    return nullptr;
  }
  return {{"parameter", map->parameter}, {"rows", map->rows},
          {"columns", map->columns},     {"folded", map->folded},
          {"cell_rows", map->cell_rows}, {"cell_columns", map->cell_columns},
          {"cells", map->cells}};
}

std::optional<WrongMap> wrong_map_from_json(const Json& report) {
  const auto it = report.find("wrong_map");  // grades of earlier versions have none
  if (it == report.end() || it->is_null()) {
    return std::nullopt;
  }
  return WrongMap{.parameter = it->at("parameter"),
                  .rows = it->at("rows"),
                  .columns = it->at("columns"),
                  .folded = it->at("folded"),
                  .cell_rows = it->at("cell_rows"),
                  .cell_columns = it->at("cell_columns"),
                  .cells = it->at("cells").get<std::vector<std::string>>()};
}

Json point_to_json(const RooflinePoint& point) {
  return {{"operations", point.operations},
          {"bytes", point.bytes},
          {"ms", point.ms},
          {"floor_ms", point.floor_ms}};
}

RooflinePoint point_from_json(const Json& j) {
  return {.operations = j.at("operations"),
          .bytes = j.at("bytes"),
          .ms = j.at("ms"),
          .floor_ms = j.value("floor_ms", 0.0)};
}

Json roofline_to_json(const std::optional<Roofline>& roofline) {
  if (!roofline) {
    return nullptr;
  }
  Json roofs = Json::array();
  for (const Roof& roof : roofline->roofs) {
    roofs.push_back({{"type", roof.type}, {"operations_per_second", roof.operations_per_second}});
  }
  Json rungs = Json::array();
  for (const RungPoint& rung : roofline->rungs) {
    rungs.push_back(
        {{"rung", rung.rung}, {"title", rung.title}, {"point", point_to_json(rung.point)}});
  }
  return {{"operation", roofline->counts_flops ? "flop" : "instruction"},
          {"operations_per_second", roofline->operations_per_second},
          {"bytes_per_second", roofline->bytes_per_second},
          {"submission", point_to_json(roofline->submission)},
          {"reference", point_to_json(roofline->reference)},
          {"roofs", std::move(roofs)},
          {"rungs", std::move(rungs)},
          {"counted_by", slug(roofline->counted_by)},
          {"limits", roofline->limits_measured ? "measured" : "data_sheet"},
          {"kernels_only", roofline->kernels_only}};
}

/// Grades of earlier versions have no roofline, or one without roofs and rungs; all theirs were
/// counted by the emulator, against the data sheet.
std::optional<Roofline> roofline_from_json(const Json& timing) {
  const auto it = timing.find("roofline");
  if (it == timing.end() || it->is_null()) {
    return std::nullopt;
  }
  Roofline roofline{.counts_flops = it->at("operation") == "flop",
                    .operations_per_second = it->at("operations_per_second"),
                    .bytes_per_second = it->at("bytes_per_second"),
                    .submission = point_from_json(it->at("submission")),
                    .reference = point_from_json(it->at("reference"))};
  for (const Json& roof : it->value("roofs", Json::array())) {
    roofline.roofs.push_back(
        {.type = roof.at("type"), .operations_per_second = roof.at("operations_per_second")});
  }
  for (const Json& rung : it->value("rungs", Json::array())) {
    roofline.rungs.push_back({.rung = rung.at("rung"),
                              .title = rung.at("title"),
                              .point = point_from_json(rung.at("point"))});
  }
  if (it->contains("counted_by")) {
    roofline.counted_by = from_slug(it->at("counted_by"), CountSource::task);
    roofline.limits_measured = it->at("limits") == "measured";
    roofline.kernels_only = it->at("kernels_only");
  }
  return roofline;
}

Json runs_to_json(const std::optional<MeasuredRuns>& runs) {
  if (!runs) {
    return nullptr;
  }
  const auto known = [](const std::optional<double>& value) {
    return value ? Json(*value) : Json(nullptr);
  };
  return {{"submission_ms", runs->submission_ms},
          {"reference_ms", runs->reference_ms},
          {"rounds", runs->rounds},
          {"ratio_low", known(runs->ratio_low)},
          {"ratio_high", known(runs->ratio_high)}};
}

std::optional<MeasuredRuns> runs_from_json(const Json& timing) {
  const auto it = timing.find("runs");  // only where something was measured
  if (it == timing.end() || it->is_null()) {
    return std::nullopt;
  }
  const auto known = [](const Json& value) {
    return value.is_null() ? std::nullopt : std::optional<double>(value.get<double>());
  };
  return MeasuredRuns{.submission_ms = it->at("submission_ms").get<std::vector<double>>(),
                      .reference_ms = it->at("reference_ms").get<std::vector<double>>(),
                      .rounds = it->value("rounds", std::vector<std::size_t>{}),
                      .ratio_low = known(it->at("ratio_low")),
                      .ratio_high = known(it->at("ratio_high"))};
}

Json state_to_json(const std::optional<CardState>& state) {
  if (!state) {
    return nullptr;
  }
  return {{"sm_mhz", state->sm_mhz},
          {"memory_mhz", state->memory_mhz},
          {"celsius", state->celsius},
          {"watts", state->watts},
          {"throttle", printable(state->throttle)}};
}

std::optional<CardState> state_from_json(const Json& j) {
  if (j.is_null()) {
    return std::nullopt;
  }
  return CardState{.sm_mhz = j.at("sm_mhz"),
                   .memory_mhz = j.at("memory_mhz"),
                   .celsius = j.at("celsius"),
                   .watts = j.at("watts"),
                   .throttle = j.at("throttle")};
}

Json card_to_json(const std::optional<CardRecord>& card) {
  if (!card) {
    return nullptr;
  }
  Json peaks = nullptr;
  if (card->peaks) {
    peaks = {{"copy_bytes_per_second", card->peaks->copy_bytes_per_second},
             {"fma_per_second", card->peaks->fma_per_second}};
  }
  return {{"name", printable(card->name)},       {"uuid", printable(card->uuid)},
          {"driver", printable(card->driver)},   {"before", state_to_json(card->before)},
          {"after", state_to_json(card->after)}, {"peaks", std::move(peaks)}};
}

std::optional<CardRecord> card_from_json(const Json& j) {
  if (j.is_null()) {
    return std::nullopt;
  }
  CardRecord card{.name = j.at("name"),
                  .uuid = j.at("uuid"),
                  .driver = j.at("driver"),
                  .before = state_from_json(j.at("before")),
                  .after = state_from_json(j.at("after")),
                  .peaks = std::nullopt};
  if (const Json& peaks = j.at("peaks"); !peaks.is_null()) {
    card.peaks = CardPeaks{.copy_bytes_per_second = peaks.at("copy_bytes_per_second"),
                           .fma_per_second = peaks.at("fma_per_second")};
  }
  return card;
}

Json timing_to_json(const std::optional<Timing>& timing) {
  if (!timing) {
    return nullptr;
  }
  Json tiers = Json::array();
  for (const TimingTier& tier : timing->tiers) {
    tiers.push_back({{"ratio", tier.ratio}, {"points", tier.points}});
  }
  Json j = {{"case", timing->name},
            {"source", timing->source},
            {"submission_ms", timing->submission_ms},
            {"reference_ms", timing->reference_ms},
            {"ratio", number(timing->ratio)},
            {"tiers", std::move(tiers)},
            {"roofline", roofline_to_json(timing->roofline)},
            {"runs", runs_to_json(timing->runs)}};
  if (!timing->shape.empty()) {
    j["shape"] = timing->shape;
    j["card"] = card_to_json(timing->card);
  }
  return j;
}

std::optional<Timing> timing_from_json(const Json& t) {
  if (t.is_null()) {
    return std::nullopt;
  }
  Timing timing{.name = t.at("case"),
                .source = t.at("source"),
                .submission_ms = t.at("submission_ms"),
                .reference_ms = t.at("reference_ms"),
                .ratio = number_from(t.at("ratio"))};
  for (const Json& tier : t.value("tiers", Json::array())) {
    timing.tiers.push_back({.ratio = tier.at("ratio"), .points = tier.at("points")});
  }
  timing.roofline = roofline_from_json(t);
  timing.runs = runs_from_json(t);
  if (t.contains("shape")) {
    timing.shape = t.at("shape").get<std::map<std::string, std::int64_t>>();
    timing.card = card_from_json(t.at("card"));
  }
  return timing;
}

Json item_to_json(const Item& item) {
  return {{"id", printable(item.id)},
          {"category", slug(item.category)},
          {"title", printable(item.title)},
          {"points", rounded(item.points)},
          {"max_points", rounded(item.max_points)},
          {"status", slug(item.status)},
          {"message", printable(item.message)},
          {"hint", printable(item.hint)},
          {"pitfall", item.pitfall},
          {"numbers", numbers_to_json(item.numbers)}};
}

Item item_from_json(const Json& j) {
  return {.id = j.at("id"),
          .category = from_slug(j.at("category"), Category::performance),
          .title = j.at("title"),
          .points = j.at("points"),
          .max_points = j.at("max_points"),
          .status = from_slug(j.at("status"), ItemStatus::error),
          .message = j.at("message"),
          .hint = j.at("hint"),
          .pitfall = j.at("pitfall"),
          .numbers = numbers_from_json(j)};
}

Json case_to_json(const CaseReport& c) {
  Json mismatches = Json::array();
  for (const MismatchedElement& m : c.first_mismatches) {
    mismatches.push_back({{"parameter", m.parameter},
                          {"index", m.index},
                          {"got", number(m.got)},
                          {"want", number(m.want)},
                          {"bound", number(m.bound)}});
  }
  return {{"name", c.name},
          {"visible", c.visible},
          {"shape", c.shape},
          {"status", slug(c.verdict)},
          {"message", printable(c.message)},
          {"pattern", c.pattern},
          {"pattern_detail", c.pattern_detail},
          {"elements", c.elements},
          {"wrong_elements", c.wrong_elements},
          {"max_error", number(c.max_error)},
          {"bound", number(c.bound)},
          {"first_mismatches", std::move(mismatches)},
          {"seconds", c.seconds},
          {"wrong_map", wrong_map_to_json(c.wrong_map)}};
}

CaseReport case_from_json(const Json& j) {
  CaseReport c{.name = j.at("name"),
               .visible = j.at("visible"),
               .shape = j.at("shape").get<std::map<std::string, std::int64_t>>(),
               .verdict = from_slug(j.at("status"), CaseVerdict::error),
               .message = j.at("message"),
               .pattern = j.at("pattern"),
               .pattern_detail = j.at("pattern_detail"),
               .wrong_elements = j.at("wrong_elements"),
               .elements = j.at("elements"),
               .max_error = number_from(j.at("max_error")),
               .bound = number_from(j.at("bound")),
               .first_mismatches = {},
               .seconds = j.at("seconds"),
               .wrong_map = wrong_map_from_json(j)};
  for (const Json& m : j.at("first_mismatches")) {
    c.first_mismatches.push_back({.parameter = m.at("parameter"),
                                  .index = m.at("index"),
                                  .got = number_from(m.at("got")),
                                  .want = number_from(m.at("want")),
                                  .bound = number_from(m.at("bound"))});
  }
  return c;
}

Json finding_to_json(const ReportedFinding& f) {
  return {{"pitfall", f.pitfall},
          {"kind", printable(f.kind)},
          {"severity", f.severity},
          {"file", printable(f.file)},
          {"line", f.line},
          {"kernel", printable(f.kernel)},
          {"message", printable(f.message)},
          {"where", printable(f.where)},
          {"who", printable(f.who)},
          {"got", printable(f.got)},
          {"want", printable(f.want)},
          {"next", printable(f.next)},
          {"count", f.count},
          {"cases", f.cases}};
}

ReportedFinding finding_from_json(const Json& j) {
  return {.kind = j.at("kind"),
          .severity = j.at("severity"),
          .pitfall = j.at("pitfall"),
          .kernel = j.at("kernel"),
          .file = j.at("file"),
          .line = j.at("line"),
          .message = j.at("message"),
          .where = j.at("where"),
          .who = j.at("who"),
          .got = j.at("got"),
          .want = j.at("want"),
          .next = j.at("next"),
          .count = j.at("count"),
          .cases = j.at("cases").get<std::vector<std::string>>()};
}

Json kernel_to_json(const KernelReport& k) {
  Json lines = Json::array();
  for (const KernelLine& line : k.lines) {
    lines.push_back(
        {{"file", printable(line.file)}, {"line", line.line}, {"counters", line.counters}});
  }
  return {{"name", printable(k.name)}, {"launches", k.launches}, {"grid", k.grid},
          {"block", k.block},          {"counters", k.counters}, {"lines", std::move(lines)}};
}

KernelReport kernel_from_json(const Json& j) {
  KernelReport k{.name = j.at("name"),
                 .launches = j.at("launches"),
                 .grid = j.at("grid").get<std::vector<std::uint64_t>>(),
                 .block = j.at("block").get<std::vector<std::uint64_t>>(),
                 .counters = j.at("counters").get<std::map<std::string, double>>(),
                 .lines = {}};
  for (const Json& line : j.at("lines")) {
    k.lines.push_back({.file = line.at("file"),
                       .line = line.at("line"),
                       .counters = line.at("counters").get<std::map<std::string, double>>()});
  }
  return k;
}

Json rung_to_json(const std::optional<RungReport>& rung) {
  if (!rung) {
    return nullptr;
  }
  return {{"index", rung->index},
          {"count", rung->count},
          {"stage", rung->stage},
          {"title", rung->title},
          {"next_title", rung->next_title},
          {"next", rung->next},
          {"next_times_faster", rung->next_times_faster}};
}

std::optional<RungReport> rung_from_json(const Json& r) {
  if (r.is_null()) {
    return std::nullopt;
  }
  return RungReport{.index = r.at("index"),
                    .count = r.at("count"),
                    .stage = r.at("stage"),
                    .title = r.at("title"),
                    .next_title = r.at("next_title"),
                    .next = r.at("next"),
                    .next_times_faster = r.value("next_times_faster", 0.0)};
}

Json cause_to_json(const std::optional<Cause>& cause) {
  if (!cause) {
    return nullptr;
  }
  return {{"kind", slug(cause->kind)},
          {"change", printable(cause->change)},
          {"file", printable(cause->file)},
          {"line", cause->line},
          {"pitfall", cause->pitfall},
          {"message", printable(cause->message)},
          {"cases", cause->cases},
          {"tried", cause->tried},
          {"right", cause->right},
          {"runs", cause->runs},
          {"from_hidden", cause->from_hidden}};
}

/// @param j  where it is "cause"; earlier versions have none
std::optional<Cause> cause_from_json(const Json& j) {
  const auto it = j.find("cause");
  if (it == j.end() || it->is_null()) {
    return std::nullopt;
  }
  return Cause{.kind = from_slug(it->at("kind"), CauseKind::block_size),
               .change = it->at("change"),
               .file = it->at("file"),
               .line = it->at("line"),
               .pitfall = it->at("pitfall"),
               .message = it->at("message"),
               .cases = it->at("cases").get<std::vector<std::string>>(),
               .tried = it->at("tried"),
               .right = it->at("right"),
               .runs = it->at("runs"),
               .from_hidden = it->at("from_hidden")};
}

Json before_release_to_json(const BeforeRelease& said) {
  if (said.hidden_cases == 0) {
    return {{"hidden_cases", 0}};
  }
  return {{"hidden_cases", said.hidden_cases},
          {"summary", printable(said.summary)},
          {"pitfall", said.pitfall},
          {"cause", cause_to_json(said.cause)},
          {"items", array_of(said.items, item_to_json)},
          {"findings", array_of(said.findings, finding_to_json)},
          {"hidden_kinds", said.hidden_kinds},
          {"kernels_case", said.kernels_case},
          {"kernels", array_of(said.kernels, kernel_to_json)},
          {"timing", timing_to_json(said.timing)},
          {"rung", rung_to_json(said.rung)},
          {"speed", speed_to_json(said.speed)},
          {"public_cases", said.public_cases}};
}

BeforeRelease before_release_from_json(const Json& j) {
  if (j.at("hidden_cases") == 0) {
    return {};
  }
  return {.hidden_cases = j.at("hidden_cases"),
          .summary = j.at("summary"),
          .pitfall = j.at("pitfall"),
          .items = vector_of<Item>(j.at("items"), item_from_json),
          .findings = vector_of<ReportedFinding>(j.at("findings"), finding_from_json),
          .hidden_kinds = j.at("hidden_kinds").get<std::vector<std::string>>(),
          .kernels_case = j.at("kernels_case"),
          .kernels = vector_of<KernelReport>(j.at("kernels"), kernel_from_json),
          .timing = timing_from_json(j.at("timing")),
          .rung = rung_from_json(j.at("rung")),
          .speed = speed_from_json(j),
          .cause = cause_from_json(j),
          .public_cases = j.at("public_cases").get<std::vector<std::string>>()};
}

}  // namespace

Json to_json(const Grade& grade) {
  Json j;
  j["schema"] = kGradeSchema;
  j["lab"] = grade.lab;
  j["lab_title"] = grade.lab_title;
  j["student"] = printable(grade.student);
  j["attempt"] = grade.attempt;
  j["status"] = slug(grade.status);
  j["failure"] = slug(grade.failure);
  j["device"] = {{"kind", grade.device.kind}, {"name", printable(grade.device.name)}};
  j["score"] = rounded(grade.score());
  j["max_score"] = rounded(grade.max_score());
  j["assessed"] = rounded(grade.assessed_points());
  j["passed"] = grade.passed();
  j["summary"] = printable(grade.summary);
  j["pitfall"] = grade.pitfall;
  j["cause"] = cause_to_json(grade.cause);
  j["items"] = array_of(grade.items, item_to_json);
  j["cases"] = array_of(grade.cases, case_to_json);
  j["findings"] = array_of(grade.findings, finding_to_json);
  j["kernels_case"] = grade.kernels_case;
  j["kernels"] = array_of(grade.kernels, kernel_to_json);
  j["timing"] = timing_to_json(grade.timing);
  if (grade.profile) {
    j["profile"] = profile_to_json(*grade.profile);
  }
  j["rung"] = rung_to_json(grade.rung);
  j["speed"] = speed_to_json(grade.speed);
  if (grade.before_release) {
    j["before_release"] = before_release_to_json(*grade.before_release);
  }
  j["integrity"] = array_of(grade.integrity, [](const IntegrityFlag& flag) -> Json {
    return {{"kind", flag.kind},
            {"message", printable(flag.message)},
            {"evidence", printable(flag.evidence)}};
  });
  j["sources"] = array_of(grade.sources, [](const SourceFile& source) -> Json {
    return {{"name", printable(source.name)}, {"text", printable(source.text)}};
  });
  j["build_log"] = printable(grade.build_log);
  j["output"] = printable(grade.output);
  j["environment"] = Json::object();
  for (const auto& [name, value] : grade.environment) {
    j["environment"][name] = printable(value);
  }
  j["started"] = grade.started;
  j["seconds"] = grade.seconds;
  return j;
}

Grade grade_from_json(const Json& j) {
  if (const std::string violation = schema_violation(j); !violation.empty()) {
    throw UsageError(violation);
  }
  Grade grade;
  grade.lab = j.at("lab");
  grade.lab_title = j.at("lab_title");
  grade.student = j.at("student");
  grade.attempt = j.at("attempt");
  grade.status = from_slug(j.at("status"), GradeStatus::error);
  if (const auto it = j.find("failure"); it != j.end()) {  // grades of earlier versions have none
    grade.failure = from_slug(*it, Failure::too_slow);
  }
  grade.device = {.kind = j.at("device").at("kind"), .name = j.at("device").at("name")};
  grade.summary = j.at("summary");
  grade.pitfall = j.at("pitfall");
  grade.cause = cause_from_json(j);
  grade.items = vector_of<Item>(j.at("items"), item_from_json);
  grade.cases = vector_of<CaseReport>(j.at("cases"), case_from_json);
  grade.findings = vector_of<ReportedFinding>(j.at("findings"), finding_from_json);
  grade.kernels_case = j.at("kernels_case");
  grade.kernels = vector_of<KernelReport>(j.at("kernels"), kernel_from_json);
  grade.timing = timing_from_json(j.at("timing"));
  grade.profile = profile_from_json(j);
  grade.rung = rung_from_json(j.at("rung"));
  grade.speed = speed_from_json(j);
  if (const auto it = j.find("before_release"); it != j.end()) {  // earlier versions have none
    grade.before_release = before_release_from_json(*it);
  }
  grade.integrity = vector_of<IntegrityFlag>(j.at("integrity"), [](const Json& f) {
    return IntegrityFlag{
        .kind = f.at("kind"), .message = f.at("message"), .evidence = f.at("evidence")};
  });
  grade.sources = vector_of<SourceFile>(j.at("sources"), [](const Json& s) {
    return SourceFile{.name = s.at("name"), .text = s.at("text")};
  });
  grade.build_log = j.at("build_log");
  grade.output = j.at("output");
  grade.environment = j.at("environment").get<std::map<std::string, std::string>>();
  grade.started = j.at("started");
  grade.seconds = j.at("seconds");
  return grade;
}

void write_grade(const Grade& grade, const std::filesystem::path& file) {
  const Json document = to_json(grade);
  if (const std::string violation = schema_violation(document); !violation.empty()) {
    throw std::logic_error(fmt::format("the grade of {} for {} violates docs/grade.schema.json: {}",
                                       grade.student, grade.lab, violation));
  }
  write_file_atomically(file, document.dump(2) + "\n");
}

Grade read_grade(const std::filesystem::path& file) {
  const std::string text = read_file(file);
  try {
    return grade_from_json(Json::parse(text));
  } catch (const nlohmann::json::exception& e) {
    throw UsageError(fmt::format("{} is not a grade: {}", file.string(), e.what()));
  } catch (const UsageError& e) {
    throw UsageError(fmt::format("{} is not a grade: {}", file.string(), e.what()));
  }
}

}  // namespace warpgrade
