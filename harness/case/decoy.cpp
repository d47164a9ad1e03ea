#include "harness/case/decoy.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <exception>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "harness/case/aligned.h"
#include "harness/case/output.h"
#include "harness/data/fill.h"
#include "harness/data/random.h"
#include "harness/tolerance/compare.h"

namespace warpgrade {

namespace {

using warpsim::cudart::is_common_value;

constexpr int kTries = 3;
/// One in so many output elements must distinguish the inputs.
constexpr std::uint64_t kOneIn = 100;
constexpr std::uint64_t kLeastChanged = 8;  // elements of inputs

std::uint64_t load(const Array& array, std::size_t at, std::size_t size) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, array.bytes.data() + at, size);
  return bits;
}

/// Whether an input's values can be replaced: not small ones, which are too common, not the indices
/// of a sparse matrix, which must stay valid, and not fields of structures, which have no array of
/// their own. These inputs are the same on both sides.
bool is_replaced(const Lab& lab, const std::string& name, const Array& array) {
  if (size_of(array.type) < 4) return false;
  return std::none_of(lab.parameters.begin(), lab.parameters.end(), [&](const Parameter& p) {
    return p.name == name && (p.layout == FieldLayout::array_of_structs ||
                              (!p.matrix.empty() && p.part != SparsePart::values));
  });
}

using ReplacedInputs = std::map<std::string, const Array*>;

/// The inputs whose values are replaced.
ReplacedInputs replaced_inputs(const CaseData& data) {
  ReplacedInputs inputs;
  for (const auto& [name, array] : data.inputs) {
    if (is_replaced(*data.lab, name, array)) inputs.emplace(name, &array);
  }
  return inputs;
}

/// Values of the same distribution as an input's; if these are given, the same in another order.
Array other_values(const Array& array, const Fill& fill, std::uint64_t seed) {
  Array fresh(array.type, array.shape);
  if (fill.given == nullptr) {
    fill_array(fresh, fill, seed);
    return fresh;
  }
  const std::size_t size = size_of(array.type);
  for (std::size_t i = 0; i < array.count(); ++i) {
    const std::size_t from = Random(seed).bits(i) % array.count();
    std::memcpy(fresh.bytes.data() + i * size, array.bytes.data() + from * size, size);
  }
  return fresh;
}

/// A map from each value of the inputs to its replacement. 0 is never replaced and marks a free
/// slot.
class NewValues {
 public:
  explicit NewValues(std::uint64_t most) : slots_(std::bit_ceil(2 * most + 16)) {}

  /// A value that occurs in several inputs is not replaced: the replacement could be invalid in
  /// another input.
  void add(std::uint64_t from, std::uint64_t to, std::uint32_t input) {
    Slot& slot = find(from);
    if (slot.from == 0) slot = {from, to, input};
    if (slot.input != input) slot.to = from;
  }
  [[nodiscard]] std::uint64_t operator[](std::uint64_t from) { return find(from).to; }
  void replace(std::uint64_t from, std::uint64_t to) { find(from).to = to; }

 private:
  struct Slot {
    std::uint64_t from = 0, to = 0;
    std::uint32_t input = 0;
  };
  Slot& find(std::uint64_t from) {
    for (std::uint64_t at = from * 0x9e3779b97f4a7c15U >> 20U;; ++at) {
      Slot& slot = slots_[at & (slots_.size() - 1)];
      if (slot.from == from || slot.from == 0) return slot;
    }
  }
  std::vector<Slot> slots_;
};

/// Visits the values of an input that are replaced. A loop for each size, because a size that the
/// compiler does not know makes each access a call.
template <class Visit>
void for_each_value(const Array& array, Visit visit) {
  const auto visit_all = [&]<class Bits>(Bits value) {
    constexpr std::size_t kSize = sizeof(Bits);
    for (std::size_t at = 0; at < array.bytes.size(); at += kSize) {
      std::memcpy(&value, array.bytes.data() + at, kSize);
      if (!is_common_value(value, kSize)) visit(at, kSize, std::uint64_t{value});
    }
  };
  if (size_of(array.type) == sizeof(std::uint64_t)) {
    visit_all(std::uint64_t{0});
  } else {
    visit_all(std::uint32_t{0});  // smaller ones are not replaced
  }
}

