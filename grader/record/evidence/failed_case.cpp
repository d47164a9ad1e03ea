#include "grader/record/evidence/failed_case.h"

namespace warpgrade {

bool has_failed(const CaseOutcome& c) {
  switch (c.report.verdict) {
    case CaseVerdict::wrong:
    case CaseVerdict::broke_contract:
    case CaseVerdict::cuda_error:
    case CaseVerdict::crashed:
    case CaseVerdict::never_ends:
      return true;
    case CaseVerdict::passed:
    case CaseVerdict::not_run:
    case CaseVerdict::not_assessed:
    case CaseVerdict::error:
      break;
  }
  return false;
}

}  // namespace warpgrade
