#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "grader/core/text.h"
#include "grader/gradebook/gradebook.h"
#include "grader/report/html.h"
#include "grader/report/markdown.h"
#include "grader/report/page.h"
#include "grader/report/picture.h"
#include "grader/report/pitfall_pages.h"
#include "grader/report/source_view.h"
#include "grader/report/wording.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kLongestLog = 20'000;
constexpr std::size_t kMostFindings = 20;
constexpr std::size_t kMostMaps = 80'000;  // bytes of pictures
constexpr std::size_t kMostKernels = 20;

using Pages = std::map<std::string, PitfallPage>;

void set_pitfall(PageData& row, const std::string& id, const Pages& pages) {
  row.set("pitfall", false);
  if (const auto it = pages.find(id); it != pages.end()) {
    row.set("pitfall", texts({{"id", id}, {"name", it->second.title}}));
  }
}

const CaseReport* case_of(const Grade& grade, const Item& item) {
  const auto it = std::find_if(grade.cases.begin(), grade.cases.end(), [&](const CaseReport& c) {
    return item.id == "correctness/" + c.name;
  });
  return it == grade.cases.end() ? nullptr : &*it;
}

const Item* item_of(const Grade& grade, const CaseReport& report) {
  const auto it = std::find_if(grade.items.begin(), grade.items.end(), [&](const Item& item) {
    return item.id == "correctness/" + report.name;
  });
  return it == grade.items.end() ? nullptr : &*it;
}

PageData category_tiles(const Grade& grade) {
  PageData tiles(PageData::type::list);
  for (const Category category : kCategories) {
    const double max = grade.max_points_in(category);
    if (max <= 0) {
      continue;
    }
    const CategorySummary summary = summarize(grade, category);
    const double points = grade.points_in(category);
    tiles.push_back(texts({{"name", slug(category)},
                           {"points", human_points(points)},
                           {"max", human_points(max)},
                           {"percent", fmt::format("{:.0f}", 100 * points / max)},
                           {"status", slug(summary.status)},
                           {"word", status_word(summary.status)},
                           {"text", summary.text}}));
  }
  return tiles;
}

PageData item_rows(const Grade& grade, const Pages& pages) {
  PageData rows(PageData::type::list);
  for (const Item& item : grade.items) {
    const CaseReport* report = case_of(grade, item);
    const bool hidden = report != nullptr && !report->visible;
    const bool passed = item.status == ItemStatus::passed;
    PageData row = texts({{"title", hidden ? item.title + " (hidden)" : item.title},
                          {"points", human_points(item.points)},
                          {"max_points", human_points(item.max_points)},
                          {"status", slug(item.status)},
                          {"word", status_word(item.status)},
                          {"message", hidden && !passed ? "Not right yet." : item.message}});
    set_text(row, "hint", hidden ? "" : item.hint);
    set_pitfall(row, item.pitfall, pages);
    rows.push_back(std::move(row));
  }
  return rows;
}

/// "1.2e-05 of 2.4e-06 allowed", or nothing where no error was measured.
std::string error_text(const CaseReport& c) {
  if (c.elements == 0 || (c.max_error == 0 && c.bound == 0 && c.wrong_elements == 0)) {
    return c.verdict == CaseVerdict::passed ? "0" : "";
  }
  return std::isfinite(c.max_error) ? fmt::format("{:.2g}", c.max_error) : value_text(c.max_error);
}

PageData case_rows(const Grade& grade) {
  PageData rows(PageData::type::list);
  for (const CaseReport& c : grade.cases) {
    const bool passed = c.verdict == CaseVerdict::passed;
    const Item* item = item_of(grade, c);
    PageData row = texts({{"name", c.name},
                          {"shape", c.visible ? shape_text(c) : "hidden"},
                          {"status", passed                              ? "passed"
                                     : c.verdict == CaseVerdict::error   ? "error"
                                     : c.verdict == CaseVerdict::not_run ? "not_assessed"
                                                                         : "failed"},
                          {"word", replace_all(slug(c.verdict), "_", " ")},
                          {"points", item == nullptr ? "" : human_points(item->points)},
                          {"max_points", item == nullptr ? "" : human_points(item->max_points)}});
    const bool numbers = c.visible && c.elements > 0;
    row.set("wrong", numbers ? fmt::format("{} of {}", grouped(double(c.wrong_elements)),
                                           grouped(double(c.elements)))
                             : "");
    row.set("error", numbers ? error_text(c) : "");
    row.set("bound", numbers && c.bound > 0 ? fmt::format("{:.2g}", c.bound)
                     : numbers              ? "exact"
                                            : "");
    rows.push_back(std::move(row));
  }
  return rows;
}

