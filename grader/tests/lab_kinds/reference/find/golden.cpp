#include "harness/golden/golden.h"

#include <cstdint>

WARPGRADE_GOLDEN(call) {
  const auto text = call.input<std::uint8_t>("text");
  const auto where = call.integers("where");
  const auto capitals = call.integers("capitals");
  where[0] = -1;
  for (std::size_t i = text.size(); i-- > 0;) {
    if (text[i] == 'h') where[0] = static_cast<std::int64_t>(i);
    capitals[i] = text[i] >= 'a' && text[i] <= 'z' ? text[i] - 32 : text[i];
  }
}

WARPGRADE_ACCEPTS(check) {
  const auto text = check.input<std::uint8_t>("text");
  const std::int32_t where = check.output<std::int32_t>("where")[0];
  bool any = false;
  for (const std::uint8_t letter : text) any = any || letter == 'h';
  if (where == -1 && any) {
    check.wrong("where", 0, "-1 says that there is no 'h', but there is one.");
  } else if (where < -1 || where >= static_cast<std::int64_t>(text.size())) {
    check.wrong("where", 0, std::to_string(where) + " is not an index of the text.");
  } else if (where >= 0 && text[static_cast<std::size_t>(where)] != 'h') {
    check.wrong("where", 0, "There is no 'h' at index " + std::to_string(where) + ".");
  }
}
