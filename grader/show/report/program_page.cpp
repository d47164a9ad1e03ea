#include "grader/show/report/program_page.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <vector>

#include "emulator/recording/base64.h"
#include "grader/core/text.h"
#include "grader/record/counters/emulator_report.h"
#include "grader/record/grade/compiler_of.h"
#include "grader/show/report/markdown.h"
#include "grader/show/report/page.h"
#include "grader/show/report/picture_scripts.h"
#include "grader/show/report/pitfall_pages.h"
#include "grader/show/report/sections.h"
#include "grader/show/report/source_view.h"
#include "grader/show/report/terminal_parts.h"

namespace warpgrade {
namespace {

constexpr std::size_t kLongestOutput = 100'000;  // of what it printed, and of the compiler's

Pages pitfalls_of(const Grade& facts, const Installation& installation) {
  std::set<std::string> ids;
  for (const ReportedFinding& finding : facts.findings) ids.insert(finding.pitfall);
  return read_pitfalls(installation.pitfalls(), ids);
}

PageData page_rows(const Pages& pages) {
  std::set<std::string> carried;
  for (const auto& [id, page] : pages) carried.insert(id);
  PageData rows(PageData::type::list);
  for (const auto& [id, page] : pages) {
    PageData row = texts({{"id", id}, {"title", page.title}});
    row.set("html", html_of_markdown(page.markdown, carried));
    rows.push_back(std::move(row));
  }
  return rows;
}

void set_long_text(PageData& page, const char* name, const std::string& text) {
  set_text(page, name, "");
  if (!text.empty()) page.set(name, shown(text, kLongestOutput));
}

}  // namespace

std::string program_page(const ObservedProgram& observed, const Installation& installation) {
  const Grade& facts = observed.facts;
  const Pages pages = pitfalls_of(facts, installation);
  PageData page = texts({{"title", facts.lab_title},
                         {"summary", facts.summary},
                         {"device", facts.device.name},
                         {"compiler", compiler_of(facts.environment)},
                         {"started", facts.started}});
  page.set("passed", observed.passed);
  page.set("ran", !facts.device.name.empty());
  set_pitfall(page, facts.pitfall, pages);
  set_long_text(page, "output", facts.output);
  set_long_text(page, "build_log", facts.build_log);
  set_list(page, "findings", finding_rows(facts, pages));
  set_list(page, "kernels", kernel_rows(facts));
  set_list(page, "sources", source_files(facts));
  set_list(page, "pages", page_rows(pages));
  std::vector<std::string_view> scripts = {
      "prism-core.min.js", "prism-clike.min.js", "prism-c.min.js", "prism-cpp.min.js",
      "cuda.js",           "theme.js",           "source_view.js"};
  nlohmann::json data = nlohmann::json::object();
  page.set("watched", !observed.recording.empty());
  if (observed.recording.empty()) return render_page("program.html", page, data, scripts);
  data["recorded_case"] = "the run";
  data["recording"] = warpsim::recording::base64(observed.recording);
  for (const std::string_view name : picture_scripts()) scripts.push_back(name);
  scripts.emplace_back("watch.js");
  return render_page("program.html", page, data, scripts, {"pictures.css"});
}

std::string terminal_program(const ObservedProgram& observed, const TerminalStyle& style) {
  const Grade& facts = observed.facts;
  Writer out(style);
  if (!observed.builds) write_compiler_output(facts.build_log, "", out);
  StudentView seen;
  seen.grade = facts;
  write_findings(seen, out);
  if (!facts.kernels.empty()) {
    out.line(out.ink(Ink::strong, "Kernels"));
    for (const KernelReport& kernel : facts.kernels) {
      out.paragraph(
          out.head("  "), 4,
          printable(fmt::format("{}: {} {}, {:.4g} ms modelled", kernel.name, kernel.launches,
                                kernel.launches == 1 ? "launch" : "launches",
                                kernel.counter(kTimeMetric))));
    }
    out.line();
  }
  out.paragraph(
      observed.passed ? out.head("", Ink::good, "Done:  ") : out.head("", Ink::strong, "Next:  "),
      7, printable(facts.summary));
  if (!facts.pitfall.empty()) {
    out.line(fmt::format("       `warpgrade explain {}` has more.", facts.pitfall));
  }
  return out.take();
}

}  // namespace warpgrade
