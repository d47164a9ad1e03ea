#include "emulator/isa/unsupported.h"

#include <fmt/format.h>

namespace warpsim {

void unsupported_type(const Binder& binder, ptx::Type type) {
  if (type == ptx::Type::none) binder.unsupported("no type");
  throw UnsupportedForm{.reason = fmt::format("type .{}", ptx::name(type)), .is_type = true};
}

void require_operands(const Binder& binder, std::size_t least, std::size_t most) {
  const std::size_t got = binder.operand_count();
  if (got >= least && got <= most) return;
  if (least == most) binder.unsupported(fmt::format("{} operands instead of {}", got, least));
  binder.unsupported(fmt::format("{} operands instead of {} to {}", got, least, most));
}

void unsupported(const Binder& binder, const char* reason) {
  binder.unsupported(reason);
}

}  // namespace warpsim