/// The block of the kernel that took longest: what most likely wrote the outputs.
std::vector<std::uint64_t> usual_block(const Grade& grade) {
  const auto it = std::max_element(grade.kernels.begin(), grade.kernels.end(),
                                   [](const KernelReport& a, const KernelReport& b) {
                                     const auto ms = [](const KernelReport& k) {
                                       const auto found = k.counters.find("modelled_ms");
                                       return found == k.counters.end() ? 0 : found->second;
                                     };
                                     return ms(a) < ms(b);
                                   });
  return it == grade.kernels.end() ? std::vector<std::uint64_t>{} : it->block;
}

PageData wrong_cases(const Grade& grade, const Pages& pages) {
  const std::vector<std::uint64_t> block = usual_block(grade);
  PageData rows(PageData::type::list);
  std::size_t drawn = 0;
  bool open = true;  // the first only
  for (const CaseReport& c : grade.cases) {
    if (!c.visible || c.verdict == CaseVerdict::passed || c.verdict == CaseVerdict::not_run) {
      continue;
    }
    PageData row = texts({{"name", c.name}, {"shape", shape_text(c)}, {"message", c.message}});
    row.set("open", open);
    open = false;
    const Item* item = item_of(grade, c);
    set_text(row, "hint", hint_of(grade, c));
    set_pitfall(row, item == nullptr ? "" : item->pitfall, pages);
    set_text(row, "meaning", pattern_meaning(c.pattern));
    PageData mismatches(PageData::type::list);
    for (const MismatchedElement& m : c.first_mismatches) {
      std::string element = fmt::format("{}[{}]", m.parameter, m.index);
      if (c.wrong_map && !c.wrong_map->folded && c.wrong_map->columns > 0) {
        element += fmt::format(" row {}, column {}", m.index / c.wrong_map->columns,
                               m.index % c.wrong_map->columns);
      }
      mismatches.push_back(texts({{"element", element},
                                  {"got", value_text(m.got)},
                                  {"want", value_text(m.want)},
                                  {"bound", m.bound > 0 ? value_text(m.bound) : "exact"}}));
    }
    set_list(row, "mismatches", std::move(mismatches));
    row.set("map", false);
    if (c.wrong_map && !c.wrong_map->cells.empty() && c.elements > 1 && drawn < kMostMaps) {
      PageData map = texts({{"parameter", c.wrong_map->parameter},
                            {"caption", wrong_map_caption(*c.wrong_map, block)}});
      const std::string svg =
          wrong_map_svg(*c.wrong_map, block,
                        fmt::format("Where {} is wrong in case {}: {} of {} elements",
                                    c.wrong_map->parameter, c.name, c.wrong_elements, c.elements));
      drawn += svg.size();
      map.set("svg", svg);
      row.set("map", std::move(map));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

PageData finding_rows(const Grade& grade, const Pages& pages) {
  PageData rows(PageData::type::list);
  for (std::size_t i = 0; i < std::min(kMostFindings, grade.findings.size()); ++i) {
    const ReportedFinding& f = grade.findings[i];
    PageData row = texts({{"severity", f.severity},
                          {"class", f.is_error() ? "failed" : "partial"},
                          {"kind", f.kind},
                          {"message", f.message},
                          {"kernel", f.kernel}});
    PageData fields(PageData::type::list);
    const auto field = [&](const char* name, const std::string& value) {
      if (!value.empty()) {
        fields.push_back(texts({{"name", name}, {"value", value}}));
      }
    };
    field("where", f.where);
    field("who", f.who);
    field("got", f.got);
    field("want", f.want);
    field("seen", fmt::format("{} time{}, in {}", grouped(double(f.count)), f.count == 1 ? "" : "s",
                              join_and(quoted(f.cases, 4))));
    row.set("fields", std::move(fields));
    set_text(row, "next", f.next);
    PageData sides(PageData::type::list);
    for (const FindingPlace& place : places_of(f)) {
      PageData lines = excerpt(grade, place);
      if (lines.is_empty_list()) {
        continue;
      }
      PageData side = texts({{"file", place.file}, {"line", std::to_string(place.line)}});
      set_text(side, "who", place.who);
      side.set("lines", std::move(lines));
      sides.push_back(std::move(side));
    }
    set_list(row, "sides", std::move(sides));
    set_pitfall(row, f.pitfall, pages);
    rows.push_back(std::move(row));
  }
  return rows;
}

PageData concept_rows(const Grade& grade, const Pages& pages) {
  PageData rows(PageData::type::list);
  for (const Item& item : grade.items) {
    if (item.category != Category::concept_check) {
      continue;
    }
    PageData row = texts({{"title", item.title},
                          {"points", human_points(item.points)},
                          {"max_points", human_points(item.max_points)},
                          {"status", slug(item.status)},
                          {"word", status_word(item.status)},
                          {"message", item.message}});
    row.set("numbers", false);
    if (item.numbers) {
      const ConceptNumbers& n = *item.numbers;
      PageData numbers = texts(
          {{"unit", n.unit},
           {"measured_formula", n.measured_formula},
           {"expected_formula", n.expected_formula},
           {"measured", grouped(n.measured)},
           {"expected", grouped(n.expected)},
           {"accepted", n.at_least > 0
                            ? fmt::format("{} to {} ({:g} to {:g} times)",
                                          grouped(std::ceil(n.at_least * n.expected * 100) / 100),
                                          grouped(std::floor(n.at_most * n.expected * 100) / 100),
                                          n.at_least, n.at_most)
                            : fmt::format("at most {} ({:g} times)",
                                          grouped(std::floor(n.at_most * n.expected * 100) / 100),
                                          n.at_most)}});
      set_text(numbers, "reference", n.reference ? grouped(*n.reference) : "");
      row.set("numbers", std::move(numbers));
    }
    set_text(row, "hint", item.hint);
    set_pitfall(row, item.pitfall, pages);
    rows.push_back(std::move(row));
  }
  return rows;
}

PageData kernel_rows(const Grade& grade) {
  PageData rows(PageData::type::list);
  for (std::size_t i = 0; i < std::min(kMostKernels, grade.kernels.size()); ++i) {
    const KernelReport& k = grade.kernels[i];
    const auto counter = [&](const char* name) {
      const auto it = k.counters.find(name);
      return it == k.counters.end() ? 0 : it->second;
    };
    const auto extents = [](const std::vector<std::uint64_t>& e) {
      std::string text;
      for (const std::uint64_t extent : e) {
        text += (text.empty() ? "" : " x ") + grouped(double(extent));
      }
      return text;
    };
    const double requests = counter("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum");
    rows.push_back(texts(
        {{"name", k.name},
         {"launches", grouped(double(k.launches))},
         {"grid", extents(k.grid)},
         {"block", extents(k.block)},
         {"ms", fmt::format("{:.4g}", counter("modelled_ms"))},
         {"occupancy", fmt::format("{:.0f} %", counter("sm__maximum_warps_per_active_cycle_pct"))},
         {"sectors",
          requests > 0
              ? fmt::format("{:.3g}",
                            counter("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum") / requests)
              : ""},
         {"conflicts", grouped(counter("l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"))},
         {"dram", human_bytes(static_cast<std::uint64_t>(
                      32 * (counter("dram__sectors_read.sum") + counter("dram__sectors_write.sum") +
                            counter("l2_dirty_sectors_at_end"))))}}));
  }
  return rows;
}

/// The ladder from its foot; only the rung reached and the next one have names in a grade.
PageData ladder(const RungReport& rung) {
  PageData steps(PageData::type::list);
  for (std::size_t i = 1; i <= rung.count; ++i) {
    PageData step(PageData::type::object);
    step.set("class", i < rung.index ? "below" : i == rung.index ? "here" : "above");
    step.set("no", std::to_string(i));
    step.set("here", i == rung.index);
    steps.push_back(std::move(step));
  }
  PageData data = texts({{"index", std::to_string(rung.index)},
                         {"count", std::to_string(rung.count)},
                         {"title", rung.title}});
  set_text(data, "next_title", rung.next_title);
  set_text(data, "next", rung.next);
  data.set("steps", std::move(steps));
  return data;
}

PageData not_assessed(const Grade& grade) {
  PageData rows(PageData::type::list);
  for (const Item& item : grade.items) {
    if (item.status == ItemStatus::not_assessed || item.status == ItemStatus::error) {
      rows.push_back(texts({{"title", item.title},
                            {"max_points", human_points(item.max_points)},
                            {"message", item.message}}));
    }
  }
  return rows;
}

std::set<std::string> pitfalls_of(const Grade& grade) {
  std::set<std::string> ids = {grade.pitfall};
  for (const Item& item : grade.items) {
    ids.insert(item.pitfall);
  }
  for (const ReportedFinding& f : grade.findings) {
    ids.insert(f.pitfall);
  }
  return ids;
}

PageData pitfall_rows(const Pages& pages) {
  std::set<std::string> carried;
  for (const auto& [id, page] : pages) {
    carried.insert(id);
  }
  PageData rows(PageData::type::list);
  for (const auto& [id, page] : pages) {
    PageData row = texts({{"id", id}, {"title", page.title}});
    row.set("html", html_of_markdown(page.markdown, carried));
    rows.push_back(std::move(row));
  }
  return rows;
}

nlohmann::json chart_data(const Grade& grade) {
  nlohmann::json data;
  if (!grade.timing) {
    return data;
  }
  const Timing& t = *grade.timing;
  data["ratio"] = t.ratio;
  data["tiers"] = nlohmann::json::array();
  for (const TimingTier& tier : t.tiers) {
    data["tiers"].push_back({{"ratio", tier.ratio}, {"points", tier.points}});
  }
  if (t.roofline) {
    const auto point = [](const RooflinePoint& p) {
      return nlohmann::json{{"operations", p.operations}, {"bytes", p.bytes}, {"ms", p.ms}};
    };
    data["roofline"] = {{"operation", t.roofline->counts_flops ? "flop" : "instruction"},
                        {"peak", t.roofline->operations_per_second},
                        {"bandwidth", t.roofline->bytes_per_second},
                        {"submission", point(t.roofline->submission)},
                        {"reference", point(t.roofline->reference)}};
  }
  return data;
}

PageData timing_section(const Timing& timing) {
  PageData data = texts({{"case", timing.name},
                         {"source", timing.source},
                         {"submission", fmt::format("{:.4g}", timing.submission_ms)},
                         {"reference", fmt::format("{:.4g}", timing.reference_ms)},
                         {"ratio", fmt::format("{:.2f}", timing.ratio)}});
  PageData tiers(PageData::type::list);
  bool reached = false;
  for (const TimingTier& tier : timing.tiers) {
    PageData row =
        texts({{"ratio", fmt::format("{:g}", tier.ratio)}, {"points", human_points(tier.points)}});
    const bool here = !reached && timing.ratio <= tier.ratio;
    row.set("here", here);
    reached = reached || here;
    tiers.push_back(std::move(row));
  }
  set_list(data, "tiers", std::move(tiers));
  data.set("roofline", false);
  if (timing.roofline) {
    const Roofline& r = *timing.roofline;
    const std::string unit = r.counts_flops ? "Gflop/s" : "G instructions/s";
    PageData rows(PageData::type::list);
    const auto add = [&](const char* who, const RooflinePoint& p) {
      const double seconds = p.ms / 1000;
      const double rate = seconds > 0 ? p.operations / seconds : 0;
      const double intensity = p.bytes > 0 ? p.operations / p.bytes : 0;
      const double roof = p.bytes > 0
                              ? std::min(r.operations_per_second, intensity * r.bytes_per_second)
                              : r.operations_per_second;
      rows.push_back(texts(
          {{"who", who},
           {"rate", fmt::format("{} {}", grouped(std::round(rate / 1e8) / 10), unit)},
           {"bytes", human_bytes(static_cast<std::uint64_t>(p.bytes))},
           {"bandwidth", fmt::format("{:.4g} GB/s", seconds > 0 ? p.bytes / seconds / 1e9 : 0)},
           {"intensity", fmt::format("{:.3g}", intensity)},
           {"share", fmt::format("{:.0f} %", roof > 0 ? 100 * rate / roof : 0)}}));
    };
    add("Yours", r.submission);
    add("Reference", r.reference);
    PageData roof = texts(
        {{"peak", fmt::format("{} {}", grouped(std::round(r.operations_per_second / 1e9)), unit)},
         {"bandwidth", fmt::format("{:.4g} GB/s", r.bytes_per_second / 1e9)},
         {"operation", r.counts_flops ? "floating-point operation" : "warp instruction"}});
    roof.set("rows", std::move(rows));
    data.set("roofline", std::move(roof));
  }
  return data;
}

void set_facts(const Grade& grade, PageData& page) {
  const auto fact = [&](const char* name) {
    const auto it = grade.environment.find(name);
    return it == grade.environment.end() ? std::string() : it->second;
  };
  PageData facts(PageData::type::list);
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) {
      facts.push_back(texts({{"name", name}, {"value", value}}));
    }
  };
  add("device", grade.device.name);
  add("attempt", std::to_string(grade.attempt));
  add("graded", grade.started);
  add("took", fmt::format("{:.1f} s", grade.seconds));
  add("warpgrade", fact("warpgrade"));
  add("nvcc", fact("nvcc"));
  add("on the leaderboard", alias_of(grade.student, fact("secret")));
  page.set("facts", std::move(facts));
}

}  // namespace

