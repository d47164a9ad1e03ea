#include <algorithm>
#include <string>

#include "fuzz/input.h"
#include "grader/serve/http/url.h"
#include "grader/serve/lab_files.h"

// What `warpgrade serve` reads itself of a request: the target, a cookie and the submitted files,
// with zero bytes in between.

namespace {

std::string_view take(std::string_view& text) {
  const std::size_t border = std::min(text.find('\0'), text.size());
  const std::string_view part = text.substr(0, border);
  text.remove_prefix(std::min(border + 1, text.size()));
  return part;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text = fuzz::text_of(data, size);
  if (const auto target = warpgrade::parse_target(take(text))) {
    for (const std::string& part : target->path) {
      fuzz::require(!part.empty() && part != ".." && part.find('/') == std::string::npos);
    }
  }
  const std::string_view cookies = take(text);
  const std::string cookie = warpgrade::cookie_value(cookies, "warpgrade-8475");
  fuzz::require(cookie.empty() || cookies.find(cookie) != std::string_view::npos);
  warpgrade::Lab lab;
  lab.id = "vecadd";
  lab.function = "vecadd";
  lab.submit = {"vecadd.cu"};
  std::string problem;
  const warpgrade::FileSet files = warpgrade::read_files(lab, std::string(text), problem);
  fuzz::require(files.empty() == !problem.empty());
  for (const auto& [name, content] : files) fuzz::require(name == "vecadd.cu");
  return 0;
}
