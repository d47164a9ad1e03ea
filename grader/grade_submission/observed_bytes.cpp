#include <cmath>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "grader/grade_submission/observed.h"

namespace warpgrade {
namespace {

/// Raised with every change of what is below.
constexpr std::uint64_t kFormat = 1;

// Structures are taken apart by name, once for writing and reading: one with a new field does not
// compile until the field is named here, and so kept.

template <class T, class Of>
concept Is = std::is_same_v<std::remove_const_t<T>, Of>;

template <class A, Is<ReportedFinding> T>
void fields(A& ar, T& x) {
  auto& [kind, severity, pitfall, kernel, file, line, message, where, who, got, want, next, count,
         cases] = x;
  ar(kind, severity, pitfall, kernel, file, line, message, where, who, got, want, next, count,
     cases);
}
template <class A, Is<warpsim::CostInputs> T>
void fields(A& ar, T& x) {
  for (const warpsim::CostField& field : warpsim::cost_fields()) ar(x.*field.member);
}
template <class A, Is<KernelLine> T>
void fields(A& ar, T& x) {
  auto& [file, line, counters, cost] = x;
  ar(file, line, counters, cost);
}
template <class A, Is<KernelReport> T>
void fields(A& ar, T& x) {
  auto& [name, launches, grid, block, counters, lines, file, occupancy_limiter, shapes] = x;
  ar(name, launches, grid, block, counters, lines, file, occupancy_limiter, shapes);
}
template <class A, Is<EmulatorReport> T>
void fields(A& ar, T& x) {
  // Where data came from and what experiments changed has become flags and a cause.
  auto& [device, kernels, findings, reaching, call, changes] = x;
  ar(device, kernels, findings, reaching);
}
template <class A, Is<MismatchedElement> T>
void fields(A& ar, T& x) {
  auto& [parameter, index, got, want, bound] = x;
  ar(parameter, index, got, want, bound);
}
template <class A, Is<WrongMap> T>
void fields(A& ar, T& x) {
  auto& [parameter, rows, columns, folded, cell_rows, cell_columns, cells] = x;
  ar(parameter, rows, columns, folded, cell_rows, cell_columns, cells);
}
template <class A, Is<CaseReport> T>
void fields(A& ar, T& x) {
  auto& [name, visible, shape, verdict, message, pattern, pattern_detail, wrong_elements, elements,
         max_error, bound, first_mismatches, seconds, wrong_map] = x;
  ar(name, visible, shape, verdict, message, pattern, pattern_detail, wrong_elements, elements,
     max_error, bound, first_mismatches, seconds, wrong_map);
}
template <class A, Is<CaseOutcome> T>
void fields(A& ar, T& x) {
  auto& [spec, report, pitfall, emulator, printed, fails_as_second_call, ended_early] = x;
  ar(report, pitfall, emulator, printed, fails_as_second_call, ended_early);
}
template <class A, Is<ReferenceCost> T>
void fields(A& ar, T& x) {
  auto& [modelled_ms, counters, card, kernels] = x;
  ar(modelled_ms, counters, card, kernels);
}
template <class A, Is<IntegrityFlag> T>
void fields(A& ar, T& x) {
  auto& [kind, message, evidence] = x;
  ar(kind, message, evidence);
}
template <class A, Is<TimingTier> T>
void fields(A& ar, T& x) {
  auto& [ratio, points] = x;
  ar(ratio, points);
}
template <class A, Is<RooflinePoint> T>
void fields(A& ar, T& x) {
  auto& [operations, bytes, ms, floor_ms] = x;
  ar(operations, bytes, ms, floor_ms);
}
template <class A, Is<Roof> T>
void fields(A& ar, T& x) {
  auto& [type, operations_per_second] = x;
  ar(type, operations_per_second);
}
template <class A, Is<RungPoint> T>
void fields(A& ar, T& x) {
  auto& [rung, title, point] = x;
  ar(rung, title, point);
}
template <class A, Is<Roofline> T>
void fields(A& ar, T& x) {
  auto& [counts_flops, operations_per_second, bytes_per_second, submission, reference, roofs, rungs,
         counted_by, limits_measured, kernels_only] = x;
  ar(counts_flops, operations_per_second, bytes_per_second, submission, reference, roofs, rungs,
     counted_by, limits_measured, kernels_only);
}
template <class A, Is<MeasuredRuns> T>
void fields(A& ar, T& x) {
  auto& [submission_ms, reference_ms, rounds, ratio_low, ratio_high] = x;
  ar(submission_ms, reference_ms, rounds, ratio_low, ratio_high);
}
template <class A, Is<CardState> T>
void fields(A& ar, T& x) {
  auto& [sm_mhz, memory_mhz, celsius, watts, throttle] = x;
  ar(sm_mhz, memory_mhz, celsius, watts, throttle);
}
template <class A, Is<CardPeaks> T>
void fields(A& ar, T& x) {
  auto& [copy_bytes_per_second, fma_per_second] = x;
  ar(copy_bytes_per_second, fma_per_second);
}
template <class A, Is<CardRecord> T>
void fields(A& ar, T& x) {
  auto& [name, uuid, driver, before, after, peaks] = x;
  ar(name, uuid, driver, before, after, peaks);
}
template <class A, Is<Timing> T>
void fields(A& ar, T& x) {
  auto& [name, source, submission_ms, reference_ms, ratio, tiers, roofline, runs, shape, card] = x;
  ar(name, source, submission_ms, reference_ms, ratio, tiers, roofline, runs, shape, card);
}
template <class A, Is<Measurement> T>
void fields(A& ar, T& x) {
  auto& [timing, problem, fault, flags] = x;
  ar(timing, problem, fault, flags);
}
template <class A, Is<ToolRun> T>
void fields(A& ar, T& x) {
  auto& [tool, name, end, message, seconds] = x;
  ar(tool, name, end, message, seconds);
}
template <class A, Is<CardCounts> T>
void fields(A& ar, T& x) {
  auto& [program, name, timed, shape, kernels] = x;
  ar(program, name, timed, shape, kernels);
}
template <class A, Is<ToolFinding> T>
void fields(A& ar, T& x) {
  auto& [tool, kind, message, kernel, file, line, who, count] = x;
  ar(tool, kind, message, kernel, file, line, who, count);
}
template <class A, Is<CardProfile> T>
void fields(A& ar, T& x) {
  auto& [runs, counts, findings] = x;
  ar(runs, counts, findings);
}
template <class A, Is<PublicRuns> T>
void fields(A& ar, T& x) {
  auto& [cases, costs, own] = x;
  ar(cases, costs, own);
}
template <class A, Is<Cause> T>
void fields(A& ar, T& x) {
  auto& [kind, change, file, line, pitfall, message, cases, tried, right, runs, from_hidden] = x;
  ar(kind, change, file, line, pitfall, message, cases, tried, right, runs, from_hidden);
}
template <class A, Is<Evidence> T>
void fields(A& ar, T& x) {
  // The lab and its ladder are not kept; findings are folded again by fit_to_lab(); evidence of all
  // cases has no hidden part.
  auto& [lab, build_problem, cases, findings, references, measured, ladder, cause, emulated,
         hidden] = x;
  ar(build_problem, cases, references, measured, cause, emulated);
}
template <class A, Is<Observed> T>
void fields(A& ar, T& x) {
  auto& [step, build_log, flags, evidence, open, profile, cases, counted, yardstick, started,
         seconds] = x;
  ar(step, build_log, flags, evidence, open, profile, cases, counted, yardstick, started, seconds);
}

constexpr double kLargestWhole = 9007199254740992;  // 2^53: whole numbers up to it are exact

/// Whether a number is kept as a whole one: most counters are, and small.
bool is_whole(double value) {
  return value >= 0 && value < kLargestWhole && !std::signbit(value) &&
         value == static_cast<double>(static_cast<std::uint64_t>(value));
}

/// Each text is written once, and named by its number after that: counters have long names.
class Writer {
 public:
  template <class... Values>
  void operator()(const Values&... values) {
    (one(values), ...);
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
  void one(const T& value) { fields(*this, value); }

  std::unordered_map<std::string, std::uint64_t> words_;
};

struct Damaged : std::runtime_error {
  Damaged() : std::runtime_error("damaged") {}
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}
  template <class... Values>
  void operator()(Values&... values) {
    (one(values), ...);
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
  /// Of a list: each element has a byte at least.
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
  void one(T& value) { fields(*this, value); }

  std::string_view rest_;
  std::vector<std::string> words_;
};

}  // namespace

std::string to_bytes(const Observed& seen) {
  Writer writer;
  writer(kFormat, seen);
  return std::move(writer.bytes);
}

std::optional<Observed> observed_from_bytes(std::string_view bytes) {
  try {
    Reader reader(bytes);
    std::uint64_t format = 0;
    reader(format);
    if (format != kFormat) return std::nullopt;
    const auto seen = std::make_unique<Observed>();  // large
    reader(*seen);
    return reader.at_end() ? std::optional<Observed>(std::move(*seen)) : std::nullopt;
  } catch (const Damaged&) {
    return std::nullopt;
  }
}

}  // namespace warpgrade
