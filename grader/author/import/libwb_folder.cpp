#include "grader/author/import/libwb_folder.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "grader/author/import/libwb_handout.h"
#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/text.h"
#include "grader/process/process.h"
#include "harness/core/plural.h"

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

/// A dataset's folder by the last of its names: "data/3".
std::string name_of(const fs::path& folder) {
  return printable((folder.parent_path().filename() / folder.filename()).string());
}

/// @returns nothing if files are missing; then the decisions say which
std::optional<LibwbDataset> read_dataset(const fs::path& folder,
                                         std::vector<std::string>& decisions) {
  std::vector<fs::path> inputs;
  std::vector<fs::path> outputs;
  std::vector<fs::path> expected;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (!entry.is_regular_file(error) || name.starts_with(".")) continue;
    (name.starts_with("output")   ? outputs
     : name.starts_with("expect") ? expected
                                  : inputs)
        .push_back(entry.path());
  }
  std::sort(inputs.begin(), inputs.end());
  if (!expected.empty()) {
    // Then output.* is what some program has left there.
    for (const fs::path& output : outputs) {
      decisions.push_back(fmt::format("{}/{}: it was left out, because {} is the expected output",
                                      name_of(folder), printable(output.filename().string()),
                                      printable(expected.front().filename().string())));
    }
    outputs = expected;
  }
  if (outputs.size() != 1 || inputs.empty()) {
    decisions.push_back(fmt::format(
        "{}: it was left out, because it has {} and {}; add what is missing, one output and at "
        "least one input",
        name_of(folder), plural(inputs.size(), "input"),
        plural(outputs.size(), "expected output")));
    return std::nullopt;
  }
  LibwbDataset data;
  data.name = folder.filename().string();
  for (const fs::path& input : inputs) data.inputs.push_back(read_data_file(input));
  data.output = read_data_file(outputs.front());
  return data;
}

/// The first line that a compiler calls an error, else the first one.
std::string first_error(std::string_view messages) {
  const std::vector<std::string_view> lines = split_lines(messages);
  for (const std::string_view line : lines) {
    if (line.find("error:") != std::string_view::npos) return in_one_line(line);
  }
  return lines.empty() ? "the compiler says nothing" : in_one_line(lines.front());
}

/// Compiles and runs the generator in a scratch folder.
/// @returns the folder of its datasets, wherever it puts them in there
fs::path generate(const fs::path& generator, const Installation& installation,
                  const fs::path& scratch) {
  const fs::path program = scratch / "generator";
  // Old generators are C, and some of them are no C++; those with wb.h are.
  const std::string source = read_file(generator);
  const bool is_c = generator.extension() == ".c" && source.find("wb.h") == std::string::npos &&
                    source.find("gputk.h") == std::string::npos;
  ProcessSpec compile;
  compile.argv = {"g++",
                  "-x",
                  is_c ? "c" : "c++",
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
                    generator.string(), first_error(compiled.err)));
  }
  ProcessSpec run;
  run.argv = {program.string()};
  run.folder = scratch / "made";
  fs::create_directories(run.folder);
  run.environment = base_environment();
  run.limits.wall = kGeneratorLimit;
  run.limits.file_bytes = kLargestFile;
  const ProcessResult made = run_process(run);
  if (!made.ok()) {
    throw UsageError(fmt::format(
        "{} {}. Correct it, or put datasets into data/0, data/1, ... instead. Nothing was imported",
        generator.string(), describe_end(made, run.limits)));
  }
  std::error_code error;
  fs::path data = find_data(run.folder);
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(run.folder, error)) {
    if (data.empty() && entry.is_directory(error)) data = find_data(entry.path());
  }
  if (data.empty()) {
    throw UsageError(
        fmt::format("{} ran and made no folders 0, 1, ... with input* and output*; "
                    "nothing was imported",
                    generator.string()));
  }
  return data;
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
  return in_one_line(title);
}

