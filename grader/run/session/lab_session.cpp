#include "grader/run/session/lab_session.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "grader/build/compile/build.h"
#include "grader/build/python/build_python.h"
#include "grader/build/python/python_tools.h"
#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/sha256.h"
#include "grader/core/source_names.h"
#include "grader/core/user_cache.h"
#include "grader/record/counters/formula.h"
#include "grader/run/device/card.h"
#include "grader/run/session/cost_cache.h"
#include "grader/run/session/identity.h"
#include "grader/run/session/lab_code.h"
#include "grader/run/session/ladder_file.h"
#include "grader/run/worker/undisturbed.h"
#include "grader/run/worker/worker.h"
#include "harness/lab/python_form.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

/// For hidden cases' data: an idle run and the reference reuse one or two cases.
constexpr std::size_t kMostPersonalBytes = std::size_t{32} << 20;

/// Changes whenever another build replaces the file.
std::string identity(const fs::path& file) {
  return file.filename().string() + ":" + file_stamp(file);
}

std::string identity_of_build(const Installation& installation, const Toolchain& toolchain) {
  std::vector<std::string> parts = {identity(installation.worker_library())};
  for (const char* const name : {"libwarpgrade_python.so", "warpgrade_start.py"}) {
    if (fs::exists(installation.library / name)) {
      parts.push_back(identity(installation.library / name));
    }
  }
  std::error_code error;
  std::vector<fs::path> headers = files_below(installation.wb_header);
  if (toolchain.compiler.kind == CompilerKind::clang) {
    const std::vector<fs::path> of_cuda = files_below(installation.cuda_headers);
    headers.insert(headers.end(), of_cuda.begin(), of_cuda.end());
  }
  for (const fs::path& header : headers) parts.push_back(identity(header));
  for (const auto& entry : fs::directory_iterator(installation.emulator_folder(), error)) {
    parts.push_back(identity(entry.path()));
  }
  std::sort(parts.begin(), parts.end());
  Sha256 sha;
  for (const std::string& part : parts) {
    sha.add_field(part);
  }
  return sha.hex();
}

std::string identity_of_grader(const std::string& build, const std::string& golden) {
  Sha256 sha;
  sha.add_field(build);
  sha.add_field(identity("/proc/self/exe"));
  sha.add_field(golden);
  return sha.hex();
}

/// The device with as many cards as the lab wants, and of its kind.
Device device_for(const Lab& lab, Device device) {
  if (lab.devices > 1 && device.kind == DeviceKind::cuda) {
    throw EnvironmentError(
        fmt::format("lab '{}' has {} devices ([device] count), and grading on a GPU uses one; use "
                    "--device emulator",
                    lab.id, lab.devices));
  }
  device.devices = lab.devices;
  if (device.kind == DeviceKind::emulator && device.card.empty()) device.card = lab.card;
  return device;
}

/// Nothing for a lab of questions; an empty one if a program's datasets give all outputs.
std::optional<GoldenLibrary> load_golden(const Lab& lab, const GoldenBuild& build) {
  if (!lab.has_code()) return std::nullopt;
  return build.file.empty() ? GoldenLibrary() : GoldenLibrary(build.file, run_lab_code);
}

}  // namespace

LabSession::LabSession(Installation installation, Toolchain toolchain, Device device, Lab lab,
                       bool profiles)
    : installation_(std::move(installation)),
      toolchain_(std::move(toolchain)),
      device_(device_for(lab, std::move(device))),
      lab_(std::move(lab)),
      profiles_(profiles),
      golden_build_(lab_.has_code() ? golden_build(installation_, lab_) : GoldenBuild{}),
      golden_(load_golden(lab_, golden_build_)),
      ladder_(read_ladder(lab_)),
      lab_identity_(identity_of_lab(lab_)),
      build_identity_(identity_of_build(installation_, toolchain_)),
      grader_identity_(identity_of_grader(build_identity_, golden_build_.identity)),
      personal_data_(kMostPersonalBytes) {}

std::shared_ptr<const CaseData> LabSession::data(const Case& spec, const Secret& secret) {
  if (!spec.visible && !secret.text.empty()) {
    return personal_data(spec, secret);
  }
  // Held while the data are made: other threads would only duplicate the work.
  const std::lock_guard lock(data_mutex_);
  std::shared_ptr<const CaseData>& kept = data_[spec.name];
  if (kept == nullptr) {
    rethrow_known(spec);
    try {
      kept = make_shared_case_data(lab_, spec, golden());
    } catch (const LabCodeError& error) {
      lab_faults_.emplace(spec.name, error);
      throw;
    }
  }
  return kept;
}

