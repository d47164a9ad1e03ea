// No include guard: as float16_functions.h.

// Shuffles.
#define WARPGRADE_SHUFFLE(name, lane_type)                                                   \
  WARPGRADE_DEVICE WARPGRADE_F16 name(unsigned mask, const WARPGRADE_F16& a, lane_type lane, \
                                      int width = warpSize) {                                \
    return WARPGRADE_F16_OF((unsigned short)name(mask, (unsigned)a.bits_, lane, width));     \
  }                                                                                          \
  WARPGRADE_DEVICE WARPGRADE_F16_PAIR name(unsigned mask, const WARPGRADE_F16_PAIR& a,       \
                                           lane_type lane, int width = warpSize) {           \
    return WARPGRADE_F16_PAIR_OF(name(mask, warpgrade_cuda::word_of(a), lane, width));       \
  }
WARPGRADE_SHUFFLE(__shfl_sync, int)
WARPGRADE_SHUFFLE(__shfl_up_sync, unsigned)
WARPGRADE_SHUFFLE(__shfl_down_sync, unsigned)
WARPGRADE_SHUFFLE(__shfl_xor_sync, int)
#undef WARPGRADE_SHUFFLE
