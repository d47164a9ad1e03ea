#include "grader/labimport/libwb_folder.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/text.h"
#include "grader/process/process.h"

namespace warpgrade {
namespace fs = std::filesystem;
using nlohmann::json;
namespace {

constexpr std::array kDataFolders = {"data", "Dataset", "dataset", "Data", "datasets"};
constexpr std::array kGenerators = {"dataset_generator.cpp", "dataset_generator.c",
                                    "DatasetGenerator.cpp", "generator.cpp"};
constexpr std::array kDescriptions = {"description.markdown", "description.md", "README.md",
                                      "README.markdown"};
constexpr std::chrono::seconds kGeneratorLimit{120};
constexpr std::uintmax_t kLargestFile = std::uintmax_t{64} << 20;

template <class Names>
std::optional<fs::path> first_of(const fs::path& folder, const Names& names) {
  std::error_code error;
  for (const char* name : names) {
    if (fs::is_regular_file(folder / name, error)) return folder / name;
  }
  return std::nullopt;
}

bool is_number(const std::string& name) {
  return !name.empty() && name.size() <= 6 &&
         std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Folders with numbers as names, in numerical order.
std::vector<fs::path> numbered_folders(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.is_directory(error) && is_number(entry.path().filename().string())) {
      found.push_back(entry.path());
    }
  }
  std::sort(found.begin(), found.end(), [](const fs::path& a, const fs::path& b) {
    return std::stol(a.filename().string()) < std::stol(b.filename().string());
  });
  return found;
}

/// The folder with numbered datasets: one of the usual names, or `folder` itself.
fs::path find_data(const fs::path& folder) {
  for (const char* name : kDataFolders) {
    if (!numbered_folders(folder / name).empty()) return folder / name;
  }
  return numbered_folders(folder).empty() ? fs::path() : folder;
}

LibwbFile read_data_file(const fs::path& file) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(file, error);
  if (error || !fs::is_regular_file(file, error)) {
    throw UsageError(fmt::format("{} cannot be read; nothing was imported", file.string()));
  }
  if (size > kLargestFile) {
    throw UsageError(
        fmt::format("{} has {} MiB; a dataset's file may have {}; leave that dataset "
                    "out. Nothing was imported",
                    file.string(), size >> 20, kLargestFile >> 20));
  }
  return {.name = file.filename().string(), .text = read_file(file)};
}

LibwbDataset read_dataset(const fs::path& folder) {
  std::vector<fs::path> inputs;
  std::vector<fs::path> outputs;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (!entry.is_regular_file(error) || name.starts_with(".")) continue;
    (name.starts_with("output") || name.starts_with("expected") ? outputs : inputs)
        .push_back(entry.path());
  }
  std::sort(inputs.begin(), inputs.end());
  if (outputs.size() != 1 || inputs.empty()) {
    throw UsageError(fmt::format(
        "{} has {} inputs and {} files output.*; one output and at least one input are expected. "
        "Nothing was imported",
        folder.string(), inputs.size(), outputs.size()));
  }
  LibwbDataset data;
  data.name = folder.filename().string();
  for (const fs::path& input : inputs) data.inputs.push_back(read_data_file(input));
  data.output = read_data_file(outputs.front());
  return data;
}

/// Compiles and runs the generator in a scratch folder; its datasets are found wherever it puts
/// them in there.
std::vector<LibwbDataset> generate(const fs::path& generator, const Installation& installation) {
  const ScratchFolder scratch;
  const fs::path program = scratch.path() / "generator";
  ProcessSpec compile;
  compile.argv = {"g++",
                  "-x",
                  "c++",
                  "-O1",
                  "-w",
                  "-I",
                  installation.wb_header.string(),
                  generator.string(),
                  "-o",
                  program.string()};
  compile.environment = base_environment();
  compile.limits.wall = kGeneratorLimit;
  const ProcessResult compiled = run_process(compile);
  if (compiled.end == ProcessEnd::not_started) {
    throw EnvironmentError(
        "g++ was not found, which compiles dataset_generator.cpp; install it "
        "(on Debian and Ubuntu: package g++)");
  }
  if (!compiled.ok()) {
    throw UsageError(
        fmt::format("{} does not compile: {}. Put datasets into data/0, data/1, ... "
                    "instead. Nothing was imported",
                    generator.string(), one_line(compiled.err.substr(0, 300))));
  }
  ProcessSpec run;
  run.argv = {program.string()};
  run.folder = scratch.path() / "made";
  fs::create_directories(run.folder);
  run.environment = base_environment();
  run.limits.wall = kGeneratorLimit;
  run.limits.file_bytes = kLargestFile;
  const ProcessResult made = run_process(run);
  if (!made.ok()) {
    throw UsageError(fmt::format("{} {}; nothing was imported", generator.string(),
                                 describe_end(made, run.limits)));
  }
  std::vector<LibwbDataset> datasets;
  std::error_code error;
  fs::path data = find_data(run.folder);
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(run.folder, error)) {
    if (data.empty() && entry.is_directory(error)) data = find_data(entry.path());
  }
  for (const fs::path& folder : data.empty() ? std::vector<fs::path>() : numbered_folders(data)) {
    datasets.push_back(read_dataset(folder));
  }
  if (datasets.empty()) {
    throw UsageError(
        fmt::format("{} ran and made no folders 0, 1, ... with input* and output*; "
                    "nothing was imported",
                    generator.string()));
  }
  return datasets;
}

