#include "emulator/debug_info/dwarf.h"

#include <algorithm>
#include <set>
#include <utility>

// A reader of DWARF 2 (https://dwarfstd.org/doc/dwarf-2.0.0.pdf), as far as nvcc writes it. Numbers
// of tags, attributes, forms and operations are those of its section 7.

namespace warpsim::debug {
namespace {

enum Tag : std::uint64_t {
  kArrayType = 0x01,
  kClassType = 0x02,
  kEnumerationType = 0x04,
  kFormalParameter = 0x05,
  kLexicalBlock = 0x0b,
  kMember = 0x0d,
  kPointerType = 0x0f,
  kReferenceType = 0x10,
  kStructureType = 0x13,
  kTypedef = 0x16,
  kUnionType = 0x17,
  kSubrangeType = 0x21,
  kBaseType = 0x24,
  kEnumerator = 0x28,
  kSubprogram = 0x2e,
  kVariable = 0x34,
};

enum Attribute : std::uint64_t {
  kLocation = 0x02,
  kName = 0x03,
  kByteSize = 0x0b,
  kLowPc = 0x11,
  kHighPc = 0x12,
  kConstValue = 0x1c,
  kUpperBound = 0x2f,
  kCount = 0x37,
  kMemberLocation = 0x38,
  kEncoding = 0x3e,
  kTypeReference = 0x49,
};

enum Operation : std::uint8_t { kAddress = 0x03, kPlusConstant = 0x23, kRegister = 0x90 };

/// Reads numbers from a section; past its end they are 0.
class Cursor {
 public:
  Cursor(const DebugSection& section, std::uint64_t at) : section_(section), at_(at) {}

  [[nodiscard]] std::uint64_t at() const { return at_; }
  [[nodiscard]] bool ended() const { return at_ >= section_.bytes.size(); }
  void skip(std::uint64_t bytes) {
    at_ = std::min<std::uint64_t>(at_ + bytes, section_.bytes.size());
  }
  std::uint64_t number(std::size_t bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes && !ended(); ++i) {
      value |= std::uint64_t{section_.bytes[at_++]} << (8 * i);
    }
    return value;
  }
  std::uint64_t uleb() {
    std::uint64_t value = 0;
    for (int shift = 0; !ended(); shift += 7) {
      const std::uint8_t byte = section_.bytes[at_++];
      if (shift < 64) value |= std::uint64_t{byte & 0x7fu} << shift;
      if ((byte & 0x80) == 0) break;
    }
    return value;
  }
  std::int64_t sleb() {
    std::uint64_t value = 0;
    int shift = 0;
    std::uint8_t byte = 0x80;
    while (!ended() && (byte & 0x80) != 0) {
      byte = section_.bytes[at_++];
      if (shift < 64) value |= std::uint64_t{byte & 0x7fu} << shift;
      shift += 7;
    }
    if (shift < 64 && (byte & 0x40) != 0) value |= ~std::uint64_t{0} << shift;
    return static_cast<std::int64_t>(value);
  }
  std::string text() {
    std::string result;
    while (!ended() && section_.bytes[at_] != 0) result += static_cast<char>(section_.bytes[at_++]);
    skip(1);
    return result;
  }
  /// The name that stands in the place of the bytes here, or null.
  [[nodiscard]] const DebugSection::Symbol* symbol() const {
    const auto found = section_.symbols.find(at_);
    return found == section_.symbols.end() ? nullptr : &found->second;
  }

 private:
  const DebugSection& section_;
  std::uint64_t at_;
};

/// An attribute's value, in whichever of these its form has it.
struct Attributed {
  std::uint64_t number = 0;
  std::int64_t is_signed = 0;
  std::string text;
  std::uint64_t block = 0, block_bytes = 0;  // an offset in .debug_info
  bool is_block = false;
  const DebugSection::Symbol* symbol = nullptr;
};

struct Entry {
  std::uint64_t offset = 0;  // from the unit's start
  std::uint64_t tag = 0;
  std::map<std::uint64_t, Attributed> attributes;
  std::vector<Entry> children;

  [[nodiscard]] const Attributed* find(std::uint64_t attribute) const {
    const auto found = attributes.find(attribute);
    return found == attributes.end() ? nullptr : &found->second;
  }
  [[nodiscard]] std::string name() const {
    const Attributed* found = find(kName);
    return found == nullptr ? std::string() : found->text;
  }
  [[nodiscard]] std::uint64_t number(std::uint64_t attribute) const {
    const Attributed* found = find(attribute);
    return found == nullptr ? 0 : found->number;
  }
};

struct Abbreviation {
  std::uint64_t tag = 0;
  bool has_children = false;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> attributes;  // and their forms
};

/// Deeper ones are damaged.
constexpr int kMostLevels = 64;

}  // namespace

