#include "grader/run/session/built_submission.h"

namespace warpgrade {

const BuildResult& BuiltSubmission::build(LabSession& session,
                                          const std::vector<SourceFile>& files) {
  result_.reset();
  folder_.emplace();
  return result_.emplace(session.build(files, folder_->path() / "build"));
}

}  // namespace warpgrade
