#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace warpgrade {

/// Names by which assistants know students whom they grade without knowing who they are.
inline constexpr const char* kAliasesFile = "aliases.csv";

/// The names of students and those under which assistants see them: drawn once, not derived from
/// anything that an assistant could compute.
class Aliases {
 public:
  Aliases() = default;
  /// Reads a file with columns alias and student; none if it does not exist.
  /// @throws LabError  "aliases.csv:3: what; what to do"
  [[nodiscard]] static Aliases read(const std::filesystem::path& file);

  /// The alias of a student, drawn if there is none yet.
  [[nodiscard]] std::string of(const std::string& student);
  /// The student with this alias; the name itself if it is none.
  [[nodiscard]] std::string student(const std::string& name) const;
  /// @throws EnvironmentError  if it cannot be written
  void write(const std::filesystem::path& file) const;

 private:
  std::map<std::string, std::string> students_;  // by alias
  std::map<std::string, std::string> aliases_;  // by student
};

}  // namespace warpgrade
