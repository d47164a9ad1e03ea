#include <utility>

#include "emulator/counters/counters.h"
#include "emulator/recording/bytes.h"
#include "emulator/recording/calls.h"

// The file around the steps.

namespace warpsim::recording {
namespace {

/// The last byte is the version of the format. Version 1 has no variables and no calls, version 2
/// no extents of arrays and no lines that name a finding's array.
constexpr std::string_view kMagic{"warprec\x03", 8};
constexpr std::size_t kMostExtents = 16;

void put_sizes(std::string& to, const std::array<std::uint32_t, 3>& of) {
  for (const std::uint32_t one : of) put(to, std::uint64_t{one});
}

void put_numbers(std::string& to, const std::vector<std::uint32_t>& numbers) {
  put(to, numbers.size());
  for (const std::uint32_t one : numbers) put(to, std::uint64_t{one});
}

void put_arrays(std::string& to, const std::vector<Array>& arrays, bool shared) {
  put(to, arrays.size());
  for (const Array& array : arrays) {
    put(to, std::string_view(array.name));
    put(to, array.base);
    put(to, array.bytes);
    if (shared) put_numbers(to, array.extents);
  }
}

void put_finding(std::string& to, const NamedFinding& finding) {
  for (const std::string* text :
       {&finding.kind, &finding.severity, &finding.message, &finding.where, &finding.who,
        &finding.got, &finding.want, &finding.next}) {
    put(to, std::string_view(*text));
  }
  put(to, std::uint64_t{finding.file});
  put(to, std::uint64_t{finding.line});
  put(to, std::uint64_t{finding.other_file});
  put(to, std::uint64_t{finding.other_line});
  put(to, finding.count);
  put(to, finding.step ? std::uint64_t{*finding.step} + 1 : 0);
  put_lanes(to, finding.lanes);
  put_numbers(to, finding.naming);
  const bool between = finding.race && finding.race->other;
  put(to, std::uint64_t{!finding.race ? 0u : between ? 2u + finding.race->other->side : 1u});
  if (!finding.race) return;
  put(to, std::uint64_t{finding.race->shared});
  put(to, finding.race->address);
  for (std::size_t side = 0; side < 2; ++side) {
    put(to, std::uint64_t{finding.race->warp[side]});
    put(to, std::uint64_t{finding.race->lane[side]});
  }
  if (between) put_sizes(to, finding.race->other->block);
}

void put_output(std::string& to, const Output& output, std::uint64_t threads) {
  put(to, std::string_view(output.name));
  put(to, output.base);
  put(to, output.bytes);
  put(to, std::uint64_t{output.element_bytes});
  put(to, output.elements.size());
  // Neighbours mostly have neighbours as writers, and the same instruction.
  std::uint64_t writer = 0;
  std::uint64_t instruction = 0;
  for (const Output::Element& element : output.elements) {
    put(to, std::uint64_t{element.count});
    if (element.count == 0) continue;
    const std::uint64_t now = element.block * threads + element.thread;
    put_signed(to, now - writer);
    put_signed(to, element.instruction - instruction);
    writer = now + 1;
    instruction = element.instruction;
  }
}

void put_block(std::string& to, const Block& block) {
  put(to, block.launch);
  put(to, std::string_view(block.kernel));
  put_sizes(to, block.grid);
  put_sizes(to, block.block);
  put_sizes(to, block.id);
  put(to, block.dropped);
  put_arrays(to, block.shared, true);
  put_arrays(to, block.global, false);
  put(to, block.instructions.size());
  for (const Instruction& instruction : block.instructions) {
    put(to, std::uint64_t{instruction.file});
    put(to, std::uint64_t{instruction.line});
    put(to, std::string_view(instruction.text));
    put(to, std::uint64_t{instruction.access});
    put(to, std::uint64_t{instruction.element_bytes});
    put(to, static_cast<std::uint64_t>(instruction.type));
  }
  put(to, std::uint64_t{block.step_count});
  put(to, std::string_view(block.steps));
  put(to, block.findings.size());
  for (const NamedFinding& finding : block.findings) put_finding(to, finding);
  put(to, block.outputs.size());
  for (const Output& output : block.outputs) put_output(to, output, block.threads());
  put_variables(to, block.variables);
}

// -- reading --------------------------------------------------------------------------------------

std::string text(ByteReader& from) {
  return std::string(from.text());
}

std::vector<std::uint32_t> read_numbers(ByteReader& from, const char* what, std::uint32_t most) {
  std::vector<std::uint32_t> numbers(from.count(what));
  if (numbers.size() > kMostExtents) throw BadRecording("the recording has too long a list");
  for (std::uint32_t& one : numbers) {
    one = from.number32(most, what);
    if (one == 0) throw BadRecording("the recording has an invalid number");
  }
  return numbers;
}

std::vector<Array> read_arrays(ByteReader& from, bool extents) {
  std::vector<Array> arrays(from.count("number of arrays", 3));
  for (Array& array : arrays) {
    array.name = text(from);
    array.base = from.number();
    array.bytes = from.number();
    if (extents) array.extents = read_numbers(from, "extent", 1u << 20);
  }
  return arrays;
}

class Reader {
 public:
  explicit Reader(std::string_view bytes) : from_(bytes) {}

