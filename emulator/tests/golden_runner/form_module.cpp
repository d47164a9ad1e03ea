#include "emulator/tests/golden_runner/form_module.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "emulator/tests/golden_runner/expand.h"

namespace warpsim::golden {
namespace {

using ptx::Type;

/// The type that a register is declared, loaded and stored with.
std::string_view register_type(Type type) {
  switch (type) {
    case Type::pred:
      return "pred";
    case Type::f32:
      return "f32";
    case Type::f64:
      return "f64";
    default:
      break;
  }
  switch (ptx::size_bytes(type)) {
    case 1:
      return "b8";
    case 2:
      return "b16";
    case 4:
      return "b32";
    case 8:
      return "b64";
    default:
      return "b128";
  }
}

using Out = std::back_insert_iterator<std::string>;

void load(Out out, const Register& reg, std::string_view base, std::size_t offset) {
  if (reg.type == Type::pred) {
    fmt::format_to(out, "  ld.global.u32 %g_word, [%{}+{}];\n", base, offset);
    fmt::format_to(out, "  setp.ne.u32 %{}, %g_word, 0;\n", reg.name);
  } else if (ptx::size_bytes(reg.type) == 16) {
    fmt::format_to(out, "  ld.global.v2.u64 {{%g_low, %g_high}}, [%{}+{}];\n", base, offset);
    fmt::format_to(out, "  mov.b128 %{}, {{%g_low, %g_high}};\n", reg.name);
  } else {
    fmt::format_to(out, "  ld.global.{} %{}, [%{}+{}];\n", register_type(reg.type), reg.name, base,
                   offset);
  }
}

void store(Out out, const Register& reg, std::size_t offset) {
  if (reg.type == Type::pred) {
    fmt::format_to(out, "  selp.u32 %g_word, 1, 0, %{};\n", reg.name);
    fmt::format_to(out, "  st.global.u32 [%g_out+{}], %g_word;\n", offset);
  } else if (ptx::size_bytes(reg.type) == 16) {
    fmt::format_to(out, "  mov.b128 {{%g_low, %g_high}}, %{};\n", reg.name);
    fmt::format_to(out, "  st.global.v2.u64 [%g_out+{}], {{%g_low, %g_high}};\n", offset);
  } else {
    fmt::format_to(out, "  st.global.{} [%g_out+{}], %{};\n", register_type(reg.type), offset,
                   reg.name);
  }
}

bool is_input(const Form& form, const Register& output) {
  return std::any_of(form.inputs.begin(), form.inputs.end(),
                     [&](const Register& input) { return input.name == output.name; });
}

void write_entry(Out out, const Entry& entry) {
  const Form& form = *entry.form;
  fmt::format_to(out, ".visible .entry {}(.param .u64 in, .param .u64 out, .param .u32 active)\n",
                 entry.name);
  fmt::format_to(out,
                 "{{\n"
                 "  .reg .pred %g_off;\n"
                 "  .reg .b32 %g_tid, %g_block, %g_index, %g_active, %g_word;\n"
                 "  .reg .b64 %g_in, %g_out, %g_low, %g_high;\n");
  for (const Register& reg : form.inputs) {
    fmt::format_to(out, "  .reg .{} %{};\n", register_type(reg.type), reg.name);
  }
  for (const Register& reg : form.outputs) {
    if (is_input(form, reg)) continue;
    fmt::format_to(out, "  .reg .{} %{};\n", register_type(reg.type), reg.name);
  }
  fmt::format_to(out,
                 "  ld.param.u64 %g_in, [in];\n"
                 "  ld.param.u64 %g_out, [out];\n"
                 "  ld.param.u32 %g_active, [active];\n"
                 "  mov.u32 %g_tid, %tid.x;\n"
                 "  mov.u32 %g_block, %ctaid.x;\n"
                 "  mad.lo.u32 %g_index, %g_block, 32, %g_tid;\n"
                 "  mad.wide.u32 %g_in, %g_index, {}, %g_in;\n"
                 "  mad.wide.u32 %g_out, %g_index, {}, %g_out;\n",
                 kValueStride * form.inputs.size(), kValueStride * form.outputs.size());
  for (std::size_t i = 0; i < form.inputs.size(); ++i) {
    load(out, form.inputs[i], "g_in", kValueStride * i);
  }
  for (std::size_t i = 0; i < form.outputs.size(); ++i) {
    if (!is_input(form, form.outputs[i])) load(out, form.outputs[i], "g_out", kValueStride * i);
  }
  fmt::format_to(out,
                 "  shr.u32 %g_word, %g_active, %g_tid;\n"
                 "  and.b32 %g_word, %g_word, 1;\n"
                 "  setp.eq.u32 %g_off, %g_word, 0;\n"
                 "  @%g_off bra done;\n"
                 "  {}\n"
                 "done:\n",
                 entry.instructions);
  for (std::size_t i = 0; i < form.outputs.size(); ++i) {
    store(out, form.outputs[i], kValueStride * i);
  }
  fmt::format_to(out, "  ret;\n}}\n\n");
}

}  // namespace

std::vector<Entry> entries(const Form& form, std::size_t index) {
  std::vector<Entry> result;
  for (const Expansion& expansion : expand(form.instructions)) {
    result.push_back({.form = &form,
                      .instructions = expansion.text,
                      .column = expansion.first_choice,
                      .name = fmt::format("form_{}_{}", index, result.size())});
  }
  return result;
}

std::string make_module(const std::vector<Entry>& entries) {
  std::string text;
  const Target& target = entries.front().form->target;
  fmt::format_to(Out(text), ".version {}\n.target {}\n.address_size 64\n\n", target.isa,
                 target.architecture);
  for (const Entry& entry : entries) write_entry(Out(text), entry);
  return text;
}

}  // namespace warpsim::golden