std::string feedback_page(const Grade& grade, const fs::path& pitfalls) {
  const Pages pages = read_pitfalls(pitfalls, pitfalls_of(grade));
  const bool error = grade.status == GradeStatus::error;
  const double max = grade.max_score();
  PageData page =
      texts({{"student", grade.student},
             {"lab_title", grade.lab_title},
             {"score", error ? "not graded" : human_points(grade.score())},
             {"max_score", human_points(max)},
             {"percent", fmt::format("{:.0f}", max > 0 ? 100 * grade.score() / max : 0)},
             {"summary", grade.summary},
             {"kernels_case", grade.kernels_case}});
  page.set("error", error);
  page.set("passed", grade.passed());
  set_text(page, "attempt", grade.attempt > 1 ? fmt::format("attempt {}", grade.attempt) : "");
  set_pitfall(page, grade.pitfall, pages);
  set_list(page, "missing", not_assessed(grade));
  page.set("assessed", human_points(grade.assessed_points()));
  page.set("tiles", category_tiles(grade));
  page.set("items", item_rows(grade, pages));
  set_list(page, "cases", case_rows(grade));
  set_list(page, "wrong", wrong_cases(grade, pages));
  set_list(page, "findings", finding_rows(grade, pages));
  set_text(page, "more_findings",
           grade.findings.size() > kMostFindings
               ? fmt::format("{} more are in grade.json.", grade.findings.size() - kMostFindings)
               : "");
  set_list(page, "concepts", concept_rows(grade, pages));
  set_list(page, "kernels", kernel_rows(grade));
  page.set("timing", false);
  if (grade.timing) {
    page.set("timing", timing_section(*grade.timing));
  }
  page.set("rung", false);
  if (grade.rung) {
    page.set("rung", ladder(*grade.rung));
  }
  page.set("has_time", grade.timing.has_value() || !grade.kernels.empty());
  page.set("has_counters", !count_lines(grade.kernels).empty());
  set_list(page, "sources", source_files(grade));
  set_text(page, "build_log", "");
  if (!grade.build_log.empty()) {
    page.set("build_log", shown(grade.build_log, kLongestLog));
  }
  set_text(page, "output", "");
  if (!grade.output.empty()) {
    page.set("output", shown(grade.output, kLongestLog));
  }
  set_list(page, "pages", pitfall_rows(pages));
  set_facts(grade, page);
  return render_page("feedback.html", page, chart_data(grade),
                     {"chart.min.js", "prism-core.min.js", "prism-clike.min.js", "prism-c.min.js",
                      "prism-cpp.min.js", "theme.js", "feedback.js"});
}

}  // namespace warpgrade
