#include "emulator/cudart/call_replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>

#include "emulator/cudart/replay_file.h"
#include "emulator/cudart/replay_work.h"
#include "emulator/cudart/runtime.h"

namespace warpsim::cudart {
namespace {

/// Of the process, at the start: the program waits, and its time is limited.
constexpr double kLatestStart = 12;

/// Names come from the program.
bool is_file_name(const std::string& name) {
  return !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_';
  });
}

bool write_bytes(const std::filesystem::path& file, std::span<const std::byte> bytes) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out.write(reinterpret_cast<const char*>(bytes.data()),
            static_cast<std::streamsize>(bytes.size()));
  out.close();
  return static_cast<bool>(out);
}

/// Replays, and writes the outputs. @throws CannotReplay
void replay_into(const std::filesystem::path& folder, Runtime& runtime, const CallRecord& record,
                 DecoyInputs& inputs) {
  if (!record.problem().empty()) throw CannotReplay(record.problem());
  if (runtime.errors.faulted()) throw CannotReplay("a kernel failed");
  if (processor_seconds() > kLatestStart) throw CannotReplay("it takes too long");
  ReplayWork replay(runtime, record, &inputs);
  replay.run();
  for (std::size_t i = 0; i < runtime.announced.arrays().size(); ++i) {
    const AnnouncedArray& array = runtime.announced.arrays()[i];
    if (!array.is_output) continue;
    if (record.host_wrote_output(i)) throw CannotReplay("the host wrote an output itself");
    if (!is_file_name(array.name)) throw CannotReplay("an output has no name");
    if (!write_bytes(folder / replay_file::output(array.name), replay.output(array))) {
      throw CannotReplay("an output cannot be written");
    }
  }
}

}  // namespace

void replay(Runtime& runtime, const CallRecord& record, DecoyInputs& inputs,
            const std::filesystem::path& folder) {
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  std::string problem;
  try {
    replay_into(folder, runtime, record, inputs);
  } catch (const CannotReplay& reason) {
    problem = reason.what();
  }
  // A record that was given up has not seen all of them.
  const std::uint64_t host_reads =
      record.problem().empty() ? record.host_reads() : ~std::uint64_t{0};
  const std::string text =
      fmt::format("problem {}\nhost_reads {}\noutput_reads {}\nhost_bytes {}\n", problem,
                  host_reads, record.output_reads(), record.host_bytes());
  (void)write_bytes(folder / replay_file::kEnd, std::as_bytes(std::span(text)));
}

}  // namespace warpsim::cudart