  Recording all() {
    if (from_.left() < kMagic.size() || from_.raw(7) != kMagic.substr(0, 7)) {
      throw BadRecording("the file is not a recording of warpsim");
    }
    version_ = from_.byte();
    if (version_ == 0 || version_ > static_cast<std::uint8_t>(kMagic.back())) {
      throw BadRecording("the recording has a version that this warpsim does not know");
    }
    Recording recording;
    recording.card = text(from_);
    read_files(recording);
    files_ = static_cast<std::uint32_t>(recording.files.size());
    recording.blocks.resize(from_.count("number of blocks", 20));
    for (Block& block : recording.blocks) read(block);
    recording.notes.resize(from_.count("number of notes"));
    for (std::string& note : recording.notes) note = text(from_);
    if (version_ >= 2) recording.calls = read_calls(from_, files_);
    if (!from_.at_end()) throw BadRecording("the recording has bytes after its end");
    return recording;
  }

 private:
  void read_files(Recording& recording) {
    recording.files.resize(from_.count("number of files", 3));
    for (File& file : recording.files) {
      file.name = text(from_);
      file.first_line = from_.number32(1u << 30, "line");
      file.lines.resize(from_.count("number of lines"));
      for (std::string& line : file.lines) line = text(from_);
    }
  }

  std::array<std::uint32_t, 3> triple(std::uint32_t least, std::uint32_t most) {
    std::array<std::uint32_t, 3> read = {};
    for (std::uint32_t& one : read) {
      one = from_.number32(most, "size");
      if (one < least) throw BadRecording("the recording has an invalid size");
    }
    return read;
  }

  void read(Block& block) {
    block.launch = from_.number();
    block.kernel = text(from_);
    block.grid = triple(1, 1u << 31);
    block.block = triple(1, 1024);
    block.id = triple(0, 1u << 31);
    if (block.threads() > kMostWarps * 32) {
      throw BadRecording("the recording has a block of too many threads");
    }
    block.dropped = from_.number();
    block.shared = read_arrays(from_, version_ >= 3);
    block.global = read_arrays(from_, false);
    block.instructions.resize(from_.count("number of instructions", 6));
    for (Instruction& instruction : block.instructions) {
      instruction.file = from_.number32(files_, "file");
      instruction.line = from_.number32(1u << 30, "line");
      instruction.text = text(from_);
      instruction.access =
          static_cast<std::uint8_t>(from_.number(kAccessKinds - 1, "kind of access"));
      instruction.element_bytes = static_cast<std::uint8_t>(from_.number(32, "element"));
      instruction.type = static_cast<ValueType>(from_.number(3, "type"));
    }
    block.step_count = from_.number32(1u << 30, "number of steps");
    block.steps = text(from_);
    if (block.step_count > block.steps.size()) throw BadRecording("the recording is truncated");
    for_each_step(block, [](const Step&) {});
    block.findings.resize(from_.count("number of findings", 18));
    for (NamedFinding& finding : block.findings) read(finding, block);
    block.outputs.resize(from_.count("number of arrays", 5));
    for (Output& output : block.outputs) read(output, block);
    if (version_ == 1) return;
    block.variables = read_variables(from_);
    for_each_change(block, [](const VariableChange&) {});
  }

