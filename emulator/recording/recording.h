#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "emulator/machine/observer.h"
#include "emulator/recording/variables.h"

// What a block of a launch did, step by step, as a file: docs/recordings.md describes the format.

namespace warpsim::recording {

/// No file has more bytes than this.
constexpr std::size_t kMostBytes = std::size_t{4} << 20;
constexpr std::uint32_t kMostWarps = 64;
constexpr std::uint32_t kMostWidth = 32;  // bytes per lane of an access
constexpr std::uint64_t kMostElements = 1 << 16;  // of all output arrays

/// Thrown for a file that is not a recording, truncated or forged. what() is one line.
class BadRecording : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// How to show the bytes of an element.
enum class ValueType : std::uint8_t { bits, floating, signed_integer, unsigned_integer };

/// A static instruction that was executed. Several that have the same place and access nothing are
/// one.
struct Instruction {
  std::uint32_t file = 0;  // by number, from 1; 0: not known
  std::uint32_t line = 0;
  std::string text;  // of the PTX
  std::uint8_t access = 0;  // AccessKind
  std::uint8_t element_bytes = 0;
  ValueType type = ValueType::bits;
};

/// What a warp did next.
struct Step {
  enum class Kind : std::uint8_t {
    run,  // `count` instructions that access no recorded memory
    access,
    arrive,  // at barrier `count`
    complete,  // barrier `count`: all that it waits for are there
    diverge,  // the lanes `other` of `lanes` go elsewhere
    fault,  // an access out of bounds, which was not made
    leave,  // lanes end
  };
  Kind kind = Kind::run;
  std::uint32_t warp = 0;
  std::uint32_t instruction = 0;  // number in the block's list
  std::uint32_t lanes = 0;
  std::uint32_t count = 0;
  std::uint32_t other = 0;

  // Of an access or a fault.
  AccessType type = AccessType::load;
  bool shared = false;  // else global
  std::uint32_t width = 0;  // bytes per lane
  std::array<std::uint64_t, 32> address = {};  // by lane; in shared memory offsets
  /// As the counters of the run have them: sectors or wavefronts, and the fewest for these bytes.
  std::uint32_t passes = 0, ideal = 0;
  std::vector<std::byte> values;  // of the lanes, in order, `width` bytes each; empty: not known
};

struct Array {
  std::string name;
  std::uint64_t base = 0, bytes = 0;
  std::vector<std::uint32_t> extents = {};  // of shared memory, outermost first; empty: not known
};

/// A finding of the block, and where in its steps.
struct NamedFinding {
  std::string kind, severity, message;
  std::string where, who, got, want, next;
  std::uint32_t file = 0, line = 0, other_file = 0, other_line = 0;
  std::uint64_t count = 1;
  std::optional<std::uint32_t> step;
  std::uint32_t lanes = 0;  // of the step; 0: not known
  /// Lines near `line` that name the array of the finding, where `line` itself does not.
  std::vector<std::uint32_t> naming = {};
  /// Of a race: a common byte, and the two threads, as the emulator ran them.
  struct Race {
    bool shared = false;
    std::uint64_t address = 0;
    std::array<std::uint32_t, 2> warp = {}, lane = {};
    /// Of a race between blocks: which of the two threads is in the other one, and that one's
    /// index.
    struct Other {
      std::uint32_t side = 0;
      std::array<std::uint32_t, 3> block = {};
    };
    std::optional<Other> other;
  };
  std::optional<Race> race;
};

/// Who wrote the elements of an array of global memory, in the whole launch.
struct Output {
  std::string name;
  std::uint64_t base = 0, bytes = 0;
  std::uint32_t element_bytes = 0;
  struct Element {
    std::uint32_t count = 0;  // of writes; 0: none, and the rest says nothing
    std::uint64_t block = 0;  // of the last one, in the order of blocks
    std::uint32_t thread = 0;  // in the block
    std::uint32_t instruction = 0;  // in the block's list
  };
  std::vector<Element> elements;  // the first ones
};

struct Block {
  std::uint64_t launch = 0;  // its number, from 1
  std::string kernel;
  std::array<std::uint32_t, 3> grid = {1, 1, 1}, block = {1, 1, 1}, id = {0, 0, 0};
  std::uint64_t dropped = 0;  // warp instructions after the limit, which are not in the steps
  std::vector<Array> shared, global;
  std::vector<Instruction> instructions;
  std::uint32_t step_count = 0;
  std::string steps;  // encoded; see for_each_step
  std::vector<NamedFinding> findings;
  std::vector<Output> outputs;
  VariableRecord variables;  // empty without debug information

  [[nodiscard]] std::uint64_t threads() const {
    return std::uint64_t{block[0]} * block[1] * block[2];
  }
};

struct File {
  std::string name;  // without folders
  std::uint32_t first_line = 1;  // of `lines`
  std::vector<std::string> lines;  // empty: the text is not known
};

/// An operation of a stream, or a wait of the host: one of emulator/timeline/timeline.h. Times are
/// modelled milliseconds.
struct Call {
  std::uint8_t kind = 0;  // OperationKind
  std::string name;
  std::uint32_t device = 0;
  std::uint64_t stream = 0;  // id; 0: the default stream of the device
  std::uint8_t engine = 0;  // EngineKind
  /// The devices of a copy between two: from, to.
  std::optional<std::array<std::uint32_t, 2>> between;
  std::uint64_t bytes = 0;
  bool pageable = false;
  double ready_ms = 0, begin_ms = 0, end_ms = 0;  // from ready to begin it waits for the engine
  std::uint32_t file = 0, line = 0;  // of the program's call, as those of an instruction
  /// Numbers of calls before it that it waits for, besides the one before it in its stream.
  std::vector<std::uint32_t> after;
};

/// What the program asked of its streams.
struct Calls {
  double begin_ms = 0, end_ms = 0;  // of the program, or of the function that a harness called
  double overlap_ms = 0;  // of that, when two engines of a device were busy
  std::uint64_t left_out = 0;  // after the last one
  std::vector<Call> list;  // in order of submission
};

struct Recording {
  std::string card;
  std::vector<File> files;
  std::vector<Block> blocks;
  std::vector<std::string> notes;  // what was left out, for the reader
  Calls calls;
};

/// Encodes the steps of a block one after another.
class StepWriter {
 public:
  void add(const Step& step);
  /// The same as add() of a step of kind run.
  void add_run(std::uint32_t warp, std::uint32_t instruction, std::uint32_t lanes,
               std::uint32_t count);
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  void begin(Step::Kind kind, std::uint32_t warp, std::uint32_t instruction, std::uint32_t lanes);

  std::string bytes_;
  std::uint32_t count_ = 0;
  std::uint32_t warp_ = 0;
  std::array<std::uint32_t, kMostWarps> lanes_ = {}, instruction_ = {};
  std::vector<std::uint64_t> first_;  // by instruction: the first address of its last access
};

/// Decodes them. @throws BadRecording
void for_each_step(const Block& block, const std::function<void(const Step&)>& use);

/// The file's bytes.
[[nodiscard]] std::string encode(const Recording& recording);
/// How many of them a block takes.
[[nodiscard]] std::size_t encoded_bytes(const Block& block);
/// Reads and checks a file that anybody may have written; all its numbers are within bounds then.
/// @throws BadRecording
[[nodiscard]] Recording decode(std::string_view bytes);

}  // namespace warpsim::recording
