#include "grader/author/check/trivial.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <regex>
#include <stdexcept>

#include "harness/case/aligned.h"
#include "harness/data/elements.h"
#include "harness/lab/glue.h"
#include "harness/lab/shapes.h"

namespace warpgrade {
namespace {

/// The input that a copy would take: another array of the same type, the first of the signature,
/// and not one of a sparse matrix.
const Parameter* source_of(const Lab& lab, const Parameter& output) {
  const auto it =
      std::find_if(lab.parameters.begin(), lab.parameters.end(), [&](const Parameter& p) {
        return p.is_array() && p.is_read() && p.type == output.type && p.name != output.name &&
               p.matrix.empty() && p.layout == output.layout && p.record == output.record &&
               p.field == output.field;
      });
  return it == lab.parameters.end() ? nullptr : &*it;
}

/// The expression for a dim: a parameter, or a constant if it is the same in every case.
std::optional<std::string> known_dim(const Lab& lab, const std::string& dim) {
  for (const Parameter& p : lab.parameters) {
    if (p.role == Role::scalar && p.value->text() == dim) {
      return p.name;
    }
  }
  const std::int64_t value = lab.cases.front().data.dims.at(dim);
  const bool same = std::all_of(lab.cases.begin(), lab.cases.end(),
                                [&](const Case& c) { return c.data.dims.at(dim) == value; });
  return same ? std::optional(std::to_string(value)) : std::nullopt;
}

/// A dim by the values of the scalar parameters, for a function that finds it some other way, as
/// from offsets: in a call of a case the condition of that case holds. Nothing if two cases with
/// the same values differ in it.
std::optional<std::string> dim_by_case(const Lab& lab, const std::string& dim,
                                       const std::vector<std::string>& passed) {
  std::map<std::string, std::int64_t> values;  // by condition
  std::string choice;
  for (const Case& spec : lab.cases) {
    std::string condition;
    for (const Parameter& p : lab.parameters) {
      const bool is_passed = std::find(passed.begin(), passed.end(), p.argument()) != passed.end();
      if (p.role != Role::scalar || !is_passed || is_float(p.type)) continue;
      condition += fmt::format("{}{} == {:.0f}", condition.empty() ? "" : " && ", p.name,
                               std::trunc(evaluate(lab, *p.value, spec.data.dims)));
    }
    const std::int64_t value = spec.data.dims.at(dim);
    const auto [at, is_new] = values.emplace(condition, value);
    if (condition.empty() || at->second != value) return std::nullopt;
    if (is_new) choice += fmt::format("{} ? {}.0 : ", condition, value);
  }
  return fmt::format("({}0.0)", choice);
}

/// Formulas divide and multiply in double; "1 / 2" must not become an integer division.
std::string as_doubles(const std::string& formula) {
  static const std::regex kWhole(R"((^|[^\w.])(\d+)(?![\w.]))");
  return std::regex_replace(formula, kWhole, "$1$2.0");
}

/// A formula with derived sizes that are not parameters replaced by their own formulas.
Expression expanded(const Lab& lab, Expression formula) {
  for (auto size = lab.sizes.rbegin(); size != lab.sizes.rend(); ++size) {
    const auto& names = formula.names();
    if (std::find(names.begin(), names.end(), size->name) == names.end()) continue;
    if (known_dim(lab, size->name)) continue;
    // A size is named before those that use it, so this order leaves none.
    const std::regex name(fmt::format(R"((^|[^\w.]){}(?![\w.]))", size->name));
    formula = Expression(
        std::regex_replace(formula.text(), name, fmt::format("$1({})", size->value.text())));
  }
  // Where its outputs matter, the function is called: harness/lab/read_calls.cpp.
  static const std::regex kCalled(R"(\bcalls\.\w+)");
  return Expression(std::regex_replace(formula.text(), kCalled, "1"));
}

/// Writes a program's text.
class TrivialWriter {
 public:
  TrivialWriter(const Lab& lab, TrivialKind kind) : lab_(lab), kind_(kind) {}

  TrivialProgram write() {
    std::string body;
    bool any = kind_ == TrivialKind::nothing;
    for (const Parameter& p : lab_.parameters) {
      // The first field of a structure stands for all.
      const bool begins = p.layout != FieldLayout::array_of_structs || p.field == 0;
      if (p.is_returned && kind_ != TrivialKind::nothing) {
        any = any || kind_ == TrivialKind::zeros || source_of(lab_, p) != nullptr;
      } else if (p.is_written() && begins && kind_ != TrivialKind::nothing) {
        const std::string statement = fill(p);
        any = any || !statement.empty();
        body += statement;
      }
    }
    const std::string written = functions(body);
    if (is_unknown_) return {.kind = kind_, .text = "", .problem = ""};
    if (!any || !problem_.empty()) {
      return {.kind = kind_, .text = "", .problem = problem_};
    }
    return {
        .kind = kind_,
        .text = fmt::format(
            "#include \"{}\"\n\n"
            "#include <cuda_runtime.h>\n\n"
            "#include <cmath>\n#include <cstddef>\n#include <cstring>\n\n"
            "namespace formula {{\n"
            "[[maybe_unused]] double min(double x, double y) {{ return x < y ? x : y; }}\n"
            "[[maybe_unused]] double max(double x, double y) {{ return x < y ? y : x; }}\n"
            "[[maybe_unused]] double ceil_div(double x, double y) {{ return std::ceil(x / y); }}\n"
            "{}}}  // namespace formula\n\n"
            "{}",
            lab_.header.filename().string(), counts_, written),
        .problem = ""};
  }

