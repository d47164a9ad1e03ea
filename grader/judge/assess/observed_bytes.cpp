#include <cmath>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "grader/judge/assess/observed.h"

namespace warpgrade {
namespace {

/// Increase it with every change below.
constexpr std::uint64_t kFormat = 9;

// A grade's structures list their fields (WARPGRADE_FIELDS). Of the other structures some fields
// are left out; structured bindings make sure that a new field does not compile until it is kept or
// left out explicitly.

/// Visits each field.
template <class Visitor, class... Fields>
void visit_all(Visitor& visit, Fields&... fields) {
  (visit(record::Field({}), fields), ...);
}

template <class Visitor, MaybeConst<warpsim::CostInputs> T>
void visit_fields(Visitor& visit, T& x) {
  for (const warpsim::CostField& field : warpsim::cost_fields())
    visit(record::Field({}), x.*field.member);
}
template <class Visitor, MaybeConst<EmulatorReport> T>
void visit_fields(Visitor& visit, T& x) {
  // The origins of data and the changes of experiments are already flags and a cause.
  auto& [device, kernels, findings, reaching, call, changes, transfers, timeline] = x;
  visit_all(visit, device, kernels, findings, reaching, transfers, timeline);
}
template <class Visitor, MaybeConst<CaseOutcome> T>
void visit_fields(Visitor& visit, T& x) {
  auto& [spec, report, pitfall, emulator, printed, fails_as_second_call, unwritten_elements,
         ended_early, from_host, stopped_by_clock, slow] = x;
  visit_all(visit, report, pitfall, emulator, printed, fails_as_second_call, unwritten_elements,
            ended_early, from_host, stopped_by_clock, slow);
}
WARPGRADE_FIELDS(ReferenceCost, modelled_ms, counters, card, kernels)
WARPGRADE_FIELDS(Measurement, timing, problem, fault, flags)
WARPGRADE_FIELDS(PublicRuns, cases, costs, own)
template <class Visitor, MaybeConst<Evidence> T>
void visit_fields(Visitor& visit, T& x) {
  // The lab and its ladder are not kept; fit_to_lab() merges findings again; evidence of all cases
  // has no hidden part.
  auto& [lab, build_problem, cases, findings, references, measured, ladder, cause, emulated,
         hidden] = x;
  visit_all(visit, build_problem, cases, references, measured, cause, emulated);
}
WARPGRADE_FIELDS(Observed, step, build_log, flags, evidence, explanation, open, profile, cases,
                 called_twice, counted, yardstick, started, seconds)

constexpr double kLargestWhole = 9007199254740992;  // 2^53: whole numbers up to it are exact

/// Whether a number is stored as an integer: most counters are small integers.
bool is_whole(double value) {
  return value >= 0 && value < kLargestWhole && !std::signbit(value) &&
         value == static_cast<double>(static_cast<std::uint64_t>(value));
}

/// Each text is written once and then referred to by its number, because counters have long names.
class Writer {
 public:
  template <class Value>
  void operator()(const record::Field& /*field*/, const Value& value) {
    one(value);
  }
  std::string bytes;

 private:
  void whole(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
    bytes += static_cast<char>(value);
  }
  template <class Number>
  requires std::is_integral_v<Number> || std::is_enum_v<Number>
  void one(Number value) {
    const auto wide = static_cast<std::int64_t>(value);
    whole((static_cast<std::uint64_t>(wide) << 1) ^ static_cast<std::uint64_t>(wide >> 63));
  }
  void one(double value) {
    if (is_whole(value)) {
      whole(static_cast<std::uint64_t>(value) << 1);
    } else {
      whole(1);
      char raw[sizeof value];
      std::memcpy(raw, &value, sizeof value);
      bytes.append(raw, sizeof value);
    }
  }
  void one(const std::string& text) {
    const auto [it, fresh] = words_.emplace(text, words_.size());
    whole(fresh ? 0 : it->second + 1);
    if (fresh) {
      whole(text.size());
      bytes += text;
    }
  }
  template <class T>
  void one(const std::optional<T>& value) {
    one(value.has_value());
    if (value) one(*value);
  }
  template <class T>
  void one(const std::vector<T>& values) {
    whole(values.size());
    for (const T& value : values) one(value);
  }
  template <class T>
  void one(const std::map<std::string, T>& values) {
    whole(values.size());
    for (const auto& [name, value] : values) {
      one(name);
      one(value);
    }
  }
  template <class T>
  requires std::is_class_v<T>
  void one(const T& value) { visit_fields(*this, value); }

  std::unordered_map<std::string, std::uint64_t> words_;
};

struct Damaged : std::runtime_error {
  Damaged() : std::runtime_error("damaged") {}
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}
  template <class Value>
  void operator()(const record::Field& /*field*/, Value& value) {
    one(value);
  }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }

 private:
  std::string_view take(std::uint64_t count) {
    if (count > rest_.size()) throw Damaged();
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }
  std::uint64_t whole() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(take(1).front());
      value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return value;
    }
    throw Damaged();
  }
  /// The length of a list, whose elements have at least one byte each.
  std::uint64_t count() {
    const std::uint64_t value = whole();
    if (value > rest_.size()) throw Damaged();
    return value;
  }
  template <class Number>
  requires std::is_integral_v<Number> || std::is_enum_v<Number>
  void one(Number& value) {
    const std::uint64_t read = whole();
    value = static_cast<Number>(static_cast<std::int64_t>(read >> 1) ^
                                -static_cast<std::int64_t>(read & 1));
  }
  void one(double& value) {
    const std::uint64_t read = whole();
    value = static_cast<double>(read >> 1);
    if (read == 1) std::memcpy(&value, take(sizeof value).data(), sizeof value);
  }
  void one(std::string& text) {
    const std::uint64_t number = whole();
    if (number == 0) {
      words_.emplace_back(take(count()));
      text = words_.back();
    } else if (number <= words_.size()) {
      text = words_[number - 1];
    } else {
      throw Damaged();
    }
  }
  template <class T>
  void one(std::optional<T>& value) {
    bool there = false;
    one(there);
    value.reset();
    if (there) one(value.emplace());
  }
  template <class T>
  void one(std::vector<T>& values) {
    values.resize(count());
    for (T& value : values) one(value);
  }
  template <class T>
  void one(std::map<std::string, T>& values) {
    for (std::uint64_t left = count(); left > 0; --left) {
      std::string name;
      one(name);
      // They were written in order.
      one(values.emplace_hint(values.end(), std::move(name), T())->second);
    }
  }
  template <class T>
  requires std::is_class_v<T>
  void one(T& value) { visit_fields(*this, value); }

  std::string_view rest_;
  std::vector<std::string> words_;
};

}  // namespace

std::string to_bytes(const Observed& seen) {
  Writer writer;
  visit_all(writer, kFormat, seen);
  return std::move(writer.bytes);
}

std::optional<Observed> observed_from_bytes(std::string_view bytes) {
  try {
    Reader reader(bytes);
    std::uint64_t format = 0;
    reader(record::Field({}), format);
    if (format != kFormat) return std::nullopt;
    const auto seen = std::make_unique<Observed>();  // large
    reader(record::Field({}), *seen);
    return reader.at_end() ? std::optional<Observed>(std::move(*seen)) : std::nullopt;
  } catch (const Damaged&) {
    return std::nullopt;
  }
}

}  // namespace warpgrade
