#include <nlohmann/json.hpp>
#include <vector>

#include "emulator/report/report.h"

namespace warpsim {

std::string render(const Report& report, DiagnosticFormat format) {
  const auto diagnostics = [&] {
    std::vector<Diagnostic> all;
    for (const Finding& finding : report.findings) all.push_back(diagnostic_of(finding));
    return all;
  };
  switch (format) {
    case DiagnosticFormat::json:
      return to_json(report).dump(1) + "\n";
    case DiagnosticFormat::sarif:
      return to_sarif(diagnostics(), "warpsim", WARPGRADE_VERSION);
    case DiagnosticFormat::github:
      return to_github(diagnostics());
    case DiagnosticFormat::text:
      break;
  }
  return render_findings(report.findings, report.dropped_launches);
}

}  // namespace warpsim
