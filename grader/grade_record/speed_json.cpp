#include "grader/grade_record/speed_json.h"

#include "grader/core/text.h"
#include "grader/grade_record/json_arrays.h"

namespace warpgrade {
namespace {

using Json = nlohmann::ordered_json;

Json gain_to_json(const WhatIf& gain) {
  return {{"change", gain.change},
          {"condition", printable(gain.condition)},
          {"pitfall", gain.pitfall},
          {"kernel", printable(gain.kernel)},
          {"file", printable(gain.file)},
          {"line", gain.line},
          {"ms", gain.ms},
          {"times_faster", gain.times_faster}};
}

WhatIf gain_from_json(const Json& j) {
  return {.change = j.at("change"),
          .condition = j.at("condition"),
          .pitfall = j.at("pitfall"),
          .kernel = j.at("kernel"),
          .file = j.at("file"),
          .line = j.at("line"),
          .ms = j.at("ms"),
          .times_faster = j.at("times_faster")};
}

Json access_to_json(const AccessLine& access) {
  return {{"kernel", printable(access.kernel)},
          {"file", printable(access.file)},
          {"line", access.line},
          {"ms", access.ms},
          {"sectors_asked", access.sectors_asked},
          {"sectors_needed", access.sectors_needed}};
}

AccessLine access_from_json(const Json& j) {
  return {.kernel = j.at("kernel"),
          .file = j.at("file"),
          .line = j.at("line"),
          .ms = j.at("ms"),
          .sectors_asked = j.at("sectors_asked"),
          .sectors_needed = j.at("sectors_needed")};
}

Json note_to_json(const OccupancyNote& note) {
  return {{"kernel", printable(note.kernel)},
          {"percent", note.percent},
          {"limiter", note.limiter},
          {"times_faster", note.times_faster},
          {"comment", note.comment}};
}

OccupancyNote note_from_json(const Json& j) {
  return {.kernel = j.at("kernel"),
          .percent = j.at("percent"),
          .limiter = j.at("limiter"),
          .times_faster = j.at("times_faster"),
          .comment = j.at("comment")};
}

}  // namespace

Json speed_to_json(const std::optional<SpeedReport>& speed) {
  if (!speed) {
    return nullptr;
  }
  return {{"name", speed->name},
          {"ms", speed->ms},
          {"parts", array_of(speed->parts,
                             [](const TimePart& part) -> Json {
                               return {{"cause", part.cause}, {"ms", part.ms}};
                             })},
          {"accesses", array_of(speed->accesses, access_to_json)},
          {"what_if", array_of(speed->what_if, gain_to_json)},
          {"occupancy", array_of(speed->occupancy, note_to_json)}};
}

std::optional<SpeedReport> speed_from_json(const Json& parent) {
  const auto it = parent.find("speed");
  if (it == parent.end() || it->is_null()) {
    return std::nullopt;
  }
  return SpeedReport{.name = it->at("name"),
                     .ms = it->at("ms"),
                     .parts = vector_of<TimePart>(it->at("parts"),
                                                  [](const Json& part) {
                                                    return TimePart{.cause = part.at("cause"),
                                                                    .ms = part.at("ms")};
                                                  }),
                     .accesses = vector_of<AccessLine>(it->at("accesses"), access_from_json),
                     .what_if = vector_of<WhatIf>(it->at("what_if"), gain_from_json),
                     .occupancy = vector_of<OccupancyNote>(it->at("occupancy"), note_from_json)};
}

}  // namespace warpgrade
