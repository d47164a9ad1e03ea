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

TEST_CASE("a function may return what is compared as an output", "[lab][glue]") {
  Lab lab = lab_with("count", {parameter("x", Role::input, ElementType::f32),
                               parameter("found", Role::output, ElementType::u64),
                               parameter("n", Role::scalar, ElementType::i32)});
  lab.parameters[1].is_returned = true;
  CHECK(declaration(lab) == "unsigned long long count(const float* x, int n)");
  CHECK(mangled_name(lab) == "_Z5countPKfi");  // without the result
  const std::string glue = make_glue(lab);
  CHECK(glue.find("warpgrade_parameter_count = 3;\n") != std::string::npos);
  CHECK(glue.find("  **static_cast<unsigned long long**>(arguments[1]) = "
                  "count(*static_cast<const float**>(arguments[0]),\n"
                  "      *static_cast<int*>(arguments[2]));\n") != std::string::npos);
}

TEST_CASE("a structure may be passed by value", "[lab][glue]") {
  Lab lab = lab_with("scale", {parameter("x", Role::inout, ElementType::f32)});
  lab.records = {{.name = "Size",
                  .arrays = "",
                  .fields = {{.name = "width", .type = ElementType::i32, .offset = 0},
                             {.name = "factor", .type = ElementType::f64, .offset = 8}},
                  .size = 16,
                  .alignment = 8}};
  for (std::size_t i = 0; i < 2; ++i) {
    const RecordType::Field& field = lab.records[0].fields[i];
    Parameter p = parameter("", Role::scalar, field.type);
    p.name = "size." + field.name;
    p.layout = FieldLayout::by_value;
    p.record = "Size";
    p.group = "size";
    p.field = i;
    lab.parameters.push_back(p);
  }
  CHECK(declaration(lab) == "void scale(float* x, Size size)");
  CHECK(demangled(mangled_name(lab)) == "scale(float*, Size)");
  const std::string glue = make_glue(lab);
  CHECK(
      glue.starts_with("struct Size {\n  int width;\n  double factor;\n};\n"
                       "void scale(float* x, Size size);\n"));
  CHECK(glue.find("Size{*static_cast<int*>(arguments[1]), *static_cast<double*>(arguments[2])}") !=
        std::string::npos);
}

namespace {

/// x and y in structures, and the structure of their arrays.
Lab lab_with_records() {
  Lab lab;
  lab.function = "move";
  lab.records = {{.name = "Point",
                  .arrays = "PointArrays",
                  .fields = {{.name = "x", .type = ElementType::f32, .offset = 0},
                             {.name = "y", .type = ElementType::f64, .offset = 8}},
                  .size = 16,
                  .alignment = 8}};
  for (const FieldLayout layout : {FieldLayout::array_of_structs, FieldLayout::struct_of_arrays}) {
    const std::string group = layout == FieldLayout::array_of_structs ? "p" : "v";
    for (std::size_t i = 0; i < 2; ++i) {
      const RecordType::Field& field = lab.records[0].fields[i];
      Parameter p = parameter((group + "." + field.name).c_str(), Role::input, field.type);
      p.layout = layout;
      p.record = "Point";
      p.group = group;
      p.field = i;
      lab.parameters.push_back(p);
    }
  }
  lab.parameters.push_back(parameter("s", Role::stream, ElementType::f32));
  return lab;
}

}  // namespace

TEST_CASE("structures and streams are passed as the header declares them", "[lab][glue]") {
  const Lab lab = lab_with_records();
  CHECK(declaration(lab) == "void move(const Point* p, PointArrays v, cudaStream_t s)");
  CHECK(demangled(mangled_name(lab)) == "move(Point const*, PointArrays, CUstream_st*)");
  const std::string glue = make_glue(lab);
  CHECK(glue.find("struct PointArrays {\n  void* x;\n  void* y;\n};") != std::string::npos);
  // An array of structures is one argument, a structure of two arrays two.
  CHECK(glue.find("warpgrade_parameter_count = 4;") != std::string::npos);
  CHECK(glue.find("PointArrays{*static_cast<void**>(arguments[1]), "
                  "*static_cast<void**>(arguments[2])}") != std::string::npos);
}

TEST_CASE("names of classes are substituted as the ABI says", "[lab][glue]") {
  const Lab lab = lab_with("f", {parameter("a", Role::input, ElementType::f16),
                                 parameter("b", Role::output, ElementType::f16),
                                 parameter("c", Role::input, ElementType::f16),
                                 parameter("d", Role::scalar, ElementType::f16),
                                 parameter("e", Role::output, ElementType::bf16),
                                 parameter("f", Role::output, ElementType::boolean)});
  // As g++ 12 mangles void f(const __half*, __half*, const __half*, __half, __nv_bfloat16*, bool*).
  CHECK(mangled_name(lab) == "_Z1fPK6__halfPS_S1_S_P13__nv_bfloat16Pb");
}

TEST_CASE("the steps of a lab are called in order, some of them repeatedly", "[lab][glue]") {
  Lab lab = lab_with("begin", {parameter("x", Role::inout, ElementType::f32),
                               parameter("n", Role::scalar, ElementType::i32)});
  lab.steps = {{.name = "begin", .parameters = {"x"}, .times = std::nullopt},
               {.name = "step", .parameters = {"x", "n"}, .times = Expression("steps")}};
  CHECK(declaration(lab, lab.steps[1]) == "void step(float* x, int n)");
  CHECK(mangled_name(lab, lab.steps[1]) == "_Z4stepPfi");
  const std::string glue = make_glue(lab);
  CHECK(glue.find("warpgrade_parameter_count = 3;") != std::string::npos);
  const std::size_t first = glue.find("  begin(*static_cast<float**>(arguments[0]));");
  const std::size_t second = glue.find(
      "for (unsigned long long i = *static_cast<unsigned long long*>(arguments[2]); i > 0; --i) "
      "step(");
  CHECK(first != std::string::npos);
  CHECK(second != std::string::npos);
  CHECK(first < second);
}

}  // namespace warpgrade