  void read(NamedFinding& finding, const Block& block) {
    for (std::string* part : {&finding.kind, &finding.severity, &finding.message, &finding.where,
                              &finding.who, &finding.got, &finding.want, &finding.next}) {
      *part = text(from_);
    }
    finding.file = from_.number32(files_, "file");
    finding.line = from_.number32(1u << 30, "line");
    finding.other_file = from_.number32(files_, "file");
    finding.other_line = from_.number32(1u << 30, "line");
    finding.count = from_.number();
    const std::uint32_t step = from_.number32(block.step_count, "step");
    if (step != 0) finding.step = step - 1;
    finding.lanes = from_.lanes();
    if (version_ >= 3) finding.naming = read_numbers(from_, "line", 1u << 30);
    const std::uint32_t which = from_.number32(3, "flag");
    if (which == 0) return;
    NamedFinding::Race race;
    race.shared = from_.number(1, "flag") != 0;
    race.address = from_.number();
    for (std::size_t side = 0; side < 2; ++side) {
      race.warp[side] = from_.number32(kMostWarps - 1, "warp");
      race.lane[side] = from_.number32(31, "lane");
    }
    if (which >= 2) race.other = {.side = which - 2, .block = triple(0, 1u << 31)};
    finding.race = race;
  }

  void read(Output& output, const Block& block) {
    output.name = text(from_);
    output.base = from_.number();
    output.bytes = from_.number();
    output.element_bytes = from_.number32(kMostWidth, "element");
    if (output.element_bytes == 0) throw BadRecording("the recording has an invalid element");
    output.elements.resize(from_.count("number of elements"));
    std::uint64_t writer = 0;
    std::uint64_t instruction = 0;
    for (Output::Element& element : output.elements) {
      element.count = from_.number32(~0u, "count");
      if (element.count == 0) continue;
      writer += from_.difference();
      element.block = writer / block.threads();
      element.thread = static_cast<std::uint32_t>(writer % block.threads());
      ++writer;
      instruction += from_.difference();
      if (instruction >= block.instructions.size()) {
        throw BadRecording("the recording has an invalid instruction");
      }
      element.instruction = static_cast<std::uint32_t>(instruction);
    }
  }

  ByteReader from_;
  std::uint8_t version_ = 0;
  std::uint32_t files_ = 0;
};

}  // namespace

std::string encode(const Recording& recording) {
  std::string to(kMagic);
  put(to, std::string_view(recording.card));
  put(to, recording.files.size());
  for (const File& file : recording.files) {
    put(to, std::string_view(file.name));
    put(to, std::uint64_t{file.first_line});
    put(to, file.lines.size());
    for (const std::string& line : file.lines) put(to, std::string_view(line));
  }
  put(to, recording.blocks.size());
  for (const Block& block : recording.blocks) put_block(to, block);
  put(to, recording.notes.size());
  for (const std::string& note : recording.notes) put(to, std::string_view(note));
  put(to, recording.calls);
  return to;
}

std::size_t encoded_bytes(const Block& block) {
  std::string to;
  put_block(to, block);
  return to.size();
}

Recording decode(std::string_view bytes) {
  if (bytes.size() > kMostBytes) throw BadRecording("the recording is larger than 4 MiB");
  return Reader(bytes).all();
}

}  // namespace warpsim::recording
