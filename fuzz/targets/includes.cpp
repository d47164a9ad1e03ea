#include "grader/build/inspection/includes.h"

#include <algorithm>

#include "fuzz/input.h"
#include "grader/core/comments.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view source = fuzz::text_of(data, size);
  (void)warpgrade::find_includes(source);
  const std::string plain = warpgrade::without_comments(source);
  fuzz::require(std::ranges::count(plain, '\n') == std::ranges::count(source, '\n'));
  return 0;
}
