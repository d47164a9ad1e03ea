#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "harness/data/array.h"
#include "harness/data/dataset.h"

namespace warpgrade {

/// A floating-point output, exact up to float64's rounding, whatever its type: to be filled by the
/// golden function.
struct GoldenFloats {
  std::span<double> want;
  /// The factor of the relative error: |want| if the result is rounded once, sum |a_i b_i| for a
  /// sum of products. docs/tolerance.md derives each lab's.
  std::span<double> condition;
};

/// The inputs and outputs of a golden function. Everything is inline: a golden library needs only
/// this header.
class GoldenCall {
 public:
  struct Output {
    ElementType type = ElementType::f32;
    std::vector<double> want;
    std::vector<double> condition;  // negative if it was not set
    std::vector<std::int64_t> exact;
    bool asked_for = false;
  };

 private:
  // Inline, unlike is_float(), so that a golden library needs no object of the harness.
  static bool is_float_type(ElementType type) {
    return type == ElementType::f32 || type == ElementType::f64 || type == ElementType::f16 ||
           type == ElementType::bf16;
  }

  template <class Map>
  static auto& find(Map& map, const std::string& name, const char* what) {
    const auto found = map.find(name);
    if (found == map.end()) {
      throw std::invalid_argument(std::string("golden: the lab has no ") + what + " '" + name +
                                  "'");
    }
    return found->second;
  }

 public:
  GoldenCall(const Dims& dims, const std::map<std::string, Array>& inputs,
             std::map<std::string, Output>& outputs, const NamedSettings& named = {})
      : dims_(dims), inputs_(inputs), outputs_(outputs), named_(named) {}

  [[nodiscard]] std::int64_t dim(const std::string& name) const { return find(dims_, name, "dim"); }

  /// The name of a setting's value, from [[setting]] in lab.toml: "max".
  [[nodiscard]] const std::string& setting(const std::string& name) const {
    return find(named_, name, "setting with names").at(static_cast<std::size_t>(dim(name)));
  }

  /// The elements of an input; for an inout parameter, before the call.
  template <class T>
  [[nodiscard]] std::span<const T> input(const std::string& name) const {
    const Array& array = find(inputs_, name, "input");
    if (array.type != element_type_of<T>()) {
      throw std::invalid_argument("golden: input '" + name + "' has another element type");
    }
    return array.as<T>();
  }

  /// A floating-point output.
  [[nodiscard]] GoldenFloats floats(const std::string& name) const {
    Output& output = find(outputs_, name, "output");
    if (!is_float_type(output.type)) {
      throw std::invalid_argument("golden: output '" + name + "' holds integers");
    }
    output.asked_for = true;
    return {.want = output.want, .condition = output.condition};
  }

  /// An output of integers, of bool (0 and 1) or of char, compared exactly; u64 as the same bits.
  [[nodiscard]] std::span<std::int64_t> integers(const std::string& name) const {
    Output& output = find(outputs_, name, "output");
    if (is_float_type(output.type)) {
      throw std::invalid_argument("golden: output '" + name + "' holds floats");
    }
    output.asked_for = true;
    return output.exact;
  }

 private:
  const Dims& dims_;
  const std::map<std::string, Array>& inputs_;
  std::map<std::string, Output>& outputs_;
  const NamedSettings named_;
};

/// The inputs of a case and what a submission returned, for labs with several right outputs.
///
/// Outputs may hold anything: check an element before it is used as an index.
class AnswerCheck {
 private:
  template <class Map>
  static const auto& find(const Map& map, const std::string& name, const char* what) {
    const auto found = map.find(name);
    if (found == map.end()) {
      throw std::invalid_argument(std::string("the lab has no ") + what + " '" + name + "'");
    }
    return found->second;
  }
  template <class T>
  static std::span<const T> elements(const Array& array, const std::string& name) {
    if (array.type != element_type_of<T>()) {
      throw std::invalid_argument("'" + name + "' has another element type");
    }
    return array.as<T>();
  }

 public:
  using Reject = void (*)(void* to, const char* parameter, std::uint64_t index, const char* why);

  AnswerCheck(const Dims& dims, const std::map<std::string, Array>& inputs,
              const std::map<std::string, Array>& outputs, Reject reject, void* to)
      : dims_(dims), inputs_(inputs), outputs_(outputs), reject_(reject), to_(to) {}

  [[nodiscard]] std::int64_t dim(const std::string& name) const { return find(dims_, name, "dim"); }
  template <class T>
  [[nodiscard]] std::span<const T> input(const std::string& name) const {
    return elements<T>(find(inputs_, name, "input"), name);
  }
  template <class T>
  [[nodiscard]] std::span<const T> output(const std::string& name) const {
    return elements<T>(find(outputs_, name, "output"), name);
  }

  /// Says that an element of an output is wrong. Outputs without such an element are right.
  /// @param why  one sentence for the student: "Node 3 comes before its predecessor 7."
  void wrong(const std::string& output, std::uint64_t index, const std::string& why) const {
    reject_(to_, output.c_str(), index, why.c_str());
  }

 private:
  const Dims& dims_;
  const std::map<std::string, Array>& inputs_;
  const std::map<std::string, Array>& outputs_;
  Reject reject_;
  void* to_;
};

}  // namespace warpgrade

/// Begins the function that decides about outputs with `predicate = true`:
/// `WARPGRADE_ACCEPTS(check) { ... check.wrong("order", i, "...") ... }`.
#define WARPGRADE_ACCEPTS(check)                                    \
  extern "C" void warpgrade_accepts(const warpgrade::AnswerCheck&); \
  extern "C" void warpgrade_accepts(const warpgrade::AnswerCheck& check)

/// Begins the one function of a golden.cpp: `WARPGRADE_GOLDEN(call) { ... }`.
#define WARPGRADE_GOLDEN(call)                                    \
  extern "C" void warpgrade_golden(const warpgrade::GoldenCall&); \
  extern "C" void warpgrade_golden(const warpgrade::GoldenCall& call)
