#include "emulator/machine/polls.h"

#include <bit>

namespace warpsim {

bool looks_again(WarpContext& context, const Inst& in, const std::uint64_t* address,
                 std::uint32_t lanes) {
  if (context.polls == nullptr) context.polls = std::make_shared<Polls>();
  bool again = true;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
    const Polls::Look now{&in, address[lane]};
    again = again && now == context.polls->last[lane];
    context.polls->last[lane] = now;
  }
  return again;
}

}  // namespace warpsim
