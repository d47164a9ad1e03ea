#include "harness/lab/glue.h"

#include <cxxabi.h>
#include <catch2/catch_test_macros.hpp>
#include <memory>

namespace warpgrade {

namespace {

Parameter parameter(const char* name, Role role, ElementType type) {
  Parameter p;
  p.name = name;
  p.role = role;
  p.type = type;
  return p;
}

Lab lab_with(const char* function, std::vector<Parameter> parameters) {
  Lab lab;
  lab.function = function;
  lab.parameters = std::move(parameters);
  return lab;
}

std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 ? text.get() : "not a mangled name";
}

}  // namespace

TEST_CASE("the mangled name is the compiler's", "[lab][glue]") {
  const Lab vecadd = lab_with("vecadd", {parameter("a", Role::input, ElementType::f32),
                                         parameter("b", Role::input, ElementType::f32),
                                         parameter("c", Role::output, ElementType::f32),
                                         parameter("n", Role::scalar, ElementType::i32)});
  CHECK(mangled_name(vecadd) == "_Z6vecaddPKfS0_Pfi");
}

TEST_CASE("repeated types of many parameters demangle to the declaration", "[lab][glue]") {
  const Lab lab = lab_with(
      "histogram",
      {parameter("x", Role::input, ElementType::u8), parameter("y", Role::input, ElementType::f64),
       parameter("bins", Role::output, ElementType::u32),
       parameter("more", Role::inout, ElementType::u32),
       parameter("z", Role::input, ElementType::f64),
       parameter("w", Role::output, ElementType::f64), parameter("v", Role::input, ElementType::u8),
       parameter("n", Role::scalar, ElementType::i64)});
  CHECK(demangled(mangled_name(lab)) ==
        "histogram(unsigned char const*, double const*, unsigned int*, unsigned int*, double "
        "const*, double*, unsigned char const*, long long)");
}

TEST_CASE("the glue declares the function and passes each argument", "[lab][glue]") {
  const Lab lab = lab_with("sum", {parameter("x", Role::input, ElementType::i16),
                                   parameter("n", Role::scalar, ElementType::u64)});
  CHECK(declaration(lab) == "void sum(const short* x, unsigned long long n)");
  CHECK(make_glue(lab) ==
        "void sum(const short* x, unsigned long long n);\n"
        "\n"
        "extern \"C\" {\n"
        "extern const unsigned warpgrade_parameter_count;\n"
        "const unsigned warpgrade_parameter_count = 2;\n"
        "void warpgrade_call(void* const* arguments);\n"
        "void warpgrade_call(void* const* arguments) {\n"
        "  sum(*static_cast<const short**>(arguments[0]),\n"
        "      *static_cast<unsigned long long*>(arguments[1]));\n"
        "}\n"
        "}\n");
}

}  // namespace warpgrade