std::string register_name(std::uint64_t number) {
  std::string name;
  for (; number != 0; number >>= 8) name += static_cast<char>(number & 0xff);
  std::ranges::reverse(name);
  return name;
}

const VariablePlace* DebugVariable::at(std::uint32_t instruction) const {
  for (const Range& range : ranges) {
    if (instruction >= range.begin && instruction < range.end) return &range.place;
  }
  return nullptr;
}

class DebugInfo::Reader {
 public:
  Reader(const ptx::Module& module, Types& types, DebugInfo& info)
      : module_(module), types_(types), info_(info), sections_(module) {}

  void read() {
    const DebugSection& section = sections_.section("debug_info");
    Cursor cursor(section, 0);
    while (!cursor.ended()) {
      unit_ = cursor.at();
      const std::uint64_t length = cursor.number(4);
      const std::uint64_t end = cursor.at() + length;
      cursor.skip(2);  // version
      read_abbreviations(cursor.number(4));
      cursor.skip(1);  // bytes of an address: 8
      root_ = {};
      read_children(cursor, root_, 0);
      by_offset_.clear();
      made_.clear();
      index(root_);
      find_functions(root_);
      if (end <= cursor.at() || end <= unit_) break;
      cursor.skip(end - cursor.at());
    }
  }

 private:
  void read_abbreviations(std::uint64_t offset) {
    abbreviations_.clear();
    Cursor cursor(sections_.section("debug_abbrev"), offset);
    while (!cursor.ended()) {
      const std::uint64_t code = cursor.uleb();
      if (code == 0) return;
      Abbreviation& abbreviation = abbreviations_[code];
      abbreviation.tag = cursor.uleb();
      abbreviation.has_children = cursor.number(1) != 0;
      for (;;) {
        const std::uint64_t attribute = cursor.uleb(), form = cursor.uleb();
        if (cursor.ended() || (attribute == 0 && form == 0)) break;
        abbreviation.attributes.emplace_back(attribute, form);
      }
    }
  }

  /// @returns false when the form is not known, so that nothing after it can be read
  bool read_value(Cursor& cursor, std::uint64_t form, Attributed& value) {
    value.symbol = cursor.symbol();
    const auto number = [&](std::size_t bytes) { value.number = cursor.number(bytes); };
    const auto block = [&](std::uint64_t bytes) {
      value.is_block = true;
      value.block = cursor.at();
      value.block_bytes = bytes;
      cursor.skip(bytes);
    };
    switch (form) {
      case 0x01:  // addr
      case 0x07:  // data8
      case 0x14:  // ref8
        number(8);
        break;
      case 0x03:
        block(cursor.number(2));
        return true;
      case 0x04:
        block(cursor.number(4));
        return true;
      case 0x05:
      case 0x12:
        number(2);
        break;
      case 0x06:  // data4
      case 0x10:  // ref_addr
      case 0x13:  // ref4
      case 0x17:  // sec_offset
        number(4);
        break;
      case 0x08:
        value.text = cursor.text();
        return true;
      case 0x09:
      case 0x18:  // exprloc
        block(cursor.uleb());
        return true;
      case 0x0a:
        block(cursor.number(1));
        return true;
      case 0x0b:
      case 0x0c:
      case 0x11:
        number(1);
        break;
      case 0x0d:
        value.is_signed = cursor.sleb();
        value.number = static_cast<std::uint64_t>(value.is_signed);
        return true;
      case 0x0e: {  // strp
        const DebugSection& strings = sections_.section("debug_str");
        std::uint64_t at = cursor.number(4);
        if (value.symbol != nullptr) {
          const auto label = strings.labels.find(value.symbol->name);
          if (label != strings.labels.end()) at = label->second + value.symbol->add;
        }
        value.text = Cursor(strings, at).text();
        return true;
      }
      case 0x0f:
      case 0x15:
        value.number = cursor.uleb();
        break;
      case 0x19:  // flag_present
        value.number = 1;
        break;
      default:
        return false;
    }
    value.is_signed = static_cast<std::int64_t>(value.number);
    return true;
  }

  /// Entries up to the end of their parent. @returns false when the rest cannot be read
  bool read_children(Cursor& cursor, Entry& parent, int level) {
    while (!cursor.ended() && level < kMostLevels) {
      Entry entry;
      entry.offset = cursor.at() - unit_;
      const std::uint64_t code = cursor.uleb();
      if (code == 0) return true;
      const auto found = abbreviations_.find(code);
      if (found == abbreviations_.end()) return false;
      entry.tag = found->second.tag;
      for (const auto& [attribute, form] : found->second.attributes) {
        if (!read_value(cursor, form, entry.attributes[attribute])) return false;
      }
      const bool has_children = found->second.has_children;
      parent.children.push_back(std::move(entry));
      if (has_children && !read_children(cursor, parent.children.back(), level + 1)) return false;
      if (level == 0) return true;  // the unit's own entry
    }
    return true;
  }

