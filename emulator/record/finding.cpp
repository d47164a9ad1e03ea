#include "emulator/record/finding.h"

namespace warpsim {

bool ReportedFinding::is_about(FindingTopic topic) const {
  const FindingInfo* row = find_finding_kind(kind);
  return row != nullptr && row->topic == topic;
}

bool ReportedFinding::has_many_causes() const {
  const FindingInfo* row = find_finding_kind(kind);
  return row != nullptr && row->many_causes;
}

bool ReportedFinding::is_tidiness() const {
  return is_about(FindingTopic::tidiness);
}

bool ReportedFinding::relies_on_luck() const {
  return severity == "warning" && is_about(FindingTopic::luck);
}

bool ReportedFinding::is_lack_of_emulator() const {
  return is_about(FindingTopic::emulator) && kind != info_of(FindingKind::internal_error).slug;
}

}  // namespace warpsim
