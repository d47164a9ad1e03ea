#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "grader/build/build.h"
#include "grader/core/files.h"
#include "grader/core/installation.h"
#include "grader/device/device.h"
#include "grader/evidence/reference_cost.h"
#include "grader/grade_record/grade.h"
#include "grader/session/golden_build.h"
#include "grader/session/recent_data.h"
#include "grader/toolchain/toolchain.h"
#include "harness/case/case_data.h"
#include "harness/case/timed_case.h"
#include "harness/golden/golden_library.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// One lab on this machine, shared by all its submissions: data of the cases, expected outputs,
/// cost of the reference. Thread-safe; everything is made once.
class LabSession {
 public:
  /// @param profiles  whether submissions are run under NVIDIA's tools, too
  /// @throws EnvironmentError, LabError  if there is no golden function: golden_build.h
  LabSession(Installation installation, Toolchain toolchain, Device device, Lab lab,
             bool profiles = false);

  [[nodiscard]] const Installation& installation() const { return installation_; }
  [[nodiscard]] const Toolchain& toolchain() const { return toolchain_; }
  [[nodiscard]] const Device& device() const { return device_; }
  [[nodiscard]] const Lab& lab() const { return lab_; }
  [[nodiscard]] const GoldenLibrary& golden() const { return golden_; }
  [[nodiscard]] bool profiles() const { return profiles_; }

  /// Names the lab's files (descriptor, datasets, header, solution) by their content.
  [[nodiscard]] const std::string& lab_identity() const { return lab_identity_; }
  /// Names the emulator and the worker that were built.
  [[nodiscard]] const std::string& build_identity() const { return build_identity_; }
  /// Names these and the grader itself, which judges, scores and makes the pages.
  [[nodiscard]] const std::string& grader_identity() const { return grader_identity_; }

  /// Builds a program for this lab: build_program() of build.h.
  [[nodiscard]] BuildResult build(const std::vector<SourceFile>& files,
                                  const std::filesystem::path& scratch);

  /// Inputs and expected outputs. Those that are the same for all submissions are kept: of visible
  /// cases, and without a secret of all. Of the others only the latest are, up to a bound.
  [[nodiscard]] std::shared_ptr<const CaseData> data(const Case& spec, const Secret& secret);
  /// No more data with this secret will be asked for.
  void forget_data(const Secret& secret);

  /// What reference/<lab>/solution.cu costs on the emulator on this case's data; nothing where
  /// there is no solution, as on a student's machine, or where it does not run. Kept on disk
  /// between runs, by everything that it depends on.
  [[nodiscard]] std::optional<ReferenceCost> reference(const Case& spec, const Secret& secret);

  /// The built reference; null where there is none or it does not build.
  [[nodiscard]] const BuildResult* reference_program();

  /// What timed calls are made with, once for all submissions: unpredictable for a submission.
  /// @param secret  the course's
  [[nodiscard]] const TimedInputs& timed_inputs(const std::string& secret);

  /// What the GPU can do; measured once. Whoever calls this has the GPU's lock.
  [[nodiscard]] const std::optional<CardPeaks>& card_peaks();

  /// What ncu counted of the reference's timed call: `make`, once for all submissions.
  [[nodiscard]] const std::optional<CardCounts>& reference_counts(
      const std::function<std::optional<CardCounts>()>& make);

  /// What one of our programs costs on the emulator on this case's data; nothing if it does not run
  /// or is not right.
  [[nodiscard]] std::optional<ReferenceCost> measure(const std::filesystem::path& file,
                                                     const Case& spec, const Secret& secret);

  /// The ladder's stages, as far as their cost is known: ladder_file.h.
  [[nodiscard]] const std::vector<RungCost>& ladder() const { return ladder_; }

 private:
  [[nodiscard]] std::shared_ptr<const CaseData> personal_data(const Case& spec,
                                                              const Secret& secret);
  /// Built once: each student's hidden data is another run of it, and no other build.
  const BuildResult& reference_build();
  std::optional<ReferenceCost> measure(const BuildResult& build, const Case& spec,
                                       const Secret& secret);
  [[nodiscard]] std::string reference_key(const Case& spec, const Secret& secret) const;

  Installation installation_;
  Toolchain toolchain_;
  Device device_;
  Lab lab_;
  bool profiles_ = false;
  GoldenBuild golden_build_;
  GoldenLibrary golden_;
  std::vector<RungCost> ladder_;
  std::string lab_identity_;
  std::string build_identity_;
  std::string grader_identity_;

  std::once_flag glue_once_;
  std::optional<ScratchFolder> glue_folder_;
  std::filesystem::path glue_;
  std::mutex data_mutex_;
  std::map<std::string, std::shared_ptr<const CaseData>> data_;  // of all; by the case's name
  RecentData personal_data_;
  std::mutex reference_mutex_;
  std::optional<ScratchFolder> reference_folder_;
  std::optional<BuildResult> reference_build_;
  std::map<std::string, std::optional<ReferenceCost>> references_;  // by key
  std::mutex timed_mutex_;
  std::optional<ScratchFolder> timed_folder_;
  std::optional<TimedInputs> timed_inputs_;
  std::optional<std::optional<CardPeaks>> card_peaks_;
  std::mutex counts_mutex_;
  std::optional<std::optional<CardCounts>> reference_counts_;
};

}  // namespace warpgrade
