#include "emulator/isa/handlers/families.h"

// Families that are declared here and not in families.h: adding one recompiles no other handler.
// `refused` comes last: what it says about a form counts only when no other row knows the form.
// clang-format off
#define WARPSIM_MORE_FAMILIES(family) \
  family(matrix_multiply) \
  family(matrix_memory) \
  family(group_multiply) \
  family(cache_hints) \
  family(copy_async) \
  family(tensor_copy) \
  family(mbarrier) \
  family(cluster) \
  family(refused)
// clang-format on

namespace warpsim::WARPSIM_SIMD {

#define WARPSIM_DECLARE_FAMILY(name) Family name##_family();
WARPSIM_MORE_FAMILIES(WARPSIM_DECLARE_FAMILY)
#undef WARPSIM_DECLARE_FAMILY

std::span<const Family> all_families() {
#define WARPSIM_LIST_FAMILY(name) name##_family(),
  static const Family families[] = {WARPSIM_FAMILIES(WARPSIM_LIST_FAMILY)
                                        WARPSIM_MORE_FAMILIES(WARPSIM_LIST_FAMILY)};
#undef WARPSIM_LIST_FAMILY
  return families;
}

std::span<const std::span<const NativeForm>> all_native_forms() {
#define WARPSIM_LIST_NATIVE(name) name##_native(),
  static const std::span<const NativeForm> forms[] = {WARPSIM_NATIVE_FILES(WARPSIM_LIST_NATIVE)};
#undef WARPSIM_LIST_NATIVE
  return forms;
}

}  // namespace warpsim::WARPSIM_SIMD