/// Only names of types of libwb, as "integral_vector", are written into lab.toml.
bool is_type(const std::string& type) {
  return !type.empty() && std::all_of(type.begin(), type.end(),
                                      [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
}

/// config.json: name, output_type, and for each dataset its score and files.
void read_config(const fs::path& file, const fs::path& data, LibwbFolder& lab) {
  const std::string text = read_file(file);
  if (trimmed(text, " \t\r\n").empty()) {
    lab.decisions.emplace_back(
        "config.json: it is empty, so the title, the weights of the datasets and the type of the "
        "result were assumed");
    return;
  }
  json config;
  try {
    config = json::parse(text);
    if (config.contains("name")) lab.title = in_one_line(config.at("name").get<std::string>());
    lab.type = config.value("output_type", "");
    if (!lab.type.empty() && !is_type(lab.type)) {
      lab.decisions.push_back(fmt::format(
          "config.json: its output_type '{}' is not a type of libwb, and another one was assumed",
          in_one_line(lab.type)));
      lab.type.clear();
    }
    if (!config.contains("data")) return;
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
      std::vector<json> names = {row.at("output")};
      for (const json& input : row.at("input")) names.push_back(input);
      const auto missing = std::find_if(names.begin(), names.end(),
                                        [&](const json& name) { return !fs::exists(place(name)); });
      if (missing != names.end()) {
        lab.decisions.push_back(
            fmt::format("config.json: it names {}, which is not there; the dataset was left out",
                        printable(missing->get<std::string>())));
        continue;
      }
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
                    file.string(), in_one_line(error.what())));
  }
}

/// What else such folders have, and no part of a lab is made of.
void name_the_rest(const fs::path& folder, LibwbFolder& lab) {
  std::error_code error;
  for (const char* name : {"questions.json", "answers.json"}) {
    if (!fs::exists(folder / name, error)) continue;
    lab.decisions.push_back(
        fmt::format("{}: its questions are not imported; those worth points can be [[question]] "
                    "tables (docs/adding-a-lab.md)",
                    name));
  }
}

void read_handout(const fs::path& folder, const fs::path& description, LibwbFolder& lab) {
  LibwbHandout handout = handout_of(read_file(description), folder);
  if (!handout.title.empty()) lab.title = handout.title;
  lab.handout = handout.title.empty() ? std::move(handout.text)
                                      : fmt::format("# {}\n\n{}", lab.title, handout.text);
  for (const fs::path& file : handout.linked) {
    LibwbFile linked = read_data_file(folder / file);
    linked.name = file.string();
    lab.linked.push_back(std::move(linked));
  }
  lab.decisions.insert(lab.decisions.end(), handout.decisions.begin(), handout.decisions.end());
}

}  // namespace

LibwbFolder read_libwb_folder(const fs::path& folder, const Installation& installation) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    throw UsageError(fmt::format("there is no folder '{}'", printable(folder.string())));
  }
  const auto stub = first_of(folder, std::array{"template.cu"});
  const auto solution = first_of(folder, std::array{"solution.cu"});
  fs::path data = find_data(folder);
  const auto generator = first_of(folder, kGenerators);
  if (const auto other = first_of(folder, std::array{"template.cpp", "template.c"});
      other && !stub) {
    throw UsageError(fmt::format(
        "'{}' has {} and no template.cu: a lab in OpenCL, OpenACC or MPI cannot be graded; nothing "
        "was imported",
        printable(folder.string()), other->filename().string()));
  }
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
  if (const auto text = first_of(folder, kDescriptions)) read_handout(folder, *text, lab);
  std::optional<ScratchFolder> scratch;
  if (data.empty()) {
    data = generate(*generator, installation, scratch.emplace().path());
    lab.generated = true;
  }
  if (const auto config = first_of(folder, std::array{"config.json"})) {
    read_config(*config, data, lab);
  }
  if (lab.datasets.empty()) {
    for (const fs::path& one : numbered_folders(data)) {
      if (auto dataset = read_dataset(one, lab.decisions)) {
        lab.datasets.push_back(*std::move(dataset));
      }
    }
  }
  if (lab.datasets.empty()) {
    throw UsageError(
        fmt::format("no dataset of '{}' is complete; {}. Nothing was "
                    "imported",
                    printable(folder.string()), lab.decisions.back()));
  }
  name_the_rest(folder, lab);
  return lab;
}

}  // namespace warpgrade