  void index(const Entry& entry) {
    for (const Entry& child : entry.children) {
      by_offset_[child.offset] = &child;
      index(child);
    }
  }

  // -- types ----------------------------------------------------------------------------------
  const Type* type_of(const Entry& entry) {
    const Attributed* reference = entry.find(kTypeReference);
    return reference == nullptr ? types_.named("void") : type_at(reference->number);
  }

  const Type* type_at(std::uint64_t offset) {
    if (const auto known = made_.find(offset); known != made_.end()) return known->second;
    const auto found = by_offset_.find(offset);
    if (found == by_offset_.end() || making_.size() > kMostLevels) return types_.named("void");
    if (!making_.insert(offset).second) return types_.named("void");  // a type that contains itself
    const Type* made = make(*found->second, offset);
    making_.erase(offset);
    made_[offset] = made;
    return made;
  }

  const Type* make(const Entry& entry, std::uint64_t offset) {
    switch (entry.tag) {
      case kBaseType:
        return base_type(entry);
      case kPointerType:
      case kReferenceType:
        return pointer(entry, offset);
      case kStructureType:
      case kClassType:
      case kUnionType:
        return structure(entry, offset);
      case kArrayType:
        return array(entry);
      case kEnumerationType:
        return enumeration(entry);
      default:  // typedef, const, volatile
        return type_of(entry);
    }
  }

  const Type* base_type(const Entry& entry) {
    // Encodings: 2 boolean, 4 float, 5 signed, 6 signed char, 7 unsigned, 8 unsigned char.
    const std::uint64_t encoding = entry.number(kEncoding);
    using Kind = Type::Kind;
    const Kind kind = encoding == 2                    ? Kind::boolean
                      : encoding == 4                  ? Kind::real
                      : encoding == 6                  ? Kind::character
                      : encoding == 7 || encoding == 8 ? Kind::natural
                                                       : Kind::integer;
    return &types_.add({.kind = kind, .name = entry.name(), .size = entry.number(kByteSize)});
  }

  /// Pointers in a structure may lead to it: the pointer is there before its target.
  const Type* pointer(const Entry& entry, std::uint64_t offset) {
    Type& type = types_.add({.kind = Type::Kind::pointer, .name = {}, .size = 8});
    type.target = types_.named("void");
    made_[offset] = &type;
    type.target = type_of(entry);
    type.name = type.target->name + "*";
    return &type;
  }

  const Type* structure(const Entry& entry, std::uint64_t offset) {
    Type& type = types_.add({.kind = Type::Kind::structure,
                             .name = entry.name().empty() ? "struct" : entry.name(),
                             .size = entry.number(kByteSize)});
    made_[offset] = &type;
    for (const Entry& child : entry.children) {
      if (child.tag != kMember || child.name().empty()) continue;
      std::uint64_t at = 0;
      if (const Attributed* where = child.find(kMemberLocation)) {
        at = where->number;
        if (where->is_block) {
          Cursor cursor(sections_.section("debug_info"), where->block);
          at = cursor.number(1) == kPlusConstant ? cursor.uleb() : 0;
        }
      }
      const Type* member = type_of(child);
      if (member->size != 0 && at + member->size <= type.size) {
        type.members.push_back({child.name(), at, member});
      }
    }
    return &type;
  }

  const Type* array(const Entry& entry) {
    std::vector<std::uint64_t> counts;
    for (const Entry& child : entry.children) {
      if (child.tag != kSubrangeType) continue;
      if (child.find(kCount) != nullptr) {
        counts.push_back(child.number(kCount));
      } else if (child.find(kUpperBound) != nullptr) {
        counts.push_back(child.number(kUpperBound) + 1);
      } else {
        counts.push_back(0);
      }
    }
    const Type* type = type_of(entry);
    for (; !counts.empty(); counts.pop_back()) type = types_.array_of(type, counts.back());
    return type;
  }

  const Type* enumeration(const Entry& entry) {
    Type& type = types_.add(
        {.kind = Type::Kind::enumeration, .name = entry.name(), .size = entry.number(kByteSize)});
    for (const Entry& child : entry.children) {
      const Attributed* value = child.find(kConstValue);
      if (child.tag == kEnumerator && value != nullptr) {
        type.names.emplace_back(child.name(), value->is_signed);
      }
    }
    return &type;
  }

  // -- functions and variables ----------------------------------------------------------------
  CodePlace code_place(const Entry& entry, std::uint64_t attribute) const {
    const Attributed* found = entry.find(attribute);
    return found == nullptr || found->symbol == nullptr ? CodePlace{}
                                                        : sections_.label(found->symbol->name);
  }

