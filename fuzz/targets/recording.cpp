#include "emulator/recording/recording.h"

#include "fuzz/input.h"

// A recording: what is accepted can be written again, and is the same then.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpsim::recording;
  try {
    const Recording recording = decode(fuzz::text_of(data, size));
    const std::string bytes = encode(recording);
    fuzz::require(encode(decode(bytes)) == bytes);
    for (const Block& block : recording.blocks) {
      for_each_step(block, [&](const Step& step) {
        fuzz::require(step.instruction < block.instructions.size());
        fuzz::require(step.warp * 32 < block.threads());
      });
      for_each_change(block, [&](const VariableChange& change) {
        fuzz::require(change.step < block.step_count);
        fuzz::require(change.warp * 32 < block.threads());
      });
    }
  } catch (const BadRecording&) {
  }
  return 0;
}
