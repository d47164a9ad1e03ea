#include "grader/run/worker/device_process.h"

#include <fmt/core.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <system_error>
#include <utility>

#include "emulator/cudart/edits_file.h"
#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/remove_tree.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr int kSocket = 3;  // descriptor of the socket, in both processes
constexpr int kInputs = 4;  // of other inputs, in the device process
/// Longer than the worker's, so that the worker's limit expires first.
constexpr std::chrono::seconds kLonger{5};

using Use = OtherInputs::Use;

fs::path inputs_in(const fs::path& folder, Use use) {
  return folder / (use == Use::for_replay ? "replay" : "decoy");
}

fs::path edits_in(const fs::path& folder) {
  return folder / "edits";
}

/// The emulator's settings (emulator/report/settings.h). One thread each, because cases run in
/// parallel; results do not depend on it.
std::vector<std::pair<std::string, std::string>> settings(const Device& device,
                                                          const fs::path& folder,
                                                          const OtherInputs& other) {
  const bool decoy = !other.arrays.empty() && other.use == Use::for_kernels;
  std::vector<std::pair<std::string, std::string>> all = {
      {"WARPSIM_THREADS", "1"},
      {"WARPSIM_BUDGET", std::to_string(device.instruction_budget)},
      // The modelled time, which the program can query, must be the same with and without checks.
      {"WARPSIM_CHECK", decoy ? "cache" : device.checks},
      {"WARPSIM_QUIET", "1"},
      {"WARPSIM_CALL_OUTPUTS", DeviceProcess::outputs_in(folder).string()},
      {"WARPSIM_JSON", DeviceProcess::report_in(folder).string()},
      {"WARPSIM_PROGRESS", DeviceProcess::progress_in(folder).string()}};
  // Of the grader's own environment: how kernels are executed, which no result depends on.
  for (const char* const name : {"WARPSIM_JIT", "WARPSIM_SIMD"}) {
    if (const char* const value = std::getenv(name)) all.emplace_back(name, value);
  }
  if (decoy) {
    all.emplace_back("WARPSIM_DECOY", inputs_in(folder, other.use).string());
  } else if (!other.arrays.empty()) {
    all.emplace_back("WARPSIM_REPLAY", inputs_in(folder, other.use).string());
  }
  if (!other.source_folder.empty()) {
    all.emplace_back("WARPSIM_SOURCES", other.source_folder.string());
  }
  if (other.edits) {
    all.emplace_back("WARPSIM_REPLAY", edits_in(folder).string());
  }
  if (other.records) {
    all.emplace_back("WARPSIM_RECORD", DeviceProcess::recording_in(folder).string());
    // The program says which files it was made of: none of them is opened here, whatever is asked
    // for.
    all.emplace_back("WARPSIM_RECORD_WHAT",
                     *other.records + (other.records->empty() ? "" : ",") + "sources=no");
  }
  if (!device.changes.empty()) {
    all.emplace_back("WARPSIM_CHANGE", device.changes);
  }
  if (device.idle) {
    all.emplace_back("WARPSIM_IDLE", "1");
  } else if (other.of_no_lab) {
    all.emplace_back("WARPSIM_INSTRUCTIONS", "1");
  } else if (device.schedule_seed == 0 && !decoy && device.changes.empty() && !other.edits) {
    all.emplace_back("WARPSIM_DATA_FLOW", "1");
  }
  if (device.devices != 1) {
    all.emplace_back("WARPSIM_DEVICES", std::to_string(device.devices));
  }
  if (!device.card.empty()) {
    all.emplace_back("WARPSIM_CARD", device.card);
  }
  if (device.schedule_seed != 0) {
    all.emplace_back("WARPSIM_SEED", std::to_string(device.schedule_seed));
  }
  return all;
}

}  // namespace

