#include "harness/lab/glue.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "harness/lab/arguments.h"

namespace warpgrade {

namespace {

/// The parameters behind one name of a signature: one, or the fields of a record.
std::vector<const Parameter*> parameters_named(const Lab& lab, const std::string& name) {
  std::vector<const Parameter*> found;
  for (const Parameter& parameter : lab.parameters) {
    if (parameter.argument() == name) found.push_back(&parameter);
  }
  return found;
}

/// "const float*", "float*", "int", "const Particle*", "ParticleArrays", "Size", "CUstream_st*".
std::string cpp_type(const Lab& lab, const Parameter& parameter) {
  if (parameter.role == Role::stream) return "CUstream_st*";
  if (parameter.layout == FieldLayout::struct_of_arrays) return lab.record(parameter.record).arrays;
  if (parameter.layout == FieldLayout::by_value) return parameter.record;
  const std::string element = parameter.layout == FieldLayout::array_of_structs
                                  ? parameter.record
                                  : std::string(cpp_name(parameter.type));
  if (!parameter.is_array()) return element;
  return fmt::format("{}{}*", parameter.role == Role::input ? "const " : "", element);
}

/// As in the header that the student has.
std::string shown_type(const Lab& lab, const Parameter& parameter) {
  return parameter.role == Role::stream ? "cudaStream_t" : cpp_type(lab, parameter);
}

std::string mangled_element(ElementType type) {
  switch (type) {
    case ElementType::i8:
      return "a";
    case ElementType::u8:
      return "h";
    case ElementType::i16:
      return "s";
    case ElementType::u16:
      return "t";
    case ElementType::i32:
      return "i";
    case ElementType::u32:
      return "j";
    case ElementType::i64:
      return "x";
    case ElementType::u64:
      return "y";
    case ElementType::f32:
      return "f";
    case ElementType::f16:
      return "6__half";
    case ElementType::bf16:
      return "13__nv_bfloat16";
    case ElementType::boolean:
      return "b";
    case ElementType::character:
      return "c";
    case ElementType::f64:
      break;
  }
  return "d";
}

std::string with_length(const std::string& name) {
  return fmt::format("{}{}", name.size(), name);
}

/// A type in pieces, each of which qualifies what follows: {"P", "K", "f"}.
std::vector<std::string> mangled_pieces(const Lab& lab, const Parameter& parameter) {
  if (parameter.role == Role::stream) return {"P", with_length("CUstream_st")};
  if (parameter.layout == FieldLayout::struct_of_arrays) {
    return {with_length(lab.record(parameter.record).arrays)};
  }
  if (parameter.layout == FieldLayout::by_value) return {with_length(parameter.record)};
  const std::string element = parameter.layout == FieldLayout::array_of_structs
                                  ? with_length(parameter.record)
                                  : mangled_element(parameter.type);
  if (!parameter.is_array()) return {element};
  if (parameter.role == Role::input) return {"P", "K", element};
  return {"P", element};
}

/// Compound types that occurred before are encoded as S_, S0_, S1_, ... in order of appearance.
class Substitutions {
 public:
  std::string mangle(std::vector<std::string> pieces) {
    // Builtin types have one letter and are never substituted.
    if (pieces.size() == 1 && pieces.front().size() == 1) return pieces.front();
    std::string type;
    for (const std::string& piece : pieces) type += piece;
    const auto seen = std::find(seen_.begin(), seen_.end(), type);
    if (seen != seen_.end()) {
      const auto number = seen - seen_.begin();
      return fmt::format("S{}_", number == 0 ? std::string() : digit(number - 1));
    }
    std::string text = pieces.front();
    pieces.erase(pieces.begin());
    if (!pieces.empty()) text += mangle(std::move(pieces));
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

/// Declarations of the structures in the signatures. Of those that are passed by value the members
/// have the sizes and the alignment of the header's.
std::string structures(const Lab& lab) {
  std::set<std::string> texts;
  for (const Parameter& parameter : lab.parameters) {
    if (parameter.role == Role::stream) texts.insert("struct CUstream_st;\n");
    if (parameter.type == ElementType::f16 || parameter.type == ElementType::bf16) {
      texts.insert(fmt::format("struct alignas(2) {} {{ unsigned short bits; }};\n",
                               cpp_name(parameter.type)));
    }
    if (parameter.layout == FieldLayout::array_of_structs) {
      texts.insert(fmt::format("struct {};\n", parameter.record));
    }
  }
  std::string text;
  for (const std::string& each : texts) text += each;
  std::set<std::string> done;
  for (const Parameter& parameter : lab.parameters) {
    if (parameter.layout != FieldLayout::by_value || !done.insert(parameter.record).second)
      continue;
    text += fmt::format("struct {} {{\n", parameter.record);
    for (const RecordType::Field& field : lab.record(parameter.record).fields) {
      text += fmt::format("  {} {};\n", cpp_name(field.type), field.name);
    }
    text += "};\n";
  }
  done.clear();
  for (const Parameter& parameter : lab.parameters) {
    if (parameter.layout != FieldLayout::struct_of_arrays ||
        !done.insert(parameter.record).second) {
      continue;
    }
    const RecordType& record = lab.record(parameter.record);
    text += fmt::format("struct {} {{\n", record.arrays);
    for (const RecordType::Field& field : record.fields) {
      // Whether the elements are const makes no difference to the layout.
      text += fmt::format("  void* {};\n", field.name);
    }
    text += "};\n";
  }
  return text;
}

/// The expression for one argument of a call.
std::string argument_text(const Lab& lab, const std::string& name,
                          const std::vector<CallArgument>& arguments) {
  const std::vector<const Parameter*> parameters = parameters_named(lab, name);
  const auto slot = [&](const std::string& argument, const std::string& type) {
    const auto at = std::find_if(arguments.begin(), arguments.end(),
                                 [&](const CallArgument& a) { return a.name == argument; });
    return fmt::format("*static_cast<{}*>(arguments[{}])", type, at - arguments.begin());
  };
  const Parameter& first = *parameters.front();
  const std::string type = cpp_type(lab, first);
  const bool by_value = first.layout == FieldLayout::by_value;
  if (first.layout != FieldLayout::struct_of_arrays && !by_value) return slot(name, type);
  std::string members;
  for (const Parameter* parameter : parameters) {
    const std::string member = by_value ? std::string(cpp_name(parameter->type)) : "void*";
    members += fmt::format("{}{}", members.empty() ? "" : ", ", slot(parameter->name, member));
  }
  return fmt::format("{}{{{}}}", type, members);
}

}  // namespace

std::vector<Function> functions_of(const Lab& lab) {
  if (!lab.steps.empty()) return lab.steps;
  Function function{.name = lab.function, .parameters = {}, .times = std::nullopt};
  for (const Parameter& parameter : lab.parameters) {
    if (parameter.is_returned) {
      function.returns = parameter.name;
    } else if (function.parameters.empty() || function.parameters.back() != parameter.argument()) {
      function.parameters.push_back(parameter.argument());
    }
  }
  return {std::move(function)};
}

namespace {

std::string return_type(const Lab& lab, const Function& function) {
  if (function.returns.empty()) return "void";
  return std::string(cpp_name(parameters_named(lab, function.returns).front()->type));
}

std::string declared(const Lab& lab, const Function& function,
                     std::string (*type_of)(const Lab&, const Parameter&)) {
  std::string parameters;
  for (const std::string& name : function.parameters) {
    if (!parameters.empty()) parameters += ", ";
    parameters += fmt::format("{} {}", type_of(lab, *parameters_named(lab, name).front()), name);
  }
  return fmt::format("{} {}({})", return_type(lab, function), function.name, parameters);
}

}  // namespace

std::string declaration(const Lab& lab, const Function& function) {
  return declared(lab, function, shown_type);
}

std::string declaration(const Lab& lab) {
  return declaration(lab, functions_of(lab).front());
}

std::string make_glue(const Lab& lab) {
  const std::vector<CallArgument> arguments = arguments_of(lab);
  std::size_t count = arguments.size();
  std::string declarations;
  std::string calls;
  for (const Function& function : functions_of(lab)) {
    declarations += declared(lab, function, cpp_type) + ";\n";
    std::string values;
    for (const std::string& name : function.parameters) {
      if (!values.empty()) values += ",\n      ";
      values += argument_text(lab, name, arguments);
    }
    std::string repeated;
    if (function.times) {
      repeated = fmt::format(
          "for (unsigned long long i = *static_cast<unsigned long long*>(arguments[{}]); i > 0; "
          "--i) ",
          count++);
    }
    std::string result;  // into the array that is compared as an output
    if (!function.returns.empty()) {
      const auto at = std::find_if(arguments.begin(), arguments.end(), [&](const CallArgument& a) {
        return a.name == function.returns;
      });
      result = fmt::format("**static_cast<{}**>(arguments[{}]) = ", return_type(lab, function),
                           at - arguments.begin());
    }
    calls += fmt::format("  {}{}{}({});\n", repeated, result, function.name, values);
  }
  return fmt::format(
      "{}{}\n"
      "extern \"C\" {{\n"
      "extern const unsigned warpgrade_parameter_count;\n"
      "const unsigned warpgrade_parameter_count = {};\n"
      "void warpgrade_call(void* const* arguments);\n"
      "void warpgrade_call(void* const* arguments) {{\n"
      "{}"
      "}}\n"
      "}}\n",
      structures(lab), declarations, count, calls);
}

std::string mangled_name(const Lab& lab, const Function& function) {
  Substitutions substitutions;
  std::string parameters;
  for (const std::string& name : function.parameters) {
    parameters += substitutions.mangle(mangled_pieces(lab, *parameters_named(lab, name).front()));
  }
  return fmt::format("_Z{}{}", with_length(function.name), parameters.empty() ? "v" : parameters);
}

std::string mangled_name(const Lab& lab) {
  return mangled_name(lab, functions_of(lab).front());
}

}  // namespace warpgrade