void LabSession::rethrow_known(const Case& spec) const {
  if (const auto known = lab_faults_.find(spec.name); known != lab_faults_.end()) {
    throw LabCodeError(known->second);
  }
}

std::shared_ptr<const CaseData> LabSession::personal_data(const Case& spec, const Secret& secret) {
  {
    const std::lock_guard lock(data_mutex_);
    if (std::shared_ptr<const CaseData> data = personal_data_.find(spec, secret)) {
      return data;
    }
    rethrow_known(spec);
  }
  // Without a lock: no other thread computes the same data.
  try {
    std::shared_ptr<const CaseData> data = make_case_data(lab_, spec, secret, golden());
    const std::lock_guard lock(data_mutex_);
    personal_data_.keep(secret, data);
    return data;
  } catch (const LabCodeError& error) {
    const std::lock_guard lock(data_mutex_);
    // Another student's data may end a crash, but hardly an endless loop.
    if (error.out_of_time) lab_faults_.emplace(spec.name, error);
    throw;
  }
}

void LabSession::forget_data(const Secret& secret) {
  const std::lock_guard lock(data_mutex_);
  personal_data_.forget(secret);
}

std::string LabSession::reference_key(const Case& spec, const Secret& secret) const {
  Sha256 sha;
  // Increased when the format of a cost changes.
  const std::string format = "4";
  for (const std::string& part :
       {format, identity_of_program(lab_), identity_of_case(spec), read_file(solution_of(lab_)),
        build_identity(), compiler_name()}) {
    sha.add_field(part);
  }
  sha.add_field(spec.visible ? "" : secret.text);
  return sha.hex();
}

Device LabSession::emulator() const {
  return device_for(lab_, emulator_device(installation_));
}

std::optional<ReferenceCost> LabSession::reference(const Case& spec, const Secret& secret) {
  if (!fs::exists(solution_of(lab_))) {
    return std::nullopt;
  }
  const std::string key = reference_key(spec, secret);
  const std::lock_guard lock(reference_mutex_);
  if (const auto it = references_.find(key); it != references_.end()) {
    return it->second;
  }
  std::optional<ReferenceCost> cost = load_cost(key);
  if (!cost) {
    cost = measure(reference_build(), spec, secret);
    if (cost) {
      store_cost(key, *cost);
    }
  }
  references_.emplace(key, cost);
  return cost;
}

const SharedParts& LabSession::shared_parts() {
  std::call_once(shared_once_, [this] {
    shared_folder_.emplace();
    shared_parts_ = make_shared_parts(toolchain_, lab_, shared_folder_->path());
  });
  return shared_parts_;
}

bool LabSession::is_for_python(const std::vector<SourceFile>& files) const {
  return !files.empty() && is_python(files.front().name) && has_python_form(lab_);
}

LabSession& LabSession::python_session() const {
  std::call_once(python_once_, [this] {
    Device device = emulator();
    device.sandbox = device_.sandbox;
    python_ = std::make_unique<LabSession>(installation_, toolchain_, std::move(device),
                                           read_python_form(lab_));
  });
  return *python_;
}

LabSession& LabSession::for_files(const std::vector<SourceFile>& files) {
  return is_for_python(files) ? python_session() : *this;
}

const LabSession& LabSession::for_files(const std::vector<SourceFile>& files) const {
  return is_for_python(files) ? python_session() : *this;
}

std::string LabSession::compiler_name() const {
  if (!is_in_python(lab_)) return toolchain_.compiler.name();
  try {
    return find_python_tools(toolchain_).version;
  } catch (const EnvironmentError&) {
    return "no Numba";  // building says what is missing
  }
}

BuildResult LabSession::build(const std::vector<SourceFile>& files, const fs::path& scratch) {
  if (is_in_python(lab_)) {
    return build_python(toolchain_, installation_, lab_, files, scratch);
  }
  return build_program(toolchain_, installation_, lab_, files, shared_parts(), scratch,
                       caches_objects_ ? object_key(files) : "");
}

BuildResult LabSession::build_to_debug(const std::vector<SourceFile>& files, const fs::path& folder,
                                       const fs::path& scratch) {
  if (is_in_python(lab_)) {
    throw UsageError(
        fmt::format("programs in Python are not debugged here; `warpsim -- python3` runs them, and "
                    "{} may print",
                    lab_.submit.front()));
  }
  return build_program(toolchain_, installation_, lab_, files, shared_parts(), scratch,
                       object_key(files, folder), folder);
}

