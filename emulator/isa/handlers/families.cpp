#include "emulator/isa/handlers/families.h"

namespace warpsim::WARPSIM_SIMD {

std::span<const Family> all_families() {
#define WARPSIM_LIST_FAMILY(name) name##_family(),
  static const Family families[] = {WARPSIM_FAMILIES(WARPSIM_LIST_FAMILY)};
#undef WARPSIM_LIST_FAMILY
  return families;
}

}  // namespace warpsim::WARPSIM_SIMD
