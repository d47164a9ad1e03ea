#include "grader/core/lab_lookup.h"

#include <stdexcept>

namespace warpgrade {

const Lab* LabLookup::find(const std::string& id) {
  auto [it, fresh] = labs_.try_emplace(id);
  if (fresh) {
    try {
      it->second = load_lab(root_ / "labs" / id);
    } catch (const std::runtime_error&) {
      // As if there were none.
    }
  }
  return it->second ? &*it->second : nullptr;
}

}  // namespace warpgrade
