#include "emulator/isa/handlers/bind.h"
#include "emulator/isa/row.h"

// Forms that are known and refused, with the reason. A row's bind function takes what makes the
// form what it is, and throws for any other form of the opcode; no bind function means all forms.

namespace warpsim::WARPSIM_SIMD {
namespace {

/// add, sub and fma of f32 with 16-bit operands.
void bind_mixed(Binder& b) {
  const Type result = b.take_type();
  const Type operand = b.take_type();
  if (result != Type::f32 || (operand != Type::f16 && operand != Type::bf16)) b.unsupported("");
}

void bind_oob(Binder& b) {
  if (!b.take("oob")) b.unsupported("");
}

void bind_stochastic(Binder& b) {
  if (!b.take("rs")) b.unsupported("");
}

void bind_small_floats(Binder& b) {
  const int type = b.take_one_of({"e2m1x2", "e2m3x2", "e3m2x2", "ue8m0x2", "s2f6x2", "e2m1x4",
                                  "e2m3x4", "e3m2x4", "e4m3x4", "e5m2x4"});
  if (type < 0) b.unsupported("");
}

void bind_float_reduction(Binder& b) {
  if (!b.take("f32")) b.unsupported("");
}

constexpr std::string_view kMixed =
    "mixed precision needs compute capability 10.0, which no emulated card has";

/// A scalar video instruction, which only hand-written PTX has.
constexpr Row scalar_video(std::string_view name) {
  return {.name = name,
          .forms = "",
          .bind = nullptr,
          .does = semantics::kCompute,
          .unsupported =
              "scalar video instructions are not emulated; vadd2, vadd4 and their kind "
              "are, and shifts, min, max and add do the same"};
}

}  // namespace

Family refused_family() {
  static constexpr Row rows[] = {
      {.name = "add",
       .forms = "",
       .bind = bind_mixed,
       .does = semantics::kAdd,
       .unsupported = kMixed},
      {.name = "sub",
       .forms = "",
       .bind = bind_mixed,
       .does = semantics::kSubtract,
       .unsupported = kMixed},
      {.name = "fma",
       .forms = "",
       .bind = bind_mixed,
       .does = semantics::kMultiplyAdd,
       .unsupported = kMixed},
      {.name = "fma",
       .forms = "",
       .bind = bind_oob,
       .does = semantics::kMultiplyAdd,
       .unsupported = "the manual does not say which NaN stands for an element out of bounds"},
      {.name = "cvt",
       .forms = "",
       .bind = bind_stochastic,
       .does = semantics::kConvert,
       .unsupported = "stochastic rounding needs compute capability 10.0, which no emulated card "
                      "has"},
      {.name = "cvt",
       .forms = "",
       .bind = bind_small_floats,
       .does = semantics::kConvert,
       .unsupported = "this type needs compute capability 10.0, which no emulated card has"},
      {.name = "redux",
       .forms = "",
       .bind = bind_float_reduction,
       .does = semantics::kReduceLanes,
       .unsupported = "reductions of f32 need compute capability 10.0, which no emulated card has"},
      {.name = "tcgen05",
       .forms = "",
       .bind = nullptr,
       .does = semantics::kAction,
       .unsupported = "it needs compute capability 10.0, which no emulated card has"},
      scalar_video("vadd"),
      scalar_video("vsub"),
      scalar_video("vabsdiff"),
      scalar_video("vmin"),
      scalar_video("vmax"),
      scalar_video("vshl"),
      scalar_video("vshr"),
      scalar_video("vset"),
      scalar_video("vmad"),
  };
  return rows;
}

}  // namespace warpsim::WARPSIM_SIMD
