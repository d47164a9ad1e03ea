#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "grader/core/files.h"

namespace warpgrade::testing {

/// A program of grader/tests/attacks, which says in its first lines what it is: `// key: value`, in
/// Python `# key: value`, the value nine columns after the mark, continued by lines without a key.
/// `needs: nvcc` names the only compiler for which it is one.
struct Sample {
  std::string name;
  std::filesystem::path file;
  std::string text;
  std::map<std::string, std::string> head;
  std::string ending = ".cu";  // of the file that is handed in

  /// The value of a key; fails the test if there is none.
  [[nodiscard]] const std::string& says(const std::string& key) const;
  /// The words of a value; none for "none".
  [[nodiscard]] std::vector<std::string> words(const std::string& key) const;
  /// The lab that it is for: vecadd where the file does not say.
  [[nodiscard]] std::string lab() const;
  /// Writes it, with the headers beside it that it includes, as `folder`/LAB and its ending.
  void hand_in(const std::filesystem::path& folder) const;
};

/// The compiler of the tests: "clang", or "auto", for nvcc where it is found.
[[nodiscard]] std::string compiler();

/// The programs in grader/tests/attacks/`folder`, by name, that the tests' compiler can build. Of
/// `parts` parts only this one.
[[nodiscard]] std::vector<Sample> samples_in(const std::string& folder, std::size_t part = 0,
                                             std::size_t parts = 1);

/// A class that was graded on the emulator with the tests' compiler, each sample as a student of
/// its name.
class GradedSamples {
 public:
  /// Fails the test if `grade` does not exit with 0.
  /// @param variables  of the environment, as a shell has them before a command: "NAME=value "
  explicit GradedSamples(const std::vector<Sample>& samples, const std::string& variables = "");

  [[nodiscard]] nlohmann::json grade_of(const Sample& sample) const;

 private:
  ScratchFolder folder_;
};

/// The kinds of a grade's flags.
[[nodiscard]] std::set<std::string> flags_of(const nlohmann::json& grade);
/// The part of the cases that passed, from 0 to 1.
[[nodiscard]] double passed_part(const nlohmann::json& grade);

/// A row of a table in docs/security.md: the values of these keys, and the flag.
[[nodiscard]] std::string row_of(const Sample& sample, const std::vector<std::string>& keys);

}  // namespace warpgrade::testing
