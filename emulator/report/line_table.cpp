#include "emulator/report/line_table.h"

#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

// Names and numbers are those of the DWARF standard, version 5, section 6.2.

namespace warpsim {
namespace {

using Bytes = std::span<const std::byte>;

/// Reads forward and never past the end: what is missing reads as zero and sets `failed`.
class Cursor {
 public:
  explicit Cursor(Bytes bytes) : rest_(bytes) {}

  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] bool at_end() const { return rest_.empty() || failed_; }
  [[nodiscard]] Bytes rest() const { return rest_; }

  template <class T>
  T read() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    const Bytes raw = take(sizeof(T));
    if (!raw.empty()) std::memcpy(&value, raw.data(), sizeof(T));
    return value;
  }

  Bytes take(std::uint64_t size) {
    if (size > rest_.size()) {
      failed_ = true;
      return {};
    }
    const Bytes result = rest_.first(size);
    rest_ = rest_.subspan(size);
    return result;
  }

  std::uint64_t read_unsigned() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; !failed_; shift += 7) {
      const auto byte = read<std::uint8_t>();
      if (shift < 64) value |= std::uint64_t{byte & 0x7fu} << shift;
      if ((byte & 0x80) == 0) break;
    }
    return value;
  }

  std::int64_t read_signed() {
    std::uint64_t value = 0;
    unsigned shift = 0;
    std::uint8_t byte = 0;
    do {
      byte = read<std::uint8_t>();
      if (shift < 64) value |= std::uint64_t{byte & 0x7fu} << shift;
      shift += 7;
    } while ((byte & 0x80) != 0 && !failed_);
    if (shift < 64 && (byte & 0x40) != 0) value |= ~std::uint64_t{0} << shift;
    return static_cast<std::int64_t>(value);
  }

  std::string_view read_text() {
    const auto* start = reinterpret_cast<const char*>(rest_.data());
    const std::size_t length = rest_.empty() ? 0 : ::strnlen(start, rest_.size());
    if (take(length + 1).empty()) return {};
    return {start, length};
  }

  /// A length or an offset: 4 bytes, or 8 in the 64-bit format.
  std::uint64_t read_offset(bool wide) {
    return wide ? read<std::uint64_t>() : read<std::uint32_t>();
  }

 private:
  Bytes rest_;
  bool failed_ = false;
};

struct Tables {
  Bytes line, line_text, text;
};

std::string_view text_in(Bytes table, std::uint64_t offset) {
  if (offset >= table.size()) return {};
  return Cursor(table.subspan(offset)).read_text();
}

struct Program {
  unsigned version = 0;
  bool wide = false;
  std::uint8_t instruction_length = 1;
  std::int8_t line_base = 0;
  std::uint8_t line_range = 1;
  std::uint8_t opcode_base = 1;
  Bytes opcode_lengths;
  std::vector<std::string_view> files;  // by number as the program says it
  Bytes code;
};

/// One value of an entry of version 5; the text when it is one.
std::string_view read_form(Cursor& in, const Program& program, const Tables& tables,
                           std::uint64_t form) {
  switch (form) {
    case 0x08:  // string
      return in.read_text();
    case 0x0e:  // strp
      return text_in(tables.text, in.read_offset(program.wide));
    case 0x1f:  // line_strp
      return text_in(tables.line_text, in.read_offset(program.wide));
    case 0x0f:  // udata
      (void)in.read_unsigned();
      return {};
    case 0x0b:  // data1
      (void)in.take(1);
      return {};
    case 0x05:  // data2
      (void)in.take(2);
      return {};
    case 0x06:  // data4
      (void)in.take(4);
      return {};
    case 0x07:  // data8
      (void)in.take(8);
      return {};
    case 0x1e:  // data16
      (void)in.take(16);
      return {};
    case 0x09:  // block
      (void)in.take(in.read_unsigned());
      return {};
    default:
      (void)in.take(~std::uint64_t{0});  // unknown: nothing behind it can be read
      return {};
  }
}

constexpr std::uint64_t kContentPath = 1;
constexpr std::size_t kMaxEntries = 1 << 20;

/// Folders or files of version 5: a list of forms, then entries of these.
std::vector<std::string_view> read_entries(Cursor& in, const Program& program,
                                           const Tables& tables) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> formats(in.read<std::uint8_t>());
  for (auto& [content, form] : formats) {
    content = in.read_unsigned();
    form = in.read_unsigned();
  }
  const std::uint64_t count = in.read_unsigned();
  std::vector<std::string_view> paths;
  if (formats.empty()) return paths;  // entries of no bytes: any number of them would fit
  for (std::uint64_t i = 0; i < count && !in.failed() && paths.size() < kMaxEntries; ++i) {
    std::string_view path;
    for (const auto& [content, form] : formats) {
      const std::string_view value = read_form(in, program, tables, form);
      if (content == kContentPath) path = value;
    }
    paths.push_back(path);
  }
  return paths;
}

