#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch_session.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/internal/catch_test_registry.hpp>
#include <map>
#include <sstream>

#include "emulator/isa/row.h"
#include "emulator/tests/golden_runner/expand.h"
#include "emulator/tests/golden_runner/runner.h"

// One test case a golden file, on the emulator, and one that finds forms without a golden.

namespace warpsim::golden {
namespace {

class FileTest : public Catch::ITestInvoker {
 public:
  explicit FileTest(std::filesystem::path path) : path_(std::move(path)) {}

  void invoke() const override {
    const auto backend = make_emulator_backend();
    const Outcome outcome = run_golden(path_, *backend);
    CHECK(outcome.ran > 0);
    for (const std::string& failure : outcome.failures) FAIL_CHECK(failure);
  }

 private:
  std::filesystem::path path_;
};

/// A form's opcode with its modifiers as a set: PTX allows some orders to differ ("vote.sync.any",
/// "vote.any.sync"), but never that of types.
std::string normalized(const std::string& opcode) {
  std::vector<std::string> qualifiers;
  std::string types;
  std::istringstream stream(opcode);
  std::string base;
  std::getline(stream, base, '.');
  for (std::string part; std::getline(stream, part, '.');) {
    if (ptx::parse_type(part)) {
      types += "." + part;
    } else {
      qualifiers.push_back(part);
    }
  }
  std::sort(qualifiers.begin(), qualifiers.end());
  for (const std::string& qualifier : qualifiers) base += "." + qualifier;
  return base + types;
}

TEST_CASE("every form in the instruction table is executed by a golden", "[golden][coverage]") {
  std::set<std::string> executed;
  for (const auto& path : golden_files(WARPSIM_GOLDEN_FOLDER)) {
    for (const std::string& opcode : executed_opcodes(path)) executed.insert(normalized(opcode));
  }
  std::map<std::string, std::string> missing;  // normalized to written
  for (const Family& family : instruction_table(SimdLevel::baseline)) {
    for (const Row& row : family) {
      if (!row.unsupported.empty()) continue;
      if (!row.proven_by.empty()) {
        const auto root = std::filesystem::path(WARPSIM_GOLDEN_FOLDER) / "../../..";
        INFO(row.name);
        CHECK(std::filesystem::exists(root / row.proven_by));
        continue;
      }
      std::istringstream lines{std::string(row.forms)};
      for (std::string line; std::getline(lines, line);) {
        for (const Expansion& form : expand(line)) {
          const std::string opcode = opcodes(form.text).at(0);
          if (!executed.contains(normalized(opcode))) missing.emplace(normalized(opcode), opcode);
        }
      }
    }
  }
  for (const auto& [key, opcode] : missing) UNSCOPED_INFO(opcode);
  CHECK(missing.size() == 0);
}

void register_files() {
  for (const auto& path : golden_files(WARPSIM_GOLDEN_FOLDER)) {
    const std::string name = path.filename().string() + " agrees with the emulator";
    Catch::AutoReg(Catch::Detail::make_unique<FileTest>(path), Catch::SourceLineInfo("golden", 1),
                   {}, Catch::NameAndTags(name, "[golden][file]"));
  }
}

}  // namespace
}  // namespace warpsim::golden

int main(int argc, char** argv) {
  warpsim::golden::register_files();
  return Catch::Session().run(argc, argv);
}
