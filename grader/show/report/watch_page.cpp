#include "grader/show/report/watch_page.h"

#include "emulator/recording/page.h"
#include "grader/core/embedded.h"
#include "grader/show/report/picture_scripts.h"

namespace warpgrade {
namespace recording = warpsim::recording;

std::string watch_page(std::string_view bytes, const std::string& title, std::uint32_t line) {
  recording::PageParts parts;
  parts.page = embedded_file("recording.html");
  parts.style = embedded_file("pictures.css");
  for (const std::string_view name : picture_scripts()) {
    parts.scripts.push_back(embedded_file(name));
  }
  return recording::to_page(recording::decode(bytes), parts, {.title = title, .line = line});
}

}  // namespace warpgrade