/// A title from "VectorAdd" or "vector_add".
std::string title_of(const fs::path& folder) {
  std::string name = folder.filename().string();
  std::string title;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool is_upper = name[i] >= 'A' && name[i] <= 'Z';
    const bool after_lower = i > 0 && name[i - 1] >= 'a' && name[i - 1] <= 'z';
    if (is_upper && after_lower) title += ' ';
    title += name[i] == '_' || name[i] == '-' ? ' ' : name[i];
  }
  return printable(title);
}

/// config.json: name, output_type, and for each dataset its score and files.
void read_config(const fs::path& file, const fs::path& data, LibwbFolder& lab) {
  json config;
  try {
    config = json::parse(read_file(file));
    if (config.contains("name")) lab.title = printable(config.at("name").get<std::string>());
    lab.type = config.value("output_type", "");
    if (!config.contains("data") || data.empty()) return;
    for (const json& row : config.at("data")) {
      LibwbDataset dataset;
      const auto place = [&](const json& name) {
        const fs::path relative = name.get<std::string>();
        if (relative.is_absolute() || relative.string().find("..") != std::string::npos) {
          throw UsageError(fmt::format("{} names {}, outside of its data; nothing was imported",
                                       file.string(), printable(relative.string())));
        }
        dataset.name = relative.parent_path().filename().string();
        return data / relative;
      };
      for (const json& input : row.at("input"))
        dataset.inputs.push_back(read_data_file(place(input)));
      dataset.output = read_data_file(place(row.at("output")));
      dataset.score = row.value("score", 1.0);
      lab.has_scores = lab.has_scores || row.contains("score");
      lab.datasets.push_back(std::move(dataset));
    }
  } catch (const json::exception& error) {
    throw UsageError(
        fmt::format("{} is not a config.json of libwb's labs: {}; correct or remove "
                    "it. Nothing was imported",
                    file.string(), one_line(error.what())));
  }
}

}  // namespace

LibwbFolder read_libwb_folder(const fs::path& folder, const Installation& installation) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    throw UsageError(fmt::format("there is no folder '{}'", printable(folder.string())));
  }
  const auto stub = first_of(folder, std::array{"template.cu"});
  const auto solution = first_of(folder, std::array{"solution.cu"});
  const fs::path data = find_data(folder);
  const auto generator = first_of(folder, kGenerators);
  std::vector<std::string> missing;
  if (!stub) missing.emplace_back("template.cu");
  if (data.empty() && !generator) {
    missing.emplace_back(
        "datasets (data/0/input.raw and output.raw, ...) or "
        "dataset_generator.cpp");
  }
  if (!missing.empty()) {
    throw UsageError(fmt::format(
        "'{}' is not the folder of a lab with libwb: it lacks {}. Such a folder has template.cu, "
        "solution.cu, description.markdown, and datasets or their generator; nothing was imported",
        printable(folder.string()), join_and(missing)));
  }
  LibwbFolder lab;
  lab.title = title_of(fs::absolute(folder / ".").lexically_normal().parent_path());
  lab.stub = read_file(*stub);
  if (solution) lab.solution = read_file(*solution);
  if (const auto text = first_of(folder, kDescriptions)) lab.handout = read_file(*text);
  if (const auto config = first_of(folder, std::array{"config.json"})) {
    read_config(*config, data, lab);
  }
  if (lab.datasets.empty()) {
    for (const fs::path& one : data.empty() ? std::vector<fs::path>() : numbered_folders(data)) {
      lab.datasets.push_back(read_dataset(one));
    }
  }
  if (lab.datasets.empty()) {
    lab.datasets = generate(*generator, installation);
    lab.generated = true;
  }
  return lab;
}

}  // namespace warpgrade