 private:
  /// The lab's functions, the last one with this body.
  std::string functions(const std::string& body) {
    std::string text;
    const std::vector<Function> all = functions_of(lab_);
    for (std::size_t i = 0; i < all.size(); ++i) {
      text += fmt::format("{} {{\n{}{}}}\n", declaration(lab_, all[i]),
                          i + 1 < all.size() ? "" : body, returned(all[i], i + 1 == all.size()));
    }
    return text;
  }

  /// The last line of a function that is not void: 0, or the first element of an input.
  std::string returned(const Function& function, bool is_last) {
    if (function.returns.empty()) return "";
    const auto output =
        std::find_if(lab_.parameters.begin(), lab_.parameters.end(),
                     [&](const Parameter& p) { return p.name == function.returns; });
    const bool copies = kind_ == TrivialKind::copy || kind_ == TrivialKind::first_element;
    const Parameter* source = source_of(lab_, *output);
    if (!is_last || !copies || source == nullptr || !last_function_has(*source)) {
      return "  return {};\n";
    }
    return fmt::format(
        "  {0} result = {{}};\n"
        "  if ({1} > 0) cudaMemcpy(&result, {2}, sizeof result, cudaMemcpyDefault);\n"
        "  return result;\n",
        cpp_name(output->type), count(*source), pointer_to(*source));
  }

  /// A call of a function that gives the elements of an array.
  std::string count(const Parameter& array) {
    std::map<std::string, std::string> dims;
    std::string product = "1.0";
    for (const Expression& given : array.shape) {
      const Expression extent = expanded(lab_, given);
      product += fmt::format(" * ({})", as_doubles(extent.text()));
      for (const std::string& name : extent.names()) {
        std::optional<std::string> value = known_dim(lab_, name);
        if (!value && !is_of_matrix(name)) {
          value = dim_by_case(lab_, name, functions_of(lab_).back().parameters);
        }
        if (!value && is_of_matrix(name)) {
          is_unknown_ = true;
        } else if (!value) {
          problem_ = fmt::format(
              "the size of `{}` depends on '{}', which is not a parameter, nor do the parameters' "
              "values tell it; pass it, or make it a [[size]] of what is passed",
              array.name, name);
        } else {
          dims.emplace(name, *value);
        }
      }
    }
    std::string parameters;
    std::string arguments;
    for (const auto& [name, value] : dims) {
      parameters += fmt::format("{}double {}", parameters.empty() ? "" : ", ", name);
      arguments += fmt::format("{}static_cast<double>({})", arguments.empty() ? "" : ", ", value);
    }
    std::string name = "count_" + array.name;
    std::replace(name.begin(), name.end(), '.', '_');
    const std::string function = fmt::format(
        "[[maybe_unused]] std::size_t {}({}) {{ return static_cast<std::size_t>({}); }}\n", name,
        parameters, product);
    if (counts_.find(function) == std::string::npos) {
      counts_ += function;
    }
    return fmt::format("formula::{}({})", name, arguments);
  }

  std::string fill(const Parameter& output) {
    if (!last_function_has(output)) return "";
    const bool on_host = output.memory == Memory::host || output.memory == Memory::pinned;
    const std::string target = pointer_to(output);
    if (kind_ == TrivialKind::zeros) {
      return fmt::format("  {}({}, 0, {} * sizeof *{});\n", on_host ? "std::memset" : "cudaMemset",
                         target, count(output), target);
    }
    const Parameter* source = source_of(lab_, output);
    if (source == nullptr || !last_function_has(*source)) {
      return "";
    }
    std::string elements = fmt::format(
        "static_cast<std::size_t>(formula::min(static_cast<double>({}), static_cast<double>({})))",
        count(output), count(*source));
    if (kind_ == TrivialKind::first_element) {
      elements = fmt::format("({} > 0 ? 1 : 0)", elements);
    }
    const auto in = [](const Parameter& p, Memory memory) { return p.memory == memory; };
    const auto plain = [&](const Parameter& p) {
      return in(p, Memory::host) || in(p, Memory::device);
    };
    const auto side = [&](const Parameter& p) { return in(p, Memory::host) ? "Host" : "Device"; };
    const std::string kind = plain(*source) && plain(output)
                                 ? fmt::format("{}To{}", side(*source), side(output))
                                 : "Default";
    return fmt::format("  cudaMemcpy({}, {}, {} * sizeof *{}, cudaMemcpy{});\n", target,
                       pointer_to(*source), elements, target, kind);
  }

