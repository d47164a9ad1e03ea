#include "grader/show/report/source_view.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <regex>

#include "grader/core/numbers.h"
#include "grader/core/text.h"

namespace warpgrade {
namespace {

constexpr std::size_t kLongestLine = 300;
constexpr std::size_t kMostLines = 1000;
constexpr std::size_t kMostBytes = 80'000;  // of all files together
constexpr std::uint32_t kContext = 3;
constexpr std::size_t kMostInstructions = 4000;  // of PTX, of all files together

std::string line_text(std::string_view line) {
  // A space keeps the height of an empty line.
  return line.empty() ? std::string(" ") : shown(line, kLongestLine);
}

/// The largest of each kind, to which heat is relative.
struct Hottest {
  double instructions = 1;
  double sectors = 1;
  double conflicts = 1;
  double divergent = 1;
  double all_instructions = 0;
};

Hottest hottest_of(const SourceCounters& counters) {
  Hottest hottest;
  for (const auto& [where, line] : counters) {
    hottest.instructions = std::max(hottest.instructions, line.instructions());
    hottest.sectors = std::max(hottest.sectors, line.sectors());
    hottest.conflicts = std::max(hottest.conflicts, line.conflicts());
    hottest.divergent = std::max(hottest.divergent, line.divergent());
    hottest.all_instructions += line.instructions();
  }
  return hottest;
}

PageData counted(const LineCounters& line, const Hottest& hottest) {
  PageData row(PageData::type::object);
  row.set("heat",
          fmt::format("--hi:{:.2f};--hs:{:.2f};--hc:{:.2f};--hd:{:.2f}",
                      line.instructions() / hottest.instructions, line.sectors() / hottest.sectors,
                      line.conflicts() / hottest.conflicts, line.divergent() / hottest.divergent));
  const double share =
      hottest.all_instructions > 0 ? 100 * line.instructions() / hottest.all_instructions : 0;
  row.set("share", share >= 0.95 ? fmt::format("{:.0f} %", share) : std::string("< 1 %"));
  PageData remarks(PageData::type::list);
  for (const std::string& remark : line.remarks()) {
    remarks.push_back(texts({{"remark", remark}}));
  }
  row.set("remarks", std::move(remarks));
  PageData numbers(PageData::type::list);
  for (const LineCounters::Number& n : line.numbers(hottest.all_instructions)) {
    numbers.push_back(texts({{"label", n.label}, {"value", n.value}, {"meaning", n.meaning}}));
  }
  row.set("numbers", std::move(numbers));
  return row;
}

/// The PTX of a line, with how often warps executed each instruction.
using LinePtx = std::map<std::pair<std::string, std::uint32_t>, PageData>;

LinePtx ptx_of(const Grade& grade) {
  LinePtx ptx;
  std::size_t count = 0;
  for (const KernelReport& kernel : grade.kernels) {
    for (const warpsim::InstructionReport& one : kernel.instructions) {
      if (++count > kMostInstructions) return ptx;
      const auto executed = one.counters.find("smsp__inst_executed.sum");
      PageData& rows =
          ptx.try_emplace({one.file, one.line}, PageData(PageData::type::list)).first->second;
      rows.push_back(
          texts({{"instruction", one.text},
                 {"executed", executed == one.counters.end() ? "0" : grouped(executed->second)}}));
    }
  }
  return ptx;
}

/// The kinds of findings at each line, as one text.
using Marks = std::map<std::pair<std::string, std::uint32_t>, std::string>;

Marks marks_of(const Grade& grade) {
  Marks marks;
  for (const ReportedFinding& finding : grade.findings) {
    for (const FindingPlace& place : places_of(finding)) {
      std::string& text = marks[{place.file, place.line}];
      if (text.find(finding.kind) == std::string::npos) {
        text += (text.empty() ? "" : ", ") + finding.kind;
      }
    }
  }
  return marks;
}

}  // namespace

std::vector<FindingPlace> places_of(const ReportedFinding& finding) {
  std::vector<FindingPlace> places;
  const std::size_t parties = finding.who.find("; block ");
  if (!finding.file.empty() && finding.line > 0) {
    places.push_back({finding.file, finding.line, finding.who.substr(0, parties)});
  }
  static const std::regex other(R"(the other access: ([^:]+):([0-9]{1,7}):)");
  std::smatch match;
  if (std::regex_search(finding.got, match, other)) {
    places.push_back({match[1].str(), static_cast<std::uint32_t>(std::stoul(match[2].str())),
                      parties == std::string::npos ? "" : finding.who.substr(parties + 2)});
  }
  return places;
}

PageData excerpt(const Grade& grade, const FindingPlace& place) {
  PageData lines(PageData::type::list);
  for (const SourceFile& source : grade.sources) {
    if (source.name != place.file) {
      continue;
    }
    const std::vector<std::string_view> all = split_lines(source.text);
    const std::uint32_t first = place.line > kContext ? place.line - kContext : 1;
    for (std::uint32_t no = first; no <= place.line + kContext && no <= all.size(); ++no) {
      PageData row(PageData::type::object);
      row.set("no", std::to_string(no));
      row.set("text", line_text(all[no - 1]));
      row.set("marked", no == place.line);
      lines.push_back(std::move(row));
    }
    break;
  }
  return lines;
}

PageData source_files(const Grade& grade) {
  const SourceCounters counters = count_lines(grade.kernels);
  const Hottest hottest = hottest_of(counters);
  const Marks marks = marks_of(grade);
  const LinePtx ptx = ptx_of(grade);
  PageData files(PageData::type::list);
  std::size_t bytes = 0;
  for (const SourceFile& source : grade.sources) {
    PageData lines(PageData::type::list);
    const std::vector<std::string_view> all = split_lines(source.text);
    std::size_t shown_lines = 0;
    for (; shown_lines < std::min(kMostLines, all.size()) && bytes < kMostBytes; ++shown_lines) {
      const auto number = static_cast<std::uint32_t>(shown_lines + 1);
      const std::string text = line_text(all[shown_lines]);
      bytes += text.size();
      PageData row(PageData::type::object);
      row.set("no", std::to_string(number));
      row.set("text", text);
      const auto mark = marks.find({source.name, number});
      row.set("marked", mark != marks.end());
      if (mark != marks.end()) {
        row.set("mark", shown(mark->second, 200));
      }
      const auto it = counters.find({source.name, number});
      if (it != counters.end()) {
        row.set("counted", counted(it->second, hottest));
      } else {
        row.set("counted", false);
      }
      if (!ptx.empty()) {
        const auto compiled = ptx.find({source.name, number});
        set_list(row, "ptx",
                 compiled == ptx.end() ? PageData(PageData::type::list) : compiled->second);
      }
      lines.push_back(std::move(row));
    }
    PageData file = texts({{"name", source.name}});
    set_text(file, "left_out",
             shown_lines < all.size()
                 ? fmt::format("{} more lines are not shown here.", all.size() - shown_lines)
                 : std::string());
    file.set("lines", std::move(lines));
    files.push_back(std::move(file));
  }
  return files;
}

}  // namespace warpgrade
