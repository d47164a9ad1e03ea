#include "harness/lab/glue.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

namespace warpgrade {

namespace {

/// "const float*", "float*", "int".
std::string cpp_type(const Parameter& parameter) {
  const std::string_view element = cpp_name(parameter.type);
  if (!parameter.is_array()) return std::string(element);
  return fmt::format("{}{}*", parameter.role == Role::input ? "const " : "", element);
}

char mangled_element(ElementType type) {
  switch (type) {
    case ElementType::i8:
      return 'a';
    case ElementType::u8:
      return 'h';
    case ElementType::i16:
      return 's';
    case ElementType::u16:
      return 't';
    case ElementType::i32:
      return 'i';
    case ElementType::u32:
      return 'j';
    case ElementType::i64:
      return 'x';
    case ElementType::u64:
      return 'y';
    case ElementType::f32:
      return 'f';
    case ElementType::f64:
      break;
  }
  return 'd';
}

/// Compound types that occurred before are encoded as S_, S0_, S1_, ... in order of appearance.
class Substitutions {
 public:
  std::string mangle(const std::string& type) {
    if (type.size() == 1) return type;
    const auto seen = std::find(seen_.begin(), seen_.end(), type);
    if (seen != seen_.end()) {
      const auto number = seen - seen_.begin();
      return fmt::format("S{}_", number == 0 ? std::string() : digit(number - 1));
    }
    const std::string text = fmt::format("{}{}", type[0], mangle(type.substr(1)));
    seen_.push_back(type);
    return text;
  }

 private:
  /// Base 36, upper case.
  static std::string digit(std::ptrdiff_t number) {
    const std::string_view digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    std::string text;
    do {
      text.insert(text.begin(), digits[static_cast<std::size_t>(number % 36)]);
      number /= 36;
    } while (number > 0);
    return text;
  }

  std::vector<std::string> seen_;
};

}  // namespace

std::string declaration(const Lab& lab) {
  std::string parameters;
  for (const Parameter& parameter : lab.parameters) {
    if (!parameters.empty()) parameters += ", ";
    parameters += fmt::format("{} {}", cpp_type(parameter), parameter.name);
  }
  return fmt::format("void {}({})", lab.function, parameters);
}

std::string make_glue(const Lab& lab) {
  std::string arguments;
  for (std::size_t i = 0; i < lab.parameters.size(); ++i) {
    if (i > 0) arguments += ",\n      ";
    const std::string type = cpp_type(lab.parameters[i]);
    arguments += fmt::format("*static_cast<{}*>(arguments[{}])", type, i);
  }
  return fmt::format(
      "{};\n\n"
      "extern \"C\" {{\n"
      "extern const unsigned warpgrade_parameter_count;\n"
      "const unsigned warpgrade_parameter_count = {};\n"
      "void warpgrade_call(void* const* arguments);\n"
      "void warpgrade_call(void* const* arguments) {{\n"
      "  {}({});\n"
      "}}\n"
      "}}\n",
      declaration(lab), lab.parameters.size(), lab.function, arguments);
}

std::string mangled_name(const Lab& lab) {
  Substitutions substitutions;
  std::string parameters;
  for (const Parameter& parameter : lab.parameters) {
    const std::string_view pointer = !parameter.is_array()           ? ""
                                     : parameter.role == Role::input ? "PK"
                                                                     : "P";
    parameters +=
        substitutions.mangle(fmt::format("{}{}", pointer, mangled_element(parameter.type)));
  }
  return fmt::format("_Z{}{}{}", lab.function.size(), lab.function,
                     parameters.empty() ? "v" : parameters);
}

}  // namespace warpgrade
