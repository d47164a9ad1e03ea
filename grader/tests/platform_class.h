#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpgrade::testing {

/// A class as learning platforms deliver it: 55 students with invented names, who pack the same
/// programs in other ways on each platform.
inline constexpr int kClassSize = 55;

/// The platforms whose downloads write_platform_class() makes.
[[nodiscard]] std::vector<std::string> class_platforms();

/// A program of the class.
struct ClassProgram {
  std::string lab;
  std::string name;  // in reference/LAB, as reference_program() takes it
};
[[nodiscard]] std::vector<ClassProgram> class_programs();

/// What a student of the class submitted.
struct ClassStudent {
  std::string student;  // in the roster
  std::vector<ClassProgram> programs;  // readable ones
  std::string unreadable;  // what the student submitted instead: "an empty file"; else empty
};
[[nodiscard]] std::vector<ClassStudent> class_students();

/// Writes course.toml, the roster and everybody's work, as `platform` delivers it.
void write_platform_class(const std::filesystem::path& folder, const std::string& platform);

/// The text of a program.
[[nodiscard]] std::string text_of(const ClassProgram& program);

}  // namespace warpgrade::testing
