#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "grader/build/compile/build.h"
#include "grader/core/files.h"
#include "grader/run/session/lab_session.h"

namespace warpgrade {

/// A submission's program, in a folder that lasts as long as this, so that a further run after the
/// cases does not build it again.
class BuiltSubmission {
 public:
  /// Builds it in a new folder, and removes that of an earlier build.
  /// @throws EnvironmentError  as LabSession::build()
  const BuildResult& build(LabSession& session, const std::vector<SourceFile>& files);

  /// The last build; null before the first.
  [[nodiscard]] const BuildResult* result() const { return result_ ? &*result_ : nullptr; }

  /// For runs of the program. Only after build().
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_->path(); }

 private:
  std::optional<ScratchFolder> folder_;
  std::optional<BuildResult> result_;
};

}  // namespace warpgrade