BuildResult LabSession::build_with_variables(const std::vector<SourceFile>& files,
                                             const fs::path& scratch) {
  if (is_in_python(lab_)) return build(files, scratch);
  const fs::path folder = scratch / "src";
  for (const SourceFile& file : files) write_file_atomically(folder / file.name, file.text);
  return build_program(toolchain_, installation_, lab_, files, shared_parts(), scratch, {}, folder);
}

CompiledKernels LabSession::compile_kernels(const SourceFile& program,
                                            const std::vector<SourceFile>& files,
                                            const fs::path& scratch) {
  return warpgrade::compile_kernels(toolchain_, installation_, lab_, program, files, shared_parts(),
                                    scratch);
}

std::string LabSession::object_key(const std::vector<SourceFile>& files,
                                   const fs::path& debugged) const {
  Sha256 sha;
  for (const std::string& part :
       {identity_of_program(lab_), grader_identity(), toolchain_.compiler.name(),
        file_stamp(toolchain_.compiler.program_in_sandbox())}) {
    sha.add_field(part);
  }
  for (const SourceFile& file : files) {
    sha.add_field(file.name);
    sha.add_field(file.text);
  }
  sha.add_field(debugged.string());
  return sha.hex();
}

const BuildResult& LabSession::reference_build() {
  if (!reference_build_) {
    reference_folder_.emplace();
    const std::vector<SourceFile> sources = {
        {.name = solution_of(lab_).filename().string(), .text = read_file(solution_of(lab_))}};
    reference_build_ = build(sources, reference_folder_->path());
  }
  return *reference_build_;
}

const BuildResult* LabSession::reference_program() {
  if (!fs::exists(solution_of(lab_))) {
    return nullptr;
  }
  const std::lock_guard lock(reference_mutex_);
  const BuildResult& build = reference_build();
  return build.ok() ? &build : nullptr;
}

const TimedInputs& LabSession::timed_inputs(const std::string& secret) {
  const std::lock_guard lock(timed_mutex_);
  if (!timed_inputs_) {
    timed_folder_.emplace();
    // The emulator models the time of the case as it is judged; only a GPU needs a larger size.
    const Case* spec = device_.kind == DeviceKind::cuda ? lab_.timed_case()
                                                        : lab_.find_case(lab_.performance_case);
    timed_inputs_ = make_timed_inputs(lab_, *spec, Secret{secret}, golden(), timed_folder_->path());
  }
  return *timed_inputs_;
}

const std::optional<CardPeaks>& LabSession::card_peaks() {
  const std::lock_guard lock(timed_mutex_);
  if (!card_peaks_) {
    card_peaks_ = measure_card_peaks(toolchain_, device_);
  }
  return *card_peaks_;
}

const std::optional<CardCounts>& LabSession::reference_counts(
    const std::function<std::optional<CardCounts>()>& make) {
  const std::lock_guard lock(counts_mutex_);
  if (!reference_counts_) {
    reference_counts_ = make();
  }
  return *reference_counts_;
}

std::optional<ReferenceCost> LabSession::measure(const fs::path& file, const Case& spec,
                                                 const Secret& secret) {
  const ScratchFolder scratch;
  const std::vector<SourceFile> sources = {
      {.name = file.filename().string(), .text = read_file(file)}};
  return measure(build(sources, scratch.path()), spec, secret);
}

std::optional<ReferenceCost> LabSession::measure(const BuildResult& build, const Case& spec,
                                                 const Secret& secret) {
  if (!build.ok()) {
    return std::nullopt;
  }
  const ScratchFolder scratch;
  const auto [prepared, run] =
      run_undisturbed([&] { return prepare_case(data(spec, secret), scratch.path() / "case"); },
                      [&](const PreparedCase& c) {
                        return run_worker(build.program, c, emulator(), build.source_folder);
                      });
  if (!run.report || judge_case(prepared, Judging::status).status != CaseStatus::passed) {
    return std::nullopt;
  }
  return ReferenceCost{.modelled_ms = modelled_time(*run.report, lab_.times_timeline),
                       .counters = counter_values(*run.report),
                       .card = run.report->device,
                       .kernels = run.report->kernels};
}

}  // namespace warpgrade
