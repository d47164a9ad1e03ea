#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "grader/grade_record/speed_report.h"

namespace warpgrade {

/// `speed` of docs/grade.schema.json; null where there is none.
[[nodiscard]] nlohmann::ordered_json speed_to_json(const std::optional<SpeedReport>& speed);

/// @param parent  what has `speed` as a member; grades of earlier versions have none
[[nodiscard]] std::optional<SpeedReport> speed_from_json(const nlohmann::ordered_json& parent);

}  // namespace warpgrade
