#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "grader/grade_record/grade.h"

namespace warpgrade {

/// `profile` of docs/grade.schema.json.
[[nodiscard]] nlohmann::ordered_json profile_to_json(const CardProfile& profile);

/// @param grade  a whole grade that fits the schema; those of earlier versions have no `profile`
[[nodiscard]] std::optional<CardProfile> profile_from_json(const nlohmann::ordered_json& grade);

}  // namespace warpgrade
