// Included by runtime_templates.h: cudaCreateChannelDesc<float4>() and the like.

/// The format of an element type in an array; types without a specialization are not supported.
template <class T>
struct WarpgradeChannel;

#define WARPGRADE_CHANNEL(type, bits, n, kind)                            \
  template <>                                                             \
  struct WarpgradeChannel<type> {                                         \
    static cudaChannelFormatDesc get() {                                  \
      return {bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0, \
              cudaChannelFormatKind##kind};                               \
    }                                                                     \
  };
#define WARPGRADE_CHANNELS(scalar, vector, bits, kind) \
  WARPGRADE_CHANNEL(scalar, bits, 1, kind)             \
  WARPGRADE_CHANNEL(vector##1, bits, 1, kind)          \
  WARPGRADE_CHANNEL(vector##2, bits, 2, kind)          \
  WARPGRADE_CHANNEL(vector##4, bits, 4, kind)

WARPGRADE_CHANNELS(signed char, char, 8, Signed)
WARPGRADE_CHANNEL(char, 8, 1, Signed)
WARPGRADE_CHANNELS(unsigned char, uchar, 8, Unsigned)
WARPGRADE_CHANNELS(short, short, 16, Signed)
WARPGRADE_CHANNELS(unsigned short, ushort, 16, Unsigned)
WARPGRADE_CHANNELS(int, int, 32, Signed)
WARPGRADE_CHANNELS(unsigned int, uint, 32, Unsigned)
WARPGRADE_CHANNELS(float, float, 32, Float)
#undef WARPGRADE_CHANNELS
#undef WARPGRADE_CHANNEL

template <class T>
WARPGRADE_API cudaChannelFormatDesc cudaCreateChannelDesc() {
  return WarpgradeChannel<T>::get();
}

WARPGRADE_API cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return {16, 0, 0, 0, cudaChannelFormatKindFloat};
}
WARPGRADE_API cudaChannelFormatDesc cudaCreateChannelDescHalf1() {
  return cudaCreateChannelDescHalf();
}
WARPGRADE_API cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
  return {16, 16, 0, 0, cudaChannelFormatKindFloat};
}
WARPGRADE_API cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
  return {16, 16, 16, 16, cudaChannelFormatKindFloat};
}
