#pragma once

#include <filesystem>
#include <vector>

#include "harness/core/toml_table.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// The staff's answers: reference/<lab>/answers.toml.
[[nodiscard]] std::filesystem::path answers_key_file(const Lab& lab);

/// Reads [[question]] of lab.toml and, where reference/<lab> exists, the answers to them, into
/// `lab.questions`. The points must sum to rubric.questions.
/// @param document  lab.toml
/// @param lab       with cases and rubric
/// @throws LabError  names file, line, key, and what to write
void read_questions(TomlTable& document, Lab& lab);

}  // namespace warpgrade
