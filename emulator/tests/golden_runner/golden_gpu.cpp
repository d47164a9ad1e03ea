#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <map>

#include "emulator/tests/golden_runner/form_module.h"
#include "emulator/tests/golden_runner/runner.h"

// Runs the goldens on a real GPU, or under the emulator to compare. Exit codes: 0 all agree, 1 some
// do not, 2 usage, 77 no GPU.

namespace warpsim::golden {
namespace {

int run_on(const std::string& device, const std::vector<std::filesystem::path>& files) {
  std::string why_not;
  const auto backend = device == "cuda" ? make_cuda_backend(why_not) : make_emulator_backend();
  if (backend == nullptr) {
    fmt::print("skipped: {}\n", why_not);
    return 77;
  }
  std::size_t ran = 0;
  std::size_t skipped = 0;
  std::size_t failures = 0;
  for (const auto& file : files) {
    const Outcome outcome = run_golden(file, *backend);
    fmt::print("{}: {} ran, {} skipped, {} failures\n", file.filename().string(), outcome.ran,
               outcome.skipped, outcome.failures.size());
    for (const std::string& failure : outcome.failures) fmt::print("{}\n", failure);
    ran += outcome.ran;
    skipped += outcome.skipped;
    failures += outcome.failures.size();
  }
  fmt::print("{} forms and launches ran, {} need another GPU, {} failures\n", ran, skipped,
             failures);
  return failures == 0 && ran > 0 ? 0 : 1;
}

/// Writes the generated modules, one a file and target, for ptxas or a look.
int write_modules(const std::vector<std::filesystem::path>& files,
                  const std::filesystem::path& folder) {
  for (const auto& file : files) {
    if (file.extension() != ".golden") continue;
    std::map<std::string, std::vector<Entry>> by_target;
    const FormFile golden = read_form_file(file);
    for (std::size_t i = 0; i < golden.forms.size(); ++i) {
      auto& group = by_target[golden.forms[i].target.architecture];
      for (Entry& entry : entries(golden.forms[i], i)) group.push_back(std::move(entry));
    }
    for (const auto& [architecture, group] : by_target) {
      const std::string name = fmt::format("{}.{}.ptx", file.stem().string(), architecture);
      std::ofstream(folder / name) << make_module(group);
    }
  }
  return 0;
}

}  // namespace
}  // namespace warpsim::golden

int main(int argc, char** argv) {
  using namespace warpsim::golden;
  CLI::App app{"Runs golden tests of PTX instructions on a GPU."};
  std::vector<std::filesystem::path> paths;
  std::filesystem::path folder;
  app.add_option("goldens", paths, "golden files, or folders of them")->required();
  std::string device = "cuda";
  app.add_option("--device", device, "cuda or emulator")
      ->check(CLI::IsMember({"cuda", "emulator"}));
  app.add_option("--write-ptx", folder, "write the generated modules to this folder instead");
  try {
    app.parse(argc, argv);
    std::vector<std::filesystem::path> files;
    for (const auto& path : paths) {
      const bool is_folder = std::filesystem::is_directory(path);
      const auto found = is_folder ? golden_files(path) : std::vector{path};
      files.insert(files.end(), found.begin(), found.end());
    }
    return folder.empty() ? run_on(device, files) : write_modules(files, folder);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
