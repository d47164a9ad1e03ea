#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

// Runs one half of a pair under warpsim and holds the report against the comments of its source:
//
//   checker_test <warpsim> <program> <source.cu> bug|clean <report.json>
//
// See pair.h for what the comments say. Exit status 0 when every expected finding is there and
// nothing else is.

namespace {

using nlohmann::json;

constexpr unsigned kAnyLine = ~0u;

struct Expected {
  std::string kind;
  std::string severity;
  unsigned line = 0;  // 0: in host code; kAnyLine: not checked
  std::string pitfall;  // empty: not checked
  std::string detail;  // what the finding's must be; "-" for none, empty: not checked
};

struct Expectations {
  std::vector<Expected> findings;
  std::vector<std::string> options;  // for warpsim
  std::string status;
};

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> out;
  for (std::string word; in >> word;) out.push_back(word);
  return out;
}

/// The text behind `key` in a line, if it is there.
bool after(const std::string& line, std::string_view key, std::string& rest) {
  const std::size_t at = line.find(key);
  if (at == std::string::npos) return false;
  rest = line.substr(at + key.size());
  return true;
}

Expectations read_expectations(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot read " + path);
  Expectations out;
  unsigned number = 0;
  for (std::string line, rest; std::getline(in, line);) {
    ++number;
    const auto expect = [&](std::string_view key, const char* severity, unsigned at) {
      if (!after(line, key, rest)) return;
      const std::vector<std::string> said = words(rest);
      const bool names = said.size() > 1 && said[1].starts_with('P');
      const std::string detail = after(line, "// detail: ", rest) ? words(rest).at(0) : "";
      out.findings.push_back({said.at(0), severity, at, names ? said[1] : "", detail});
    };
    expect("// expect: ", "error", number);
    expect("// expect warning: ", "warning", number);
    expect("// expect note: ", "note", number);
    expect("// expect on the host: ", "error", 0);
    expect("// expect on the host warning: ", "warning", 0);
    expect("// expect anywhere: ", "error", kAnyLine);
    if (after(line, "// options: ", rest)) out.options = words(rest);
    if (after(line, "// status: ", rest)) out.status = rest;
  }
  if (out.findings.empty()) throw std::runtime_error(path + " expects nothing");
  return out;
}

/// Runs a command and says how it ended: "0", "99", "signal 11".
std::string run(const std::vector<std::string>& command) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot start a process");
  if (child == 0) {
    std::vector<char*> arguments;
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child) throw std::runtime_error("lost the process");
  if (WIFSIGNALED(status)) return fmt::format("signal {}", WTERMSIG(status));
  return std::to_string(WEXITSTATUS(status));
}

std::string describe(const json& finding) {
  return fmt::format("{} {} at {}:{}\n    {}\n    where {}", finding["severity"].get<std::string>(),
                     finding["kind"].get<std::string>(), finding["file"].get<std::string>(),
                     finding["line"].get<unsigned>(), finding["message"].get<std::string>(),
                     finding["where"].get<std::string>());
}

std::string describe(const Expected& expected) {
  const std::string place = expected.line == 0          ? "on the host"
                            : expected.line == kAnyLine ? "on any line"
                                                        : fmt::format("on line {}", expected.line);
  return fmt::format("{} {} {} {}", expected.severity, expected.kind, expected.pitfall, place);
}

bool matches(const json& finding, const Expected& expected, const std::string& source) {
  if (finding["kind"] != expected.kind || finding["severity"] != expected.severity) return false;
  if (!expected.pitfall.empty() && finding["pitfall"] != expected.pitfall) return false;
  const std::string detail = expected.detail == "-" ? "" : expected.detail;
  if (!expected.detail.empty() && finding["detail"] != detail) return false;
  if (expected.line == kAnyLine) return true;
  // Host code has lines where it was compiled with line tables, and no thread of the device.
  if (expected.line == 0) return finding["who"].get<std::string>().empty();
  if (finding["line"] != expected.line) return false;
  const std::filesystem::path file = finding["file"].get<std::string>();
  return file.filename() == std::filesystem::path(source).filename();
}

/// A finding must also be of use: every part of it says something.
std::string missing_part(const json& finding) {
  for (const char* part : {"message", "where", "got", "want", "next"}) {
    if (finding[part].get<std::string>().empty()) return part;
  }
  if (finding["where"].get<std::string>().ends_with(',')) return "where, which is cut off";
  return "";
}

/// What differs between the report and the expectations; empty when nothing does.
std::vector<std::string> compare(const json& report, std::vector<Expected> expected,
                                 const std::string& source) {
  std::vector<std::string> differences;
  for (const json& finding : report["findings"]) {
    if (const std::string part = missing_part(finding); !part.empty()) {
      differences.push_back(fmt::format("no \"{}\" in: {}", part, describe(finding)));
    }
    const auto it = std::find_if(expected.begin(), expected.end(),
                                 [&](const Expected& e) { return matches(finding, e, source); });
    if (it == expected.end()) {
      differences.push_back("not expected: " + describe(finding));
      continue;
    }
    expected.erase(it);
  }
  for (const Expected& e : expected) differences.push_back("not reported: " + describe(e));
  return differences;
}

int check(const std::string& warpsim, const std::string& program, const std::string& source,
          const std::string& half, const std::string& report_path) {
  Expectations expectations = read_expectations(source);
  if (half == "clean") {
    expectations.findings.clear();
    expectations.status = "0";
  }
  const bool errors = std::any_of(expectations.findings.begin(), expectations.findings.end(),
                                  [](const Expected& e) { return e.severity == "error"; });
  if (expectations.status.empty()) expectations.status = errors ? "99" : "0";

  std::filesystem::remove(report_path);
  std::vector<std::string> command = {warpsim, "--json", report_path};
  command.insert(command.end(), expectations.options.begin(), expectations.options.end());
  command.insert(command.end(), {"--", program, half});
  const std::string status = run(command);

  std::vector<std::string> differences;
  if (status != expectations.status) {
    differences.push_back(fmt::format("ended with {}, want {}", status, expectations.status));
  }
  std::ifstream in(report_path);
  if (in) {
    const auto more = compare(json::parse(in), expectations.findings, source);
    differences.insert(differences.end(), more.begin(), more.end());
  } else {
    differences.push_back("no report was written");
  }
  for (const std::string& difference : differences) std::printf("%s\n", difference.c_str());
  if (differences.empty()) std::printf("ok\n");
  return differences.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() != 5 || (arguments[3] != "bug" && arguments[3] != "clean")) {
    std::fprintf(stderr,
                 "usage: checker_test <warpsim> <program> <source.cu> bug|clean <report.json>\n");
    return 2;
  }
  try {
    return check(arguments[0], arguments[1], arguments[2], arguments[3], arguments[4]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "checker_test: %s\n", error.what());
    return 1;
  }
}
