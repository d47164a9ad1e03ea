#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "grader/build/compile/build.h"
#include "grader/build/compile/compile_kernels.h"
#include "grader/build/toolchain/toolchain.h"
#include "grader/core/files.h"
#include "grader/core/installation.h"
#include "grader/record/evidence/reference_cost.h"
#include "grader/record/grade/grade.h"
#include "grader/run/device/device.h"
#include "grader/run/session/golden_build.h"
#include "grader/run/session/recent_data.h"
#include "harness/case/case_data.h"
#include "harness/case/timed_case.h"
#include "harness/core/lab_error.h"
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
  /// The emulator, with as many devices as the lab has.
  [[nodiscard]] Device emulator() const;
  [[nodiscard]] const Lab& lab() const { return lab_; }
  /// Of a lab with a program.
  [[nodiscard]] const GoldenLibrary& golden() const { return *golden_; }
  [[nodiscard]] bool profiles() const { return profiles_; }

  /// A hash of the lab's files: descriptor, datasets, header, solution.
  [[nodiscard]] const std::string& lab_identity() const { return lab_identity_; }
  /// A hash of the built emulator and worker.
  [[nodiscard]] const std::string& build_identity() const { return build_identity_; }
  /// A hash of these and the grader itself, which judges, scores and makes the pages.
  [[nodiscard]] const std::string& grader_identity() const { return grader_identity_; }

  /// Builds a program for this lab: build_program() of build.h.
  [[nodiscard]] BuildResult build(const std::vector<SourceFile>& files,
                                  const std::filesystem::path& scratch);

  /// The session of the lab in the language of these files: this one, or that of its form in
  /// Python, which is opened once. Python runs on the emulator whatever the device is.
  [[nodiscard]] LabSession& for_files(const std::vector<SourceFile>& files);
  [[nodiscard]] const LabSession& for_files(const std::vector<SourceFile>& files) const;
  /// As a grade records it: "nvcc 13.0", "Numba 0.56.4"; "no Numba" where a lab in Python cannot be
  /// built.
  [[nodiscard]] std::string compiler_name() const;

  /// The same for the debugger, from the files where they are; objects are cached.
  /// @param folder  of the files, absolute
  [[nodiscard]] BuildResult build_to_debug(const std::vector<SourceFile>& files,
                                           const std::filesystem::path& folder,
                                           const std::filesystem::path& scratch);

  /// The same for values of variables in recordings: with nvcc without optimisation, since nothing
  /// else leaves them where they can be found. @pre the compiler is nvcc
  [[nodiscard]] BuildResult build_with_variables(const std::vector<SourceFile>& files,
                                                 const std::filesystem::path& scratch);

  /// Compiles the kernels of one of its programs: compile_kernels.h.
  [[nodiscard]] CompiledKernels compile_kernels(const SourceFile& program,
                                                const std::vector<SourceFile>& files,
                                                const std::filesystem::path& scratch);

  /// From now on, objects of what is built are cached: for staff's own programs, which are built
  /// again and again.
  void cache_objects() { caches_objects_ = true; }

  /// Inputs and expected outputs. Data that are the same for all submissions are cached: those of
  /// visible cases and, without a secret, of all cases. Of others, only the most recent are cached,
  /// up to a limit.
  /// @throws LabCodeError  if the golden function does not return
  [[nodiscard]] std::shared_ptr<const CaseData> data(const Case& spec, const Secret& secret);
  /// Drops data with this secret, which will not be used again.
  void forget_data(const Secret& secret);

  /// The cost of reference/<lab>/solution.cu on the emulator with this case's data; nothing if
  /// there is no solution, as on a student's machine, or if it does not run. Cached on disk, by a
  /// hash of everything that it depends on.
  [[nodiscard]] std::optional<ReferenceCost> reference(const Case& spec, const Secret& secret);

  /// The built reference; null if there is none or it does not build.
  [[nodiscard]] const BuildResult* reference_program();

  /// The inputs of timed calls, made once for all submissions; unpredictable for a submission.
  /// @param secret  the course's
  [[nodiscard]] const TimedInputs& timed_inputs(const std::string& secret);

  /// The GPU's peaks, measured once. The caller must hold the GPU's lock.
  [[nodiscard]] const std::optional<CardPeaks>& card_peaks();

  /// ncu's counts of the reference's timed call, made by `make` once for all submissions.
  [[nodiscard]] const std::optional<CardCounts>& reference_counts(
      const std::function<std::optional<CardCounts>()>& make);

  /// The cost of one of our programs on the emulator with this case's data; nothing if it does not
  /// run or is not right.
  [[nodiscard]] std::optional<ReferenceCost> measure(const std::filesystem::path& file,
                                                     const Case& spec, const Secret& secret);

  /// The ladder's stages whose cost is known; see ladder_file.h.
  [[nodiscard]] const std::vector<RungCost>& ladder() const { return ladder_; }

 private:
  [[nodiscard]] bool is_for_python(const std::vector<SourceFile>& files) const;
  [[nodiscard]] LabSession& python_session() const;
  [[nodiscard]] std::shared_ptr<const CaseData> personal_data(const Case& spec,
                                                              const Secret& secret);
  /// @throws LabCodeError  again, if the case's golden function is known not to return
  void rethrow_known(const Case& spec) const;
  /// Built once; each student's hidden data need another run, but no other build.
  const BuildResult& reference_build();
  std::optional<ReferenceCost> measure(const BuildResult& build, const Case& spec,
                                       const Secret& secret);
  const SharedParts& shared_parts();
  /// @param debugged  the folder of what is built for the debugger
  [[nodiscard]] std::string object_key(const std::vector<SourceFile>& files,
                                       const std::filesystem::path& debugged = {}) const;
  [[nodiscard]] std::string reference_key(const Case& spec, const Secret& secret) const;

  Installation installation_;
  Toolchain toolchain_;
  Device device_;
  Lab lab_;
  bool profiles_ = false;
  bool caches_objects_ = false;
  mutable std::once_flag python_once_;
  mutable std::unique_ptr<LabSession> python_;
  GoldenBuild golden_build_;
  std::optional<GoldenLibrary> golden_;
  std::vector<RungCost> ladder_;
  std::string lab_identity_;
  std::string build_identity_;
  std::string grader_identity_;

  std::once_flag shared_once_;
  std::optional<ScratchFolder> shared_folder_;
  SharedParts shared_parts_;
  std::mutex data_mutex_;
  /// For all submissions; by the case's name.
  std::map<std::string, std::shared_ptr<const CaseData>> data_;
  RecentData personal_data_;
  std::map<std::string, LabCodeError> lab_faults_;  // of the golden function, by case
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