/// Makes the replacements of an ordered input as ordered as it is, since a function may rely on
/// that. Values that are not replaced bound those between them.
template <class T>
void keep_order(const Array& array, bool descending, NewValues& values) {
  const std::span<const T> from = array.as<T>();
  const auto bits_at = [&](std::size_t i) { return load(array, i * sizeof(T), sizeof(T)); };
  std::vector<bool> stays(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) {
    stays[i] = is_common_value(bits_at(i), sizeof(T)) || values[bits_at(i)] == bits_at(i);
  }
  const auto before = [&](T a, T b) { return descending ? b < a : a < b; };
  std::vector<T> to(from.begin(), from.end());
  const T* bound = nullptr;
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (stays[i]) {
      bound = &from[i];
      continue;
    }
    const std::uint64_t bits = values[bits_at(i)];
    std::memcpy(&to[i], &bits, sizeof(T));
    if (bound != nullptr && before(to[i], *bound)) to[i] = *bound;
  }
  bound = nullptr;
  for (std::size_t i = to.size(); i-- > 0;) {
    if (stays[i]) {
      bound = &from[i];
    } else if (bound != nullptr && before(*bound, to[i])) {
      to[i] = *bound;
    }
  }
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (stays[i]) continue;
    std::uint64_t bits = 0;
    std::memcpy(&bits, &to[i], sizeof(T));
    values.replace(bits_at(i), bits);
  }
}

/// Whether both draw their values independently from the same distribution.
bool are_drawn_alike(const Fill& a, const Fill& b) {
  if (a.given != nullptr || b.given != nullptr) return false;
  return !has_order(a.distribution) && a.distribution == b.distribution && a.low == b.low &&
         a.high == b.high && a.value == b.value && a.share == b.share;
}

/// If all values have the same distribution, a hash of each value selects the new one, without a
/// table of all values, which would take longer than many runs.
std::optional<std::map<std::string, Array>> other_inputs_by_hash(const CaseData& data,
                                                                 const ReplacedInputs& replaced,
                                                                 std::uint64_t seed) {
  constexpr std::uint64_t kPool = 1 << 16;
  const Array& first = *replaced.begin()->second;
  const auto& fills = data.spec->data.fills;
  const Fill& fill = fills.at(replaced.begin()->first);
  for (const auto& [name, array] : replaced) {
    if (array->type != first.type || !are_drawn_alike(fill, fills.at(name))) return std::nullopt;
  }
  Array pool(first.type, {kPool});
  fill_array(pool, fill, seed);
  std::map<std::string, Array> inputs = data.inputs;
  for (const auto& input : replaced) {
    Array& array = inputs.at(input.first);
    for_each_value(array, [&](std::size_t at, std::size_t size, std::uint64_t bits) {
      const std::uint64_t chosen = Random(seed).bits(bits) % kPool;
      std::memcpy(array.bytes.data() + at, pool.bytes.data() + chosen * size, size);
    });
  }
  return inputs;
}

std::map<std::string, Array> other_inputs(const CaseData& data, std::string_view draw,
                                          int attempt) {
  const std::string number_of_attempt = std::to_string(attempt);
  const ReplacedInputs replaced = replaced_inputs(data);
  if (auto inputs = other_inputs_by_hash(
          data, replaced,
          hash_fields({data.lab->id, data.spec->name, "decoy", draw, number_of_attempt}))) {
    return *std::move(inputs);
  }
  std::uint64_t most = 0;
  for (const auto& [name, array] : replaced) most += array->count();
  NewValues values(most);
  std::uint32_t number = 0;
  for (const auto& [name, array] : replaced) {
    const Array fresh = other_values(
        *array, data.spec->data.fills.at(name),
        hash_fields({data.lab->id, data.spec->name, name, "decoy", draw, number_of_attempt}));
    for_each_value(*array, [&](std::size_t at, std::size_t size, std::uint64_t bits) {
      values.add(bits, load(fresh, at, size), number);
    });
    ++number;
  }
  for (const auto& [name, input] : replaced) {
    const Array& array = *input;
    const Distribution distribution = data.spec->data.fills.at(name).distribution;
    if (data.spec->data.fills.at(name).given != nullptr || !is_ordered(distribution)) continue;
    with_type(array.type, [&](auto zero) {
      using T = decltype(zero);
      if constexpr (std::is_arithmetic_v<T> && sizeof(T) >= 4) {  // others are not replaced
        keep_order<T>(array, distribution == Distribution::descending, values);
      }
    });
  }
  std::map<std::string, Array> inputs = data.inputs;
  for (const auto& input : replaced) {
    Array& array = inputs.at(input.first);
    for_each_value(array, [&](std::size_t at, std::size_t size, std::uint64_t bits) {
      const std::uint64_t to = values[bits];
      std::memcpy(array.bytes.data() + at, &to, size);
    });
  }
  return inputs;
}

bool differs(const Expected& a, const Expected& b, std::size_t i) {
  if (!is_float(a.type)) return a.exact[i] != b.exact[i];
  if (std::isnan(a.want[i]) || std::isnan(b.want[i])) {
    return std::isnan(a.want[i]) != std::isnan(b.want[i]);
  }
  if (std::isinf(a.want[i]) || std::isinf(b.want[i])) return a.want[i] != b.want[i];
  return std::abs(a.want[i] - b.want[i]) > a.bound[i] + b.bound[i];
}