DeviceProcess::DeviceProcess(const Device& device, const fs::path& program, const fs::path& folder,
                             const ProcessLimits& limits, const OtherInputs& other)
    : folder_(folder), library_folder_(device.library_folder) {
  remove_tree(folder_);  // from an earlier try
  fs::create_directories(folder_);
  const fs::path inputs = inputs_in(folder_, other.use);
  if (!other.arrays.empty()) inputs_.emplace(other.arrays);
  const bool in_memory = inputs_ && inputs_->descriptor() >= 0;
  if (in_memory) fs::create_symlink(fmt::format("/proc/self/fd/{}", kInputs), inputs);
  errno = 0;
  if (!other.arrays.empty() && !in_memory && !warpsim::cudart::write_decoy(inputs, other.arrays)) {
    throw fs::filesystem_error("cannot write", inputs,
                               std::error_code(errno, std::generic_category()));
  }
  if (other.edits) {
    write_file_atomically(
        edits_in(folder_),
        fmt::format("{}\n{}", warpsim::cudart::edits_file::kFirstLine, *other.edits));
  }
  int ends[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    throw EnvironmentError(fmt::format("cannot make a socket: {}", std::strerror(errno)));
  }
  client_end_ = ends[0];
  device_end_ = ends[1];
  spec_.argv = {(library_folder_ / "device-13").string(), "--socket", std::to_string(kSocket),
                "--program", program.string()};
  spec_.folder = folder_;
  spec_.environment = base_environment();
  for (auto& setting : settings(device, folder_, other)) {
    spec_.environment.push_back(std::move(setting));
  }
  pass_on_sanitizer(spec_);
  spec_.descriptors = {{.ours = device_end_, .theirs = kSocket}};
  if (in_memory) spec_.descriptors.push_back({.ours = inputs_->descriptor(), .theirs = kInputs});
  if (device.sandbox.on()) {
    std::erase_if(spec_.environment, [](const auto& entry) { return entry.first == "TMPDIR"; });
    spec_.confinement = Confinement{
        .sandbox = device.sandbox,
        .view = {.readable = {program, library_folder_}, .writable = {folder_}, .device = true}};
  }
  spec_.limits = limits;
  spec_.limits.wall += kLonger;
  spec_.limits.cpu += kLonger;
  spec_.limits.file_bytes = 0;  // the memory shared with the worker is a file
  spec_.tell_wait = &waited_ns_;
  thread_ = std::thread([this] { run(); });
}

fs::path DeviceProcess::edit_results_in(const fs::path& folder) {
  return warpsim::cudart::edits_file::results_of(edits_in(folder).string());
}

DeviceProcess::~DeviceProcess() {
  close_client_end();
  if (thread_.joinable()) {
    thread_.join();
  }
}

void DeviceProcess::run() {
  try {
    result_ = run_process(spec_);
  } catch (...) {
    failure_ = std::current_exception();
  }
  // Tells the worker that the device has ended.
  ::close(device_end_);
}

void DeviceProcess::close_client_end() {
  if (client_end_ >= 0) {
    ::close(std::exchange(client_end_, -1));
  }
}

void DeviceProcess::connect(ProcessSpec& worker) const {
  worker.descriptors.push_back({.ours = client_end_, .theirs = kSocket});
  worker.environment.emplace_back("WARPSIM_DEVICE", std::to_string(kSocket));
  worker.environment.emplace_back("LD_LIBRARY_PATH", (library_folder_ / "client").string());
  worker.wait_of_other = &waited_ns_;
}

const ProcessResult& DeviceProcess::finish() {
  close_client_end();
  if (thread_.joinable()) {
    thread_.join();
  }
  if (failure_) {
    std::rethrow_exception(failure_);
  }
  return result_;
}

void pass_on_sanitizer([[maybe_unused]] ProcessSpec& spec) {
#ifdef __SANITIZE_ADDRESS__
  for (const char* name : {"LD_PRELOAD", "ASAN_OPTIONS", "UBSAN_OPTIONS"}) {
    if (const char* value = std::getenv(name)) {
      spec.environment.emplace_back(name, value);
    }
  }
#endif
}

}  // namespace warpgrade
