#include "emulator/cudart/runtime.h"

#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <optional>

#include "emulator/changes/changes.h"
#include "emulator/checkers/host_findings.h"
#include "emulator/cudart/api.h"
#include "emulator/cudart/call_record.h"
#include "emulator/cudart/decoy.h"
#include "emulator/cudart/edit_trials.h"
#include "emulator/cudart/frozen_outputs.h"
#include "emulator/debug/attach.h"
#include "emulator/native/native.h"
#include "emulator/recording/recorder.h"

namespace warpsim::cudart {
namespace {

std::atomic<Runtime*> instance = nullptr;

constexpr int kUsageError = 2;

Settings settings_or_exit() {
  std::string error;
  Settings settings = read_settings([](const char* name) { return std::getenv(name); }, error);
  if (!error.empty()) {
    std::fprintf(stderr, "warpsim: %s\n", error.c_str());
    _exit(kUsageError);
  }
  if (settings.native_threshold != 0) {
    settings.machine.native = make_native_code({.threshold = settings.native_threshold});
  }
  // The program may change its working directory before the files are written.
  for (std::string* path :
       {&settings.json_path, &settings.output_path, &settings.progress_path, &settings.trace_path,
        &settings.call_outputs_path, &settings.replay_path, &settings.record_path}) {
    std::error_code ignored;
    if (!path->empty()) *path = std::filesystem::absolute(*path, ignored).string();
  }
  return settings;
}

}  // namespace

const Settings& process_settings() {
  static const Settings& settings = *new Settings(settings_or_exit());
  return settings;
}

Debugger* process_debugger() {
  static Debugger* const debugger = debug::attach_from_environment();
  return debugger;
}

namespace {

/// An experiment: the initial content of allocations.
void start_memory(GlobalMemory& memory, Changes& changes) {
  memory.start_as([&changes](const std::string& name) -> std::optional<std::uint32_t> {
    for (const Change& change : changes.list()) {
      if (change.kind != Change::Kind::start) continue;
      if (!change.name.empty() && change.name != name) continue;
      changes.made(change);
      return change.word;
    }
    return std::nullopt;
  });
}

/// Findings name an argument's memory as the function's source does; that a harness allocated it
/// with its second cudaMalloc says nothing to the function's author.
void name_arguments(const GlobalMemory& memory, std::span<const AnnouncedArray> arrays) {
  for (const AnnouncedArray& array : arrays) {
    GlobalMemory::Allocation* allocation = array.on_host ? nullptr : memory.find(array.address);
    if (allocation == nullptr) continue;
    allocation->name = array.name;
    allocation->is_argument = true;
    allocation->is_output = array.is_output;
  }
}

}  // namespace

Runtime::Runtime() : settings(process_settings()) {
  if (Changes* changes = settings.machine.changes.get()) start_memory(memory, *changes);
  if (Debugger* debugger = process_debugger()) {
    machine.attach(*debugger);
  } else if (!settings.record_path.empty()) {
    recorder = std::make_unique<recording::Recorder>(settings.record);
    machine.attach(*recorder);
    time.keep_origins([this] {
      return call_in_progress == nullptr ? CallSite() : call_in_progress->launch_site();
    });
  }
}

Runtime::~Runtime() = default;

Runtime& Runtime::get() {
  if (Runtime* made = instance.load(std::memory_order_acquire)) return *made;
  static std::once_flag once;
  std::call_once(once, [] { instance.store(new Runtime, std::memory_order_release); });
  return *instance.load(std::memory_order_acquire);
}

Runtime* Runtime::existing() {
  return instance.load(std::memory_order_acquire);
}

bool Runtime::call_begins(const HarnessCall& call) {
  if (!announced.begin(call)) return false;
  time.call_begins();
  call_memory.begin(memory);
  name_arguments(memory, announced.arrays());
  if (!settings.decoy_path.empty()) {
    decoy = std::make_unique<Decoy>(settings.decoy_path, announced, memory);
  }
  if (!settings.replay_path.empty() && !settings.idle && decoy == nullptr) {
    if (!has_edits(settings.replay_path)) {
      other_inputs =
          std::make_unique<DecoyInputs>(settings.replay_path, "WARPSIM_REPLAY", announced);
    }
    record = std::make_unique<CallRecord>(memory, machine.images(), announced);
    if (other_inputs == nullptr) record->keep_host_arrays();
  }
  if (settings.follows_data) data_flow.begin(announced.arrays());
  // In a decoy run the outputs' origin is seen from their values.
  if (!settings.call_outputs_path.empty() && decoy == nullptr && announced.has_host_outputs()) {
    sent = std::make_unique<SentToHost>(announced.arrays());
  }
  return true;
}

bool Runtime::call_ends() {
  if (!announced.end()) return false;
  // Nothing of the program runs before the outputs are safe: its thread waits for this call, and
  // others cannot enter a call that changes them.
  deliver_outputs();
  time.call_ends();
  if (record != nullptr) record->end();
  call_memory.end(memory, allocations);
  if (data_flow.running()) {
    data_flow.end();
    machine.count_reaching([this](std::uint64_t launch) { return data_flow.reaches(launch); });
  }
  return true;
}

void Runtime::deliver_outputs() {
  const std::string& file = settings.call_outputs_path;
  if (file.empty()) return;
  const DeliveredCall call = freeze_outputs(announced.arrays(), memory, sent.get());
  sent.reset();
  if (!write_outputs(file, call)) {
    std::fprintf(stderr, "warpsim: cannot write the outputs to %s\n", file.c_str());
    _exit(kUsageError);
  }
}

int Runtime::device_of(cudaStream_t stream) {
  const Stream* found = streams.find(stream);
  return found != nullptr ? found->device : current_device();
}

void Runtime::waited(std::string_view api, int device) {
  if (settings.devices == 1) return waited_for_all(api);
  waited_for(streams.all_on(device), api);
}

void Runtime::waited_for_all(std::string_view api) {
  time.host_waits_for_all(api);
  watch.waited_for_all();
  stream_races.waited_for_all();
  streams.forget_order();
}

void Runtime::waited_for(const StreamClock& done, std::string_view api) {
  time.host_waits(done, api);
  completed(done);
}

void Runtime::completed(const StreamClock& done) {
  watch.waited_for(done);
  stream_races.waited_for(done);
}

bool Runtime::follows_device_memory() const {
  // Unmapping memory does not wait for work, not even that of the only stream.
  return stream_races.enabled() &&
         (streams.any_unordered() || memory.virtual_memory().has_ranges());
}

void Runtime::note_uses(const std::vector<MemoryUse>& uses, const MemoryUser& by) {
  const StreamWork& work = streams.running();
  if (follows_device_memory()) {
    if (const auto conflict = stream_races.add(work, uses, by)) {
      report(stream_race(resolve(by.api, by.frames), by.what, pending_use(*conflict),
                         conflict->later_writes));
    }
  }
  watch.add(work, uses, by);
}

void Runtime::reset() {
  const int device = current_device();
  waited("cudaDeviceReset", device);
  for (const GlobalMemory::Allocation* allocation : memory.leaks()) {
    if (allocation->device != device) continue;
    allocations.forget(allocation->base);
    (void)memory.free(allocation->base, "cudaDeviceReset");
  }
  arrays.forget_freed(memory);
  streams.reset(device);
  events.reset(device);
  for (int peer = 0; peer < settings.devices; ++peer) memory.set_peer_access(device, peer, false);
  if (settings.devices == 1) {
    // With several devices these may belong to another one; they stay until the program ends.
    images.clear();
    machine.images().clear();
    graphs = {};
    graph_memory = {};
    conditions = {};
  }
  this->device() = {};
  errors.reset();
}

void Runtime::report(Finding finding) {
  finding.order = {launches, std::numeric_limits<std::uint64_t>::max(), host_findings_++};
  findings.add(std::move(finding));
}

}  // namespace warpsim::cudart