/// Enough elements that a program's copies of them are recognised, too.
bool changes_enough(const CaseData& a, const CaseData& b) {
  std::uint64_t changed = 0;
  for (const auto& [name, array] : a.inputs) {
    const std::size_t size = size_of(array.type);
    const std::byte* other = b.inputs.at(name).bytes.data();
    for (std::size_t at = 0; at < array.bytes.size() && changed < kLeastChanged; at += size) {
      changed += std::memcmp(array.bytes.data() + at, other + at, size) == 0 ? 0 : 1;
    }
  }
  return changed >= kLeastChanged;
}

bool tells_apart(const CaseData& a, const CaseData& b) {
  std::uint64_t count = 0;
  for (const auto& [name, expected] : a.expected) count += expected.count();
  std::uint64_t different = 0;
  for (const auto& [name, expected] : a.expected) {
    const Expected& other = b.expected.at(name);
    for (std::size_t i = 0, elements = expected.count(); i < elements; ++i) {
      if (!differs(expected, other, i)) continue;
      if (++different * kOneIn >= count) return true;
    }
  }
  return false;
}

/// For each position of an output, whether an input has its bytes there.
template <class Bits>
std::vector<bool> left_as(const CaseData& host, const Array& got) {
  std::vector<bool> left(got.count(), false);
  for (const auto& [name, input] : host.inputs) {
    if (input.type != got.type) continue;
    for (std::size_t i = 0; i < std::min(left.size(), input.count()); ++i) {
      Bits a{};
      Bits b{};
      std::memcpy(&a, input.bytes.data() + i * sizeof(Bits), sizeof(Bits));
      std::memcpy(&b, got.bytes.data() + i * sizeof(Bits), sizeof(Bits));
      if (a == b) left[i] = true;
    }
  }
  return left;
}
std::vector<bool> left_as_inputs(const CaseData& host, const Array& got) {
  switch (size_of(got.type)) {
    case 1:
      return left_as<std::uint8_t>(host, got);
    case 2:
      return left_as<std::uint16_t>(host, got);
    case 4:
      return left_as<std::uint32_t>(host, got);
    default:
      return left_as<std::uint64_t>(host, got);
  }
}

}  // namespace

std::shared_ptr<const CaseData> make_decoy(const CaseData& data, std::string_view draw,
                                           const GoldenLibrary& golden) {
  // What a program makes of its files before it copies them is its own business: other values on
  // the device cannot be told from its own.
  if (data.lab->program) return nullptr;
  // Several outputs are right: one that differs from the expected ones proves nothing.
  if (replaced_inputs(data).empty() || data.accepts) return nullptr;
  for (int attempt = 0; attempt < kTries; ++attempt) {
    auto decoy = std::make_shared<CaseData>();
    decoy->lab = data.lab;
    decoy->spec = data.spec;
    decoy->inputs = other_inputs(data, draw, attempt);
    if (!changes_enough(data, *decoy)) continue;
    try {
      decoy->expected = golden.expect(*data.lab, *data.spec, decoy->inputs);
    } catch (const std::exception&) {
      continue;  // for example data that overflow in some orders of addition
    }
    if (tells_apart(data, *decoy)) return decoy;
  }
  return nullptr;
}

std::vector<warpsim::cudart::DecoyView> decoy_arrays(const CaseData& host, const CaseData& device) {
  std::vector<warpsim::cudart::DecoyView> arrays;
  for (const auto& [name, array] : host.inputs) {
    if (!is_replaced(*host.lab, name, array)) continue;
    arrays.push_back({.name = name,
                      .element_bytes = static_cast<std::uint32_t>(size_of(array.type)),
                      .is_float = is_float(array.type),
                      .host = array.bytes,
                      .device = device.inputs.at(name).bytes});
  }
  return arrays;
}

std::optional<DecoyFits> count_fits(const PreparedCase& prepared, const CaseData& device) {
  const CaseData& host = *prepared.data;
  DecoyFits fits;
  for (const Parameter& parameter : host.lab->parameters) {
    if (!parameter.is_written()) continue;
    const auto got = read_output(prepared, parameter);
    if (!got) return std::nullopt;
    Expected aligned_host;
    Expected aligned_device;
    const Expected& of_host = aligned_expected(host, parameter, *got, aligned_host);
    const Expected& of_device = aligned_expected(device, parameter, *got, aligned_device);
    if (compare(*got, of_device).passed()) {  // the usual case
      const std::uint64_t only_device = compare(*got, of_host).mismatches;
      fits.device += only_device;
      fits.both += got->count() - only_device;
      continue;
    }
    const std::vector<bool> as_host = matches(*got, of_host);
    const std::vector<bool> as_device = matches(*got, of_device);
    const std::vector<bool> left = left_as_inputs(host, *got);
    for (std::size_t i = 0; i < as_host.size(); ++i) {
      if (as_device[i]) {
        ++(as_host[i] ? fits.both : fits.device);
      } else if (left[i]) {
        ++fits.left;
      } else {
        ++(as_host[i] ? fits.host : fits.neither);
      }
    }
  }
  return fits;
}

}  // namespace warpgrade
