#include "emulator/recording/page.h"
#include "emulator/recording/pictures.h"

// Pages with the pictures that are in this program.

namespace warpsim::recording {

std::string to_page(const Recording& recording, const PageOpening& opening) {
  return to_page(recording,
                 {.page = kPage, .style = kStyle, .scripts = {kScripts.begin(), kScripts.end()}},
                 opening);
}

}  // namespace warpsim::recording
