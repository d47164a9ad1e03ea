#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "emulator/checkers/list.h"
#include "emulator/cudart/allocations.h"
#include "emulator/cudart/announced_call.h"
#include "emulator/cudart/arrays.h"
#include "emulator/cudart/call_memory.h"
#include "emulator/cudart/call_site.h"
#include "emulator/cudart/current_device.h"
#include "emulator/cudart/data_flow.h"
#include "emulator/cudart/error_state.h"
#include "emulator/cudart/events.h"
#include "emulator/cudart/graph_conditional.h"
#include "emulator/cudart/graph_memory.h"
#include "emulator/cudart/graphs.h"
#include "emulator/cudart/host_program.h"
#include "emulator/cudart/host_watch.h"
#include "emulator/cudart/modelled_time.h"
#include "emulator/cudart/progress_note.h"
#include "emulator/cudart/sent_to_host.h"
#include "emulator/cudart/stream_races.h"
#include "emulator/cudart/streams.h"
#include "emulator/cudart/textures.h"
#include "emulator/device/card.h"
#include "emulator/findings/finding.h"
#include "emulator/machine/launch.h"
#include "emulator/machine/memory.h"
#include "emulator/report/settings.h"

namespace warpsim::recording {
class Recorder;
}

namespace warpsim::cudart {

class Call;
class CallRecord;
class Decoy;
class DecoyInputs;

/// The state behind the API: the emulated devices of one process. Created by the first call that
/// needs it and never destroyed, since a program's static destructors may still call the runtime.
class Runtime {
 public:
  [[nodiscard]] static Runtime& get();
  /// Null if no call has needed the device yet.
  [[nodiscard]] static Runtime* existing();
  ~Runtime();

  /// Held during every call; recursive because a host function may call the runtime.
  std::recursive_timed_mutex mutex;
  /// The innermost call in progress; null while work runs that an earlier call submitted.
  const Call* call_in_progress = nullptr;
  const Settings settings;
  const Card& card = *settings.card;
  FindingLog findings;
  GlobalMemory memory{card.memory_bytes, HostProgram::get().pages(), settings.devices};
  Machine machine{card, memory, findings, settings.machine, all_checkers()};
  std::unique_ptr<recording::Recorder> recorder;  // null, except with --record
  ErrorState errors;
  Allocations allocations;
  /// The calls that made handles, mappings and ranges, by their numbers (VirtualMemory).
  struct VirtualMemoryOrigin {
    std::string_view api;  // a literal
    Frames frames;
  };
  std::unordered_map<std::uint64_t, VirtualMemoryOrigin> virtual_memory_origins;
  ArrayTable arrays;
  ImageDescriptions images;  // of textures and surfaces; the machine has the objects
  StreamTable streams{settings.devices};
  HostWatch watch{memory, settings.machine.checks.races};
  StreamRaces stream_races{memory, settings.machine.checks.races};
  EventTable events;
  GraphTable graphs;
  GraphMemory graph_memory;
  Conditions conditions;
  /// Never depends on the time that the emulator takes, so that events measure the same in every
  /// run.
  ModelledTime time{
      card, memory, streams,
      !settings.json_path.empty() || !settings.trace_path.empty() || !settings.record_path.empty(),
      settings.devices};
  ProgressNote progress{settings.progress_path};
  std::uint64_t launches = 0;
  std::uint64_t dropped_launches = 0;  // not run, as an earlier kernel had a fault
  AnnouncedCall announced;
  DataFlow data_flow{memory};  // of the announced call
  CallMemory call_memory;
  /// Null, except during an announced call with outputs in host memory that are to be delivered.
  std::unique_ptr<SentToHost> sent;
  std::unique_ptr<Decoy> decoy;  // null, except in a decoy run
  std::unique_ptr<CallRecord> record;  // of the announced call; null if no replay is wanted
  std::unique_ptr<DecoyInputs> other_inputs;  // of the replay
  std::vector<DeviceSettings> devices =
      std::vector<DeviceSettings>(static_cast<std::size_t>(settings.devices));

  [[nodiscard]] bool has_device(int device) const {
    return device >= 0 && device < settings.devices;
  }
  /// The settings of the current device.
  [[nodiscard]] DeviceSettings& device() {
    return devices[static_cast<std::size_t>(current_device())];
  }
  /// The device of a stream's work: the current one for an invalid handle.
  [[nodiscard]] int device_of(cudaStream_t stream);

  /// The harness announces its call. @returns false for an invalid announcement (hostile input)
  [[nodiscard]] bool call_begins(const HarnessCall& call);
  /// The announced call has returned. @returns false if none was in progress
  [[nodiscard]] bool call_ends();

  /// The record of the announced call while it runs; null if there is none.
  [[nodiscard]] CallRecord* recording() const {
    return announced.state() == AnnouncedCall::State::running ? record.get() : nullptr;
  }

  /// The host has waited for all work of one device, or of all. @param api  the call that waited
  void waited(std::string_view api, int device);
  void waited_for_all(std::string_view api);
  /// The host has waited for this work.
  void waited_for(const StreamClock& done, std::string_view api);
  /// This work is complete, and host code knows it, without a wait of the host.
  void completed(const StreamClock& done);
  /// Whether uses of memory that host code cannot touch are recorded, too.
  [[nodiscard]] bool follows_device_memory() const;
  /// Records memory use of the device's current work. @param uses  by address
  void note_uses(const std::vector<MemoryUse>& uses, const MemoryUser& by);
  /// Frees all memory of the current device and destroys its streams and events, and the graphs:
  /// cudaDeviceReset.
  void reset();

  /// Adds a finding of host code, ordered between the launches.
  void report(Finding finding);

 private:
  Runtime();
  /// Writes the outputs of the announced call to the file WARPSIM_CALL_OUTPUTS, if there is one.
  void deliver_outputs();
  std::uint64_t host_findings_ = 0;
};

/// The settings of this process, read from the environment at the first use. An invalid value ends
/// the process with a message, because a run with other settings than requested would be worse.
[[nodiscard]] const Settings& process_settings();
/// The debugger of this process, whose session begins at the first call; null: it is not debugged.
[[nodiscard]] Debugger* process_debugger();

}  // namespace warpsim::cudart