/// Files of versions 2 to 4, which count from 1.
std::vector<std::string_view> read_old_files(Cursor& in) {
  while (!in.failed() && !in.read_text().empty()) {
  }
  std::vector<std::string_view> files = {{}};
  while (!in.failed()) {
    const std::string_view name = in.read_text();
    if (name.empty()) break;
    (void)in.read_unsigned();  // folder
    (void)in.read_unsigned();  // time
    (void)in.read_unsigned();  // size
    files.push_back(name);
  }
  return files;
}

/// The next program of the section, or nothing at its end.
std::optional<Program> read_program(Cursor& section, const Tables& tables) {
  if (section.at_end()) return std::nullopt;
  Program program;
  std::uint64_t length = section.read<std::uint32_t>();
  program.wide = length == 0xffffffff;
  if (program.wide) length = section.read<std::uint64_t>();
  Cursor unit(section.take(length));
  if (section.failed()) return std::nullopt;
  program.version = unit.read<std::uint16_t>();
  if (program.version < 2 || program.version > 5) return program;
  if (program.version >= 5) (void)unit.take(2);  // sizes of an address and of a segment selector
  Cursor header(unit.take(unit.read_offset(program.wide)));
  program.instruction_length = header.read<std::uint8_t>();
  if (program.version >= 4) (void)header.take(1);  // operations an instruction, for VLIW machines
  (void)header.take(1);  // default_is_stmt
  program.line_base = header.read<std::int8_t>();
  program.line_range = header.read<std::uint8_t>();
  program.opcode_base = header.read<std::uint8_t>();
  if (program.opcode_base > 0) {
    program.opcode_lengths = header.take(program.opcode_base - std::uint64_t{1});
  }
  if (program.version >= 5) {
    (void)read_entries(header, program, tables);  // folders
    program.files = read_entries(header, program, tables);
  } else {
    program.files = read_old_files(header);
  }
  if (header.failed() || program.line_range == 0 || program.opcode_base == 0) return program;
  program.code = unit.rest();
  return program;
}

/// The state machine of a line program; looks for the row that covers an address.
class Machine {
 public:
  Machine(const Program& program, std::uint64_t wanted) : program_(program), wanted_(wanted) {}

  std::optional<SourceLine> run() {
    Cursor in(program_.code);
    while (!in.at_end() && !found_) step(in);
    return found_;
  }

 private:
  struct Row {
    std::uint64_t address = 0;
    std::uint64_t file = 1;
    std::uint64_t line = 1;
  };

  void step(Cursor& in) {
    const auto opcode = in.read<std::uint8_t>();
    if (opcode >= program_.opcode_base) {
      const auto adjusted = static_cast<unsigned>(opcode - program_.opcode_base);
      advance(adjusted / program_.line_range);
      now_.line += static_cast<std::uint64_t>(std::int64_t{program_.line_base} +
                                              static_cast<int>(adjusted % program_.line_range));
      emit();
      return;
    }
    switch (opcode) {
      case 0:
        extended(in);
        return;
      case 1:  // copy
        emit();
        return;
      case 2:  // advance_pc
        advance(in.read_unsigned());
        return;
      case 3:  // advance_line
        now_.line += static_cast<std::uint64_t>(in.read_signed());
        return;
      case 4:  // set_file
        now_.file = in.read_unsigned();
        return;
      case 8:  // const_add_pc
        advance(static_cast<std::uint64_t>(255 - program_.opcode_base) / program_.line_range);
        return;
      case 9:  // fixed_advance_pc
        now_.address += in.read<std::uint16_t>();
        return;
      default:  // what does not move the row: skipped by its number of operands
        for (auto n = static_cast<unsigned>(program_.opcode_lengths[opcode - 1u]); n > 0; --n) {
          (void)in.read_unsigned();
        }
    }
  }

  void extended(Cursor& in) {
    Cursor body(in.take(in.read_unsigned()));
    const auto opcode = body.read<std::uint8_t>();
    if (opcode == 1) {  // end_sequence
      emit();
      now_ = {};
      last_.reset();
    } else if (opcode == 2) {  // set_address
      now_.address = body.read<std::uint64_t>();
    }
  }

  void advance(std::uint64_t operations) {
    now_.address += operations * program_.instruction_length;
  }

  void emit() {
    if (last_ && last_->address <= wanted_ && wanted_ < now_.address &&
        last_->file < program_.files.size() && last_->line != 0) {
      const std::string_view path = program_.files[last_->file];
      found_ = SourceLine{std::string(path.substr(path.rfind('/') + 1)),
                          static_cast<std::uint32_t>(last_->line)};
    }
    last_ = now_;
  }

  const Program& program_;
  std::uint64_t wanted_;
  Row now_;
  std::optional<Row> last_;
  std::optional<SourceLine> found_;
};

}  // namespace

std::optional<SourceLine> find_source_line(const ElfImage& image, std::uint64_t address) {
  const Tables tables = {.line = image.section(".debug_line"),
                         .line_text = image.section(".debug_line_str"),
                         .text = image.section(".debug_str")};
  Cursor section(tables.line);
  while (const auto program = read_program(section, tables)) {
    if (auto found = Machine(*program, address).run()) return found;
  }
  return std::nullopt;
}

}  // namespace warpsim