  /// A function often gets only some extents of a sparse matrix, as its arrays have the others.
  [[nodiscard]] bool is_of_matrix(const std::string& dim) const {
    return std::any_of(lab_.matrices.begin(), lab_.matrices.end(), [&](const SparseMatrix& m) {
      return m.columns->text() == dim || m.nonzeros->text() == dim;
    });
  }

  /// The array in C++; that of structures for all of their fields.
  static const std::string& pointer_to(const Parameter& p) {
    return p.layout == FieldLayout::array_of_structs ? p.group : p.name;
  }

  [[nodiscard]] bool last_function_has(const Parameter& p) const {
    const std::vector<std::string> names = functions_of(lab_).back().parameters;
    return std::find(names.begin(), names.end(), p.argument()) != names.end();
  }

  const Lab& lab_;
  TrivialKind kind_;
  std::string counts_;
  std::string problem_;
  bool is_unknown_ = false;  // the size of the source, so that there is no such program
};

/// The value that the program writes to element i; nothing if it stays uninitialized.
std::optional<double> left_at(TrivialKind kind, const CaseData& data, const Parameter& output,
                              std::uint64_t i) {
  if (kind == TrivialKind::zeros) {
    return 0;
  }
  const Parameter* source = source_of(*data.lab, output);
  const bool copies = kind == TrivialKind::copy || (kind == TrivialKind::first_element && i == 0);
  if (copies && source != nullptr && i < data.inputs.at(source->name).count()) {
    return number_at(data.inputs.at(source->name), i);
  }
  if (output.is_read()) {
    return number_at(data.inputs.at(output.name), i);
  }
  return output.is_returned ? std::optional(0.0) : std::nullopt;
}

/// The whole output that a trivial program leaves; nothing if an element is unknown.
std::optional<Array> left_in(TrivialKind kind, const CaseData& data, const Parameter& output,
                             std::uint64_t count) {
  Array array(output.type, shape_of(*data.lab, output, data.spec->data.dims));
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::optional<double> left = left_at(kind, data, output, i);
    if (!left) {
      return std::nullopt;
    }
    with_type(output.type, [&](auto zero) {
      using T = decltype(zero);
      array.as<T>()[i] = static_cast<T>(*left);
    });
  }
  return array;
}

/// Whether the lab's predicate accepts what a trivial program leaves.
bool is_accepted(TrivialKind kind, const CaseData& data) {
  std::map<std::string, Array> outputs;
  for (const Parameter& output : data.lab->parameters) {
    if (!output.is_written()) {
      continue;
    }
    std::optional<Array> left = left_in(kind, data, output, data.expected.at(output.name).count());
    if (!left) {
      return false;
    }
    outputs.emplace(output.name, *std::move(left));
  }
  return data.accepts(data.spec->data.dims, data.inputs, outputs).empty();
}

}  // namespace

std::vector<TrivialProgram> trivial_programs(const Lab& lab) {
  if (lab.program) {
    return {{.kind = TrivialKind::nothing, .text = "int main() { return 0; }\n", .problem = ""}};
  }
  std::vector<TrivialProgram> programs;
  for (const TrivialKind kind :
       {TrivialKind::nothing, TrivialKind::zeros, TrivialKind::copy, TrivialKind::first_element}) {
    TrivialProgram program = TrivialWriter(lab, kind).write();
    if (!program.text.empty() || !program.problem.empty()) {
      programs.push_back(std::move(program));
    }
  }
  return programs;
}

bool is_right_answer(TrivialKind kind, const CaseData& data) {
  if (data.accepts) {
    return is_accepted(kind, data);
  }
  if (data.lab->program && data.expected.empty()) return false;
  for (const Parameter& output : data.lab->parameters) {
    if (!output.is_written()) {
      continue;
    }
    const Expected& in_order = data.expected.at(output.name);
    Expected aligned;
    const Expected* expected = &in_order;
    if (output.comparison.order != OutputOrder::fixed) {
      const std::optional<Array> all = left_in(kind, data, output, in_order.count());
      if (!all) {
        return false;
      }
      expected = &aligned_expected(data, output, *all, aligned);
    }
    for (std::uint64_t i = 0; i < expected->count(); ++i) {
      const double want =
          is_float(expected->type) ? expected->want[i] : static_cast<double>(expected->exact[i]);
      const std::optional<double> left = left_at(kind, data, output, i);
      if (!left || !(*left == want || (std::isnan(*left) && std::isnan(want)))) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace warpgrade
