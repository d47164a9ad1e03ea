#include "grader/judge/misreading/changed_inputs.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "harness/case/program_run.h"
#include "harness/core/identifier.h"
#include "harness/golden/misreading_library.h"
#include "harness/lab/shapes.h"

namespace warpgrade {
namespace {

using Outputs = std::map<std::string, Expected>;

/// Each is a call of the formula.
constexpr std::size_t kMostGroups = 4096;

/// The right results for other inputs and dims.
Outputs results(const ChangedInputs::Golden& golden, const CaseData& data, const Dims& dims,
                const Inputs& inputs) {
  const Lab& lab = *data.lab;
  Case spec = *data.spec;
  spec.data.dims = dims;
  Outputs outputs =
      expect_misread(golden, fmt::format("labs/{}: other inputs", lab.id), lab, spec, inputs);
  if (lab.program) widen_bounds(lab, outputs);
  return outputs;
}

/// Not an index of a sparse matrix.
bool is_value(const Parameter& parameter) {
  return parameter.type != ElementType::boolean &&
         (parameter.matrix.empty() || parameter.part == SparsePart::values);
}

}  // namespace

void advance(Extents& at, const Extents& shape) {
  for (std::size_t axis = at.size(); axis-- > 0;) {
    if (++at[axis] < shape[axis]) return;
    at[axis] = 0;
  }
}

std::size_t flat(const Extents& at, const Extents& shape) {
  std::size_t index = 0;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) index = index * shape[axis] + at[axis];
  return index;
}

void ChangedInputs::add(std::string id, std::string says,
                        std::function<bool(Dims&, Inputs&)> change, std::string pitfall) {
  all.push_back({.id = "inputs-" + std::move(id),
                 .says = std::move(says),
                 .pitfall = std::move(pitfall),
                 .of_inputs = [golden = golden_, change = std::move(change)](
                                  const CaseData& data) -> std::optional<Outputs> {
                   Dims dims = data.spec->data.dims;
                   Inputs inputs = data.inputs;
                   if (!change(dims, inputs)) return std::nullopt;
                   return results(golden, data, dims, inputs);
                 }});
}

std::vector<const Parameter*> ChangedInputs::arrays() const {
  std::vector<const Parameter*> found;
  for (const Parameter& parameter : lab_.parameters) {
    if (parameter.is_array() && parameter.is_read() && is_value(parameter)) {
      found.push_back(&parameter);
    }
  }
  return found;
}

std::vector<std::string> ChangedInputs::axes(bool of_outputs) const {
  std::vector<std::string> found;
  if (!lab_.matrices.empty()) return found;
  for (const Parameter& parameter : lab_.parameters) {
    for (const Expression& extent : parameter.shape) {
      const std::string& name = extent.text();
      const bool known = std::find(found.begin(), found.end(), name) != found.end();
      if (!known && parameter.is_read() && is_axis(name, of_outputs)) found.push_back(name);
    }
  }
  return found;
}

bool ChangedInputs::is_axis(const std::string& name, bool of_outputs) const {
  bool all_have = true;
  bool none_has = true;
  for (const Parameter& parameter : lab_.parameters) {
    bool has = false;
    for (const Expression& extent : parameter.shape) {
      if (extent.text() != name && has_word(extent.text(), name)) return false;
      has = has || extent.text() == name;
    }
    if (!parameter.is_written()) continue;
    all_have = all_have && has;
    none_has = none_has && !has;
  }
  return is_name(name) && (of_outputs ? all_have : none_has);
}

void ChangedInputs::sized(const std::string& axis, const std::string& id, std::string says,
                          std::function<std::int64_t(std::int64_t)> size, bool repeats,
                          std::string pitfall) {
  const Lab& lab = lab_;
  add(
      fmt::format("{}-{}", axis, id), std::move(says),
      [&lab, axis, size = std::move(size), repeats](Dims& dims, Inputs& inputs) {
        const std::int64_t old = dims.at(axis);
        const std::int64_t now = size(old);
        if (old < 1 || now < 0 || now == old) return false;
        dims[axis] = now;
        for (const Parameter& parameter : lab.parameters) {
          const auto it = inputs.find(parameter.name);
          if (it == inputs.end()) continue;
          const Array& from = it->second;
          Extents shape = from.shape;
          std::vector<bool> moves(shape.size());
          for (std::size_t k = 0; k < shape.size() && k < parameter.shape.size(); ++k) {
            moves[k] = parameter.shape[k].text() == axis;
            if (moves[k]) shape[k] = static_cast<std::uint64_t>(now);
          }
          const Extents whole = from.shape;
          Array to = taken(from, shape, [&](Extents at) -> Place {
            for (std::size_t k = 0; k < at.size(); ++k) {
              if (!moves[k] || at[k] < whole[k]) continue;
              if (!repeats) return std::nullopt;
              at[k] = whole[k] - 1;
            }
            return flat(at, whole);
          });
          it->second = std::move(to);
        }
        return true;
      },
      std::move(pitfall));
}

void ChangedInputs::groups(const std::string& axis, std::uint64_t size, std::string says) {
  const Lab* lab = &lab_;
  const auto of_groups = [lab, golden = golden_, axis,
                          size](const CaseData& data) -> std::optional<Outputs> {
    const Dims& dims = data.spec->data.dims;
    const auto extent = static_cast<std::uint64_t>(dims.at(axis));
    if (extent <= size || (extent + size - 1) / size > kMostGroups) return std::nullopt;
    Outputs joined = data.expected;
    for (std::uint64_t begin = 0; begin < extent; begin += size) {
      Dims own = dims;
      own[axis] = static_cast<std::int64_t>(std::min(size, extent - begin));
      const auto moved = [&](const Parameter& parameter, Extents at, const Extents& whole) {
        for (std::size_t k = 0; k < at.size() && k < parameter.shape.size(); ++k) {
          if (parameter.shape[k].text() == axis) at[k] += begin;
        }
        return flat(at, whole);
      };
      Inputs inputs = data.inputs;
      for (const Parameter& parameter : lab->parameters) {
        const auto it = inputs.find(parameter.name);
        if (it == inputs.end()) continue;
        const Array from = it->second;
        it->second = taken(from, shape_of(*lab, parameter, own), [&](const Extents& at) -> Place {
          return moved(parameter, at, from.shape);
        });
      }
      const Outputs outputs = results(golden, data, own, inputs);
      for (const Parameter& parameter : lab->parameters) {
        if (!parameter.is_written()) continue;
        const Expected& from = outputs.at(parameter.name);
        Expected& to = joined.at(parameter.name);
        const Extents shape = shape_of(*lab, parameter, own);
        const Extents whole = shape_of(*lab, parameter, dims);
        Extents at(shape.size(), 0);
        for (std::size_t i = 0; i < from.count(); ++i, advance(at, shape)) {
          const std::size_t there = moved(parameter, at, whole);
          if (is_float(from.type)) {
            to.want[there] = from.want[i];
            to.bound[there] = from.bound[i];
          } else {
            to.exact[there] = from.exact[i];
          }
        }
      }
    }
    return joined;
  };
  all.push_back({.id = fmt::format("inputs-{}-alone-{}", axis, size),
                 .says = std::move(says),
                 .of_inputs = of_groups});
}

}  // namespace warpgrade
