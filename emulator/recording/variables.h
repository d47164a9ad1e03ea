#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The values of a block's variables in the course of its steps, where the program has debug
// information; docs/recordings.md describes the format.

namespace warpsim::recording {

struct Block;

/// How to show a variable's bytes.
enum class VariableType : std::uint8_t {
  bits,
  floating,
  signed_integer,
  unsigned_integer,
  boolean,
  character,
  pointer,
};

/// A number with a name: a variable, a member of one, or an element of a small array.
struct Variable {
  std::string name;  // "i", "p.x", "acc[2]"
  VariableType type = VariableType::bits;
  std::uint32_t bytes = 4;  // 1, 2, 4 or 8
};

/// The variables that a warp's lanes can see after a step. Those that are optimized out there have
/// a name and no value.
struct VisibleVariables {
  struct One {
    std::uint32_t variable = 0;  // number in the block's list
    bool has_place = true;
    bool operator==(const One&) const = default;
  };
  std::vector<One> list;
  bool operator==(const VisibleVariables&) const = default;
};

/// What a step has changed for a warp.
struct VariableChange {
  enum class Kind : std::uint8_t {
    visible,  // its lanes see the set `number` now
    values,  // `lanes` have `values` in the variable `number`
    none,  // `lanes` have no value in it: it is not initialized
  };
  Kind kind = Kind::values;
  std::uint32_t step = 0;
  std::uint32_t warp = 0;
  std::uint32_t number = 0;
  std::uint32_t lanes = 0;
  /// By lane, in the variable's lowest bytes; the others are 0.
  std::array<std::uint64_t, 32> values = {};
};

/// All of a block's variables.
struct VariableRecord {
  std::vector<Variable> list;
  std::vector<VisibleVariables> sets;
  std::uint32_t count = 0;
  std::string changes;  // encoded; see for_each_change
};

/// Encodes changes one after another, in the order of their steps.
class VariableWriter {
 public:
  /// @param variable  the one that a change of kind `values` or `none` is of
  void add(const VariableChange& change, const Variable& variable);
  void add_visible(std::uint32_t step, std::uint32_t warp, std::uint32_t set);
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  void begin(std::uint8_t form, const VariableChange& change);

  std::string bytes_;
  std::uint32_t count_ = 0;
  std::uint32_t step_ = 0, warp_ = 0, lanes_ = 0;
  std::vector<std::uint64_t> first_;  // by variable: the first number of its last row
};

/// Decodes them. @throws BadRecording
void for_each_change(const Block& block, const std::function<void(const VariableChange&)>& use);

void put_variables(std::string& to, const VariableRecord& variables);
/// @throws BadRecording
[[nodiscard]] VariableRecord read_variables(class ByteReader& from);

}  // namespace warpsim::recording
