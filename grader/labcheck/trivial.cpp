#include "grader/labcheck/trivial.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <regex>
#include <stdexcept>

#include "harness/lab/glue.h"

namespace warpgrade {
namespace {

/// The input that a copy would take: another array of the same type, the first of the signature.
const Parameter* source_of(const Lab& lab, const Parameter& output) {
  const auto it =
      std::find_if(lab.parameters.begin(), lab.parameters.end(), [&](const Parameter& p) {
        return p.is_array() && p.is_read() && p.type == output.type && p.name != output.name;
      });
  return it == lab.parameters.end() ? nullptr : &*it;
}

/// The expression for a dim: a parameter, or a constant if it is the same in every case.
std::optional<std::string> known_dim(const Lab& lab, const std::string& dim) {
  for (const Parameter& p : lab.parameters) {
    if (!p.is_array() && p.value->text() == dim) {
      return p.name;
    }
  }
  const std::int64_t value = lab.cases.front().data.dims.at(dim);
  const bool same = std::all_of(lab.cases.begin(), lab.cases.end(),
                                [&](const Case& c) { return c.data.dims.at(dim) == value; });
  return same ? std::optional(std::to_string(value)) : std::nullopt;
}

/// Formulas divide and multiply in double; "1 / 2" must not become an integer division.
std::string as_doubles(const std::string& formula) {
  static const std::regex kWhole(R"((^|[^\w.])(\d+)(?![\w.]))");
  return std::regex_replace(formula, kWhole, "$1$2.0");
}

/// Writes a program's text.
class TrivialWriter {
 public:
  TrivialWriter(const Lab& lab, TrivialKind kind) : lab_(lab), kind_(kind) {}

  TrivialProgram write() {
    std::string body;
    bool any = kind_ == TrivialKind::nothing;
    for (const Parameter& p : lab_.parameters) {
      if (p.is_written() && kind_ != TrivialKind::nothing) {
        const std::string statement = fill(p);
        any = any || !statement.empty();
        body += statement;
      }
    }
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
            "{} {{\n{}}}\n",
            lab_.header.filename().string(), counts_, declaration(lab_), body),
        .problem = ""};
  }

 private:
  /// A call of a function that gives the elements of an array.
  std::string count(const Parameter& array) {
    std::map<std::string, std::string> dims;
    std::string product = "1.0";
    for (const Expression& extent : array.shape) {
      product += fmt::format(" * ({})", as_doubles(extent.text()));
      for (const std::string& name : extent.names()) {
        const std::optional<std::string> value = known_dim(lab_, name);
        if (!value) {
          problem_ = fmt::format("the size of `{}` depends on '{}', which is not a parameter",
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
    const std::string name = "count_" + array.name;
    const std::string function = fmt::format(
        "[[maybe_unused]] std::size_t {}({}) {{ return static_cast<std::size_t>({}); }}\n", name,
        parameters, product);
    if (counts_.find(function) == std::string::npos) {
      counts_ += function;
    }
    return fmt::format("formula::{}({})", name, arguments);
  }

  std::string fill(const Parameter& output) {
    const bool on_host = output.memory == Memory::host;
    if (kind_ == TrivialKind::zeros) {
      return fmt::format("  {}({}, 0, {} * sizeof *{});\n", on_host ? "std::memset" : "cudaMemset",
                         output.name, count(output), output.name);
    }
    const Parameter* source = source_of(lab_, output);
    if (source == nullptr) {
      return "";
    }
    std::string elements = fmt::format(
        "static_cast<std::size_t>(formula::min(static_cast<double>({}), static_cast<double>({})))",
        count(output), count(*source));
    if (kind_ == TrivialKind::first_element) {
      elements = fmt::format("({} > 0 ? 1 : 0)", elements);
    }
    const auto side = [](const Parameter& p) {
      return p.memory == Memory::host ? "Host" : "Device";
    };
    return fmt::format("  cudaMemcpy({}, {}, {} * sizeof *{}, cudaMemcpy{}To{});\n", output.name,
                       source->name, elements, output.name, side(*source), side(output));
  }

  const Lab& lab_;
  TrivialKind kind_;
  std::string counts_;
  std::string problem_;
};

double element(const Array& array, std::uint64_t i) {
  return with_type(array.type,
                   [&](auto zero) { return static_cast<double>(array.as<decltype(zero)>()[i]); });
}

/// The value that the program writes to element i; nothing if it stays uninitialized.
std::optional<double> left_at(TrivialKind kind, const CaseData& data, const Parameter& output,
                              std::uint64_t i) {
  if (kind == TrivialKind::zeros) {
    return 0;
  }
  const Parameter* source = source_of(*data.lab, output);
  const bool copies = kind == TrivialKind::copy || (kind == TrivialKind::first_element && i == 0);
  if (copies && source != nullptr && i < data.inputs.at(source->name).count()) {
    return element(data.inputs.at(source->name), i);
  }
  if (output.is_read()) {
    return element(data.inputs.at(output.name), i);
  }
  return std::nullopt;
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
  if (data.lab->program && data.expected.empty()) return false;
  for (const Parameter& output : data.lab->parameters) {
    if (!output.is_written()) {
      continue;
    }
    const Expected& expected = data.expected.at(output.name);
    for (std::uint64_t i = 0; i < expected.count(); ++i) {
      const double want =
          is_float(expected.type) ? expected.want[i] : static_cast<double>(expected.exact[i]);
      const std::optional<double> left = left_at(kind, data, output, i);
      if (!left || !(*left == want || (std::isnan(*left) && std::isnan(want)))) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace warpgrade
