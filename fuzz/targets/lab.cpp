#include "harness/lab/lab.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "fuzz/input.h"

// A lab.toml, formulas included, beside a data set that is right.

namespace {

namespace fs = std::filesystem;

/// A tree with one lab, for the life of the process.
class Root {
 public:
  Root() : path_(fs::temp_directory_path() / ("fuzz-lab-" + std::to_string(::getpid()))) {
    fs::create_directories(path_ / "datasets");
    fs::create_directories(lab());
    fs::copy_file(fs::path(WARPGRADE_SOURCE_ROOT) / "datasets/vecadd.toml",
                  path_ / "datasets/vecadd.toml");
  }
  Root(const Root&) = delete;
  Root& operator=(const Root&) = delete;
  ~Root() { fs::remove_all(path_); }

  [[nodiscard]] fs::path lab() const { return path_ / "labs/vecadd"; }

 private:
  fs::path path_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Root root;
  std::ofstream(root.lab() / "lab.toml", std::ios::binary) << fuzz::text_of(data, size);
  try {
    (void)warpgrade::missing_categories(warpgrade::load_lab(root.lab()));
  } catch (const warpgrade::LabError&) {
  }
  try {
    const warpgrade::Expression formula(fuzz::text_of(data, size));
    (void)formula.evaluate([](std::string_view) { return 3.0; });
  } catch (const warpgrade::ExpressionError&) {
  }
  return 0;
}
