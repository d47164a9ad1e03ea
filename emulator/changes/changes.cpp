#include "emulator/changes/changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "emulator/changes/read_number.h"

namespace warpsim {
namespace {

using Kind = Change::Kind;

constexpr std::uint32_t kMostThreads = 1024;  // along an axis of a block
constexpr std::uint32_t kLargestElement = 16;  // bytes: float4, double2

std::string_view base_name(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == path.npos ? path : path.substr(slash + 1);
}

/// The part after the last colon; `name` gets the part before it.
std::string_view take_name(std::string_view value, std::string& name) {
  const auto colon = value.rfind(':');
  if (colon == value.npos) return value;
  name = std::string(value.substr(0, colon));
  return value.substr(colon + 1);
}

/// Decimal, or hexadecimal after 0x.
bool read_word(std::string_view text, std::uint32_t& value) {
  const bool is_hex = text.starts_with("0x");
  const auto number = is_hex ? read_number(text.substr(2), 16) : read_number(text);
  value = number.value_or(0);
  return number.has_value();
}

bool read_line(std::string_view value, Change& change) {
  const std::string_view line = take_name(value, change.name);
  if (!read_word(line, change.first_line) || change.first_line == 0) return false;
  change.last_line = change.first_line;
  return true;
}

bool read_lines(std::string_view value, Change& change) {
  const auto dash = value.rfind('-');
  if (dash == value.npos) return read_line(value, change);
  if (!read_line(value.substr(0, dash), change)) return false;
  return read_word(value.substr(dash + 1), change.last_line) &&
         change.last_line >= change.first_line;
}

bool read_start(std::string_view value, Change& change) {
  return read_word(take_name(value, change.name), change.word);
}

bool read_outside(std::string_view value, Change& change) {
  return value == "all" || read_line(value, change);
}

bool read_blocks(std::string_view value, Change& change) {
  const std::string_view step = take_name(value, change.name);
  if (step.size() < 3 || step[0] < 'x' || step[0] > 'z') return false;
  change.axis = static_cast<std::uint8_t>(step[0] - 'x');
  change.fewer = step[1] == '-';
  const std::string_view by = step.substr(2);
  if (step[1] == '*') return read_word(by, change.times) && change.times > 1;
  return (step[1] == '+' || step[1] == '-') && by == "1";
}

bool read_exchange(std::string_view value, Change& change) {
  const std::string_view what = take_name(value, change.name);
  change.kind = what == "grid"     ? Kind::exchange_grid
                : what == "thread" ? Kind::exchange_thread
                                   : Kind::exchange_index;
  return what == "grid" || what == "index" || what == "thread";
}

bool read_pair(std::string_view value, Change& change) {
  const auto colon = value.rfind(':');
  if (colon == value.npos || !read_line(value.substr(0, colon), change)) return false;
  std::string_view rest = value.substr(colon + 1);
  if (rest == "tile") return true;
  IndexPairs& pairs = change.pairs;
  for (std::uint32_t* number : {&pairs.elements, &pairs.from, &pairs.to, &pairs.ordinal}) {
    const std::string_view part = rest.substr(0, rest.find('/'));
    if (!read_word(part, *number) || *number == 0) return false;
    if (part.size() == rest.size()) return number == &pairs.to || number == &pairs.ordinal;
    rest.remove_prefix(part.size() + 1);
  }
  return false;
}

bool read_block(std::string_view value, Change& change) {
  std::string_view sizes = take_name(value, change.name);
  if (sizes == "fit") {
    change.kind = Kind::fit;
    return true;
  }
  for (std::uint32_t& size : change.size) {
    const std::string_view part = sizes.substr(0, sizes.find('x'));
    if (!read_word(part, size) || size == 0 || size > kMostThreads) return false;
    if (part.size() == sizes.size()) return true;
    sizes.remove_prefix(part.size() + 1);
  }
  return false;
}

bool read_direction(std::string_view value, Change&) {
  return value == "pointers";
}

bool read_length(std::string_view value, Change& change) {
  const std::string_view pair = take_name(value, change.name);
  const auto slash = pair.find('/');
  return slash != pair.npos && read_word(pair.substr(0, slash), change.parameter) &&
         read_word(pair.substr(slash + 1), change.other) && change.parameter != change.other;
}

bool read_sign(std::string_view value, Change& change) {
  return take_name(value, change.name) == "bytes";
}

bool read_bytes(std::string_view value, Change& change) {
  const auto slash = value.find('/');
  if (slash == value.npos) return false;
  const std::string_view what = value.substr(0, slash);
  change.kind = what == "malloc" ? Kind::more_allocated
                : what == "copy" ? Kind::more_copied
                                 : Kind::more_set;
  return (what == "malloc" || what == "copy" || what == "set") &&
         read_word(value.substr(slash + 1), change.times) && change.times > 1 &&
         change.times <= kLargestElement;
}

bool read_edit(std::string_view value, Change& change) {
  std::optional<CodeEdit> edit = parse_code_edit(value);
  if (!edit) return false;
  change.first_line = change.last_line = edit->line;
  change.edit = *std::move(edit);
  return true;
}

struct Form {
  std::string_view key;
  Kind kind;
  bool (*read)(std::string_view value, Change& change);
  std::string_view value;  // for messages
};

constexpr auto kForms = std::to_array<Form>({
    {"barrier-before", Kind::barrier_before, read_line, "[FILE:]LINE"},
    {"barrier-after", Kind::barrier_after, read_line, "[FILE:]LINE"},
    {"in-turn", Kind::in_turn, read_lines, "[FILE:]LINE[-LINE]"},
    {"start", Kind::start, read_start, "[ARRAY:]WORD, four bytes: 0 or 0x7f800000"},
    {"outside", Kind::outside, read_outside, "all or [FILE:]LINE"},
    {"blocks", Kind::blocks, read_blocks, "[KERNEL:]x+1, x-1, x*TIMES, y+1, ..."},
    {"exchange", Kind::exchange_index, read_exchange,
     "[KERNEL:]index, [KERNEL:]grid or [KERNEL:]thread"},
    {"pair", Kind::exchange_pair, read_pair,
     "[FILE:]LINE:tile or [FILE:]LINE:ELEMENTS/FROM/TO[/ORDINAL], numbers above 0"},
    {"block", Kind::block, read_block, "[KERNEL:]X[xY[xZ]], each 1 to 1024, or [KERNEL:]fit"},
    {"direction", Kind::direction, read_direction, "pointers"},
    {"length", Kind::row_length, read_length, "[KERNEL:]PARAMETER/OTHER, two numbers from 0"},
    {"operands", Kind::exchange_operands, read_lines, "[FILE:]LINE[-LINE]"},
    {"sign", Kind::unsigned_bytes, read_sign, "[KERNEL:]bytes"},
    {"bytes", Kind::more_allocated, read_bytes,
     "malloc/TIMES, copy/TIMES or set/TIMES, 2 to 16 times"},
    {"edit", Kind::edit, read_edit, "FILE:LINE[.COLUMN]/OPCODE/PART/FROM/TO[#NUMBER]"},
});

std::string known_keys() {
  std::string keys;
  for (const Form& form : kForms) {
    keys += fmt::format("{}{}", keys.empty() ? "" : ", ", form.key);
  }
  return keys;
}

}  // namespace

bool Change::is_about(std::string_view file, std::uint32_t line) const {
  if (first_line != 0 && (line < first_line || line > last_line)) return false;
  return name.empty() || base_name(file) == base_name(name);
}

bool Change::is_about_function(std::string_view mangled) const {
  // Mangled names have each identifier's length before it.
  return name.empty() || mangled == name ||
         mangled.find(fmt::format("{}{}", name.size(), name)) != mangled.npos;
}

Changes::Changes(std::vector<Change> list) : list_(std::move(list)) {
  for (const Change& change : list_) {
    ChangeNote note;
    note.change = change.text;
    notes_.push_back(std::move(note));
  }
}

const Change* Changes::find(Change::Kind kind) const {
  const auto it = std::ranges::find(list_, kind, &Change::kind);
  return it == list_.end() ? nullptr : &*it;
}

void Changes::made(const Change& change, std::uint64_t places, bool outside_branch) {
  const std::lock_guard lock(mutex_);
  ChangeNote& note = notes_[static_cast<std::size_t>(&change - list_.data())];
  note.places += places;
  note.outside_branch = note.outside_branch || outside_branch;
}

void Changes::problem(const Change& change, std::string why) {
  const std::lock_guard lock(mutex_);
  std::string& known = notes_[static_cast<std::size_t>(&change - list_.data())].problem;
  if (known.empty()) known = std::move(why);
}

void Changes::problem(Change::Kind kind, const std::string& why) {
  for (const Change& change : list_) {
    if (change.kind == kind) problem(change, why);
  }
}

std::vector<ChangeNote> Changes::notes() const {
  const std::lock_guard lock(mutex_);
  return notes_;
}

std::optional<std::vector<Change>> parse_changes(std::string_view text, std::string& error) {
  std::vector<Change> changes;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(';'));
    text.remove_prefix(std::min(text.size(), one.size() + 1));
    if (one.empty()) continue;
    const std::string_view key = one.substr(0, one.find('='));
    const std::string_view value = one.substr(std::min(one.size(), key.size() + 1));
    const auto form = std::ranges::find(kForms, key, &Form::key);
    if (form == kForms.end()) {
      error = fmt::format("unknown change '{}'; known: {}", key, known_keys());
      return std::nullopt;
    }
    Change change;
    change.kind = form->kind;
    change.text = std::string(one);
    if (!form->read(value, change)) {
      error = fmt::format("change '{}': '{}' is not {}", key, value, form->value);
      return std::nullopt;
    }
    changes.push_back(std::move(change));
  }
  return changes;
}

}  // namespace warpsim