  void find_functions(const Entry& entry) {
    for (const Entry& child : entry.children) {
      if (child.tag == kVariable) {
        const Attributed* where = child.find(kLocation);
        if (where == nullptr || !where->is_block || child.name().empty()) continue;
        DebugVariable variable;
        variable.name = child.name();
        variable.type = type_of(child);
        variable.ranges = ranges(*where);
        info_.globals_.push_back(std::move(variable));
        continue;
      }
      if (child.tag != kSubprogram) {
        find_functions(child);
        continue;
      }
      const CodePlace begin = code_place(child, kLowPc);
      if (begin.function == ptx::kNoIndex) continue;
      function_ = begin.function;
      find_variables(child, 0, ptx::kNoIndex, info_.by_function_[function_], 0);
    }
  }

  void find_variables(const Entry& block, std::uint32_t begin, std::uint32_t end,
                      std::vector<DebugVariable>& variables, int level) {
    if (level > kMostLevels) return;
    for (const Entry& child : block.children) {
      if (child.tag == kFormalParameter || child.tag == kVariable) {
        DebugVariable variable;
        variable.name = child.name();
        variable.type = type_of(child);
        variable.is_parameter = child.tag == kFormalParameter;
        variable.begin = begin;
        variable.end = end;
        if (const Attributed* where = child.find(kLocation)) variable.ranges = ranges(*where);
        if (!variable.name.empty()) variables.push_back(std::move(variable));
      } else if (child.tag == kLexicalBlock) {
        const CodePlace low = code_place(child, kLowPc), high = code_place(child, kHighPc);
        const bool known = low.function == function_ && high.function == function_;
        find_variables(child, known ? low.instruction : begin, known ? high.instruction : end,
                       variables, level + 1);
      }
    }
  }

  std::vector<DebugVariable::Range> ranges(const Attributed& where) {
    if (where.is_block) {
      const DebugSection& info = sections_.section("debug_info");
      return {{0, ptx::kNoIndex, place(info, where.block, where.block_bytes)}};
    }
    std::vector<DebugVariable::Range> result;
    const DebugSection& list = sections_.section("debug_loc");
    Cursor cursor(list, where.number);
    while (!cursor.ended()) {
      const DebugSection::Symbol* const low = cursor.symbol();
      cursor.skip(8);
      const DebugSection::Symbol* const high = cursor.symbol();
      cursor.skip(8);
      if (low == nullptr || high == nullptr) break;  // two zeros end a list
      const std::uint64_t bytes = cursor.number(2);
      const CodePlace begin = sections_.label(low->name), end = sections_.label(high->name);
      if (begin.function == function_ && end.function == function_) {
        result.push_back({begin.instruction, end.instruction, place(list, cursor.at(), bytes)});
      }
      cursor.skip(bytes);
    }
    return result;
  }

  static VariablePlace place(const DebugSection& section, std::uint64_t at, std::uint64_t bytes) {
    VariablePlace place;
    Cursor cursor(section, at);
    const std::uint64_t end = at + bytes;
    while (cursor.at() < end && !cursor.ended()) {
      switch (cursor.number(1)) {
        case kAddress: {
          const DebugSection::Symbol* const symbol = cursor.symbol();
          cursor.skip(8);
          if (symbol == nullptr || place.kind != VariablePlace::Kind::unknown) return {};
          place = {VariablePlace::Kind::symbol, std::string(symbol->name), symbol->add};
          break;
        }
        case kPlusConstant:
          if (place.kind != VariablePlace::Kind::symbol) return {};
          place.add += cursor.uleb();
          break;
        case kRegister:
          if (place.kind != VariablePlace::Kind::unknown) return {};
          place = {VariablePlace::Kind::reg, register_name(cursor.uleb()), 0};
          break;
        default:
          return {};
      }
    }
    return place;
  }

  const ptx::Module& module_;
  Types& types_;
  DebugInfo& info_;
  DebugSections sections_;
  std::uint64_t unit_ = 0;
  std::map<std::uint64_t, Abbreviation> abbreviations_;
  Entry root_;
  std::map<std::uint64_t, const Entry*> by_offset_;
  std::map<std::uint64_t, const Type*> made_;
  std::set<std::uint64_t> making_;
  std::uint32_t function_ = ptx::kNoIndex;
};

DebugInfo::DebugInfo(const ptx::Module& module, Types& types) {
  Reader(module, types, *this).read();
}

DebugInfo::~DebugInfo() = default;

const std::vector<DebugVariable>& DebugInfo::variables(std::uint32_t function) const {
  static const std::vector<DebugVariable> none;
  const auto found = by_function_.find(function);
  return found == by_function_.end() ? none : found->second;
}

}  // namespace warpsim::debug
