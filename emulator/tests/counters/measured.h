#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

// What a card measured of kernels, from tables beside the tests, and what the emulator counts of
// them.

namespace measured {

/// Rows of a table by column: cells separated by semicolons, the first line their names.
inline std::vector<std::map<std::string, std::string>> rows_of(const std::string& name) {
  std::ifstream table(std::string(WARPSIM_REPOSITORY) + "/emulator/tests/counters/" + name);
  const auto split = [](const std::string& line) {
    std::vector<std::string> cells;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, ';');) cells.push_back(cell);
    if (line.ends_with(';')) cells.emplace_back();
    return cells;
  };
  std::string line;
  std::getline(table, line);
  const std::vector<std::string> head = split(line);
  std::vector<std::map<std::string, std::string>> rows;
  while (std::getline(table, line)) {
    const std::vector<std::string> cells = split(line);
    if (cells.size() != head.size()) throw std::runtime_error(name + ": " + line);
    rows.emplace_back();
    for (std::size_t i = 0; i < cells.size(); ++i) rows.back()[head[i]] = cells[i];
  }
  return rows;
}

/// "copy<32, 22>" of "void (anonymous namespace)::copy<32, 22>(float const*, float*)"
inline std::string short_name(std::string name) {
  if (name.starts_with("void ")) name.erase(0, 5);
  const std::string unnamed = "(anonymous namespace)::";
  for (std::size_t at; (at = name.find(unnamed)) != name.npos;) name.erase(at, unnamed.size());
  return name.substr(0, name.find('('));
}

/// Runs a test program under warpsim, with a card and options, and reads the report. Only counters
/// are looked at: some of the kernels write one place from several threads on purpose.
/// @throws std::runtime_error  with the command, if it fails
inline nlohmann::json report_of(const std::string& program, std::string options) {
  if (options.find("--check") == options.npos) options += " --check cache";
  namespace fs = std::filesystem;
  const fs::path file = fs::temp_directory_path() /
                        ("measured." + program + "." + std::to_string(::getpid()) + ".json");
  const std::string command = std::string("'") + WARPSIM_LAUNCHER + "' --quiet --json '" +
                              file.string() + "' " + options + " -- '" + WARPSIM_PROGRAMS +
                              "/counters_" + program + "' > /dev/null";
  const int status = std::system(command.c_str());
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw std::runtime_error(command);
  std::ifstream stream(file);
  nlohmann::json report = nlohmann::json::parse(stream);
  fs::remove(file);
  return report;
}

/// The kernels of a report by short name.
inline std::map<std::string, nlohmann::json> kernels_of(const nlohmann::json& report) {
  std::map<std::string, nlohmann::json> kernels;
  for (const nlohmann::json& kernel : report.at("kernels")) {
    kernels[short_name(kernel.at("name"))] = kernel;
  }
  return kernels;
}

/// Counters of each kernel of a test program on the emulated H200, by its short name.
inline std::map<std::string, std::map<std::string, double>> counters_of(
    const std::string& program) {
  std::map<std::string, std::map<std::string, double>> counters;
  for (const auto& [name, kernel] : kernels_of(report_of(program, "--card h200"))) {
    counters[name] = kernel.at("counters");
  }
  return counters;
}

}  // namespace measured
