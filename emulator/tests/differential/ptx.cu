#include <bit>
#include <cmath>

#include "emulator/tests/differential/map.h"

// Instructions that the compiler seldom chooses by itself, written as inline PTX, with models from
// the PTX ISA.

namespace differential {
namespace {

using S = std::int32_t;
using U = std::uint32_t;
using S64 = std::int64_t;
using U64 = std::uint64_t;

struct BitFieldExtract {
  __host__ __device__ U operator()(U a, U b, U c) const {
#ifdef __CUDA_ARCH__
    U d;
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
#else
    const U first = b & 0xff, width = c & 0xff;
    U out = 0;
    for (U i = 0; i < 32 && i < width; ++i) out |= first + i < 32 ? (a >> (first + i) & 1) << i : 0;
    return out;
#endif
  }
};

struct BitFieldExtractSigned {
  // Beyond 255 the ISA takes eight bits, ptxas' 64-bit sequence does not.
  static bool valid(S64, U b, U c) { return b < 256 && c < 256; }
  __host__ __device__ S64 operator()(S64 a, U b, U c) const {
#ifdef __CUDA_ARCH__
    S64 d;
    asm("bfe.s64 %0, %1, %2, %3;" : "=l"(d) : "l"(a), "r"(b), "r"(c));
    return d;
#else
    const U first = b & 0xff, width = c & 0xff;
    if (width == 0) return 0;
    const U last = first + width - 1 < 63 ? first + width - 1 : 63;
    const U64 sign = U64(a) >> last & 1;
    U64 out = 0;
    for (U i = 0; i < 64; ++i) {
      out |= (i < width && first + i < 64 ? U64(a) >> (first + i) & 1 : sign) << i;
    }
    return S64(out);
#endif
  }
};

struct BitFieldInsert {
  __host__ __device__ U operator()(U a, U b, U c) const {
#ifdef __CUDA_ARCH__
    U d;
    asm("bfi.b32 %0, %1, %2, %3, 11;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
#else
    const U first = c & 0xff;
    U out = b;
    for (U i = 0; i < 11 && first + i < 32; ++i) {
      out = (out & ~(1u << (first + i))) | (a >> i & 1) << (first + i);
    }
    return out;
#endif
  }
};

struct FindLeadingOneUnsigned {
  __host__ __device__ U operator()(U a) const {
#ifdef __CUDA_ARCH__
    U d;
    asm("bfind.u32 %0, %1;" : "=r"(d) : "r"(a));
    return d;
#else
    return a == 0 ? 0xffffffffu : 31 - U(std::countl_zero(a));
#endif
  }
};

struct FindLeadingNonSignShift {
  __host__ __device__ U operator()(S64 a) const {
#ifdef __CUDA_ARCH__
    U d;
    asm("bfind.shiftamt.s64 %0, %1;" : "=r"(d) : "l"(a));
    return d;
#else
    const U64 bits = U64(a < 0 ? ~a : a);
    return bits == 0 ? 0xffffffffu : U(std::countl_zero(bits));
#endif
  }
};

#define PERMUTE(Name, mode, byte_index)                                              \
  struct Name {                                                                      \
    __host__ __device__ U operator()(U a, U b, U c) const {                          \
      return DEVICE_OR_HOST(device(a, b, c), host(a, b, c));                         \
    }                                                                                \
    static __device__ U device(U a, U b, U c) {                                      \
      U d;                                                                           \
      asm("prmt.b32" mode " %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));    \
      return d;                                                                      \
    }                                                                                \
    static __host__ U host(U a, U b, U c) {                                          \
      const U64 bytes = U64(b) << 32 | a;                                            \
      const int s = int(c & 3);                                                      \
      U out = 0;                                                                     \
      for (int i = 0; i < 4; ++i) out |= U(bytes >> 8 * (byte_index)&0xff) << 8 * i; \
      return out;                                                                    \
    }                                                                                \
  };
PERMUTE(PermuteForward, ".f4e", i + s)
PERMUTE(PermuteBackward, ".b4e", (8 + s - i) % 8)
PERMUTE(PermuteReplicate8, ".rc8", s)
PERMUTE(PermuteEdgeClampLeft, ".ecl", i < s ? s : i)
PERMUTE(PermuteEdgeClampRight, ".ecr", i < s ? i : s)
PERMUTE(PermuteReplicate16, ".rc16", s % 2 * 2 + i % 2)

/// The default mode, where the high bit of a selector replicates the byte's sign.
struct PermuteWithSign {
  __host__ __device__ U operator()(U a, U b, U c) const {
#ifdef __CUDA_ARCH__
    U d;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
#else
    const U64 bytes = U64(b) << 32 | a;
    U out = 0;
    for (int i = 0; i < 4; ++i) {
      const U selector = c >> (4 * i) & 15;
      U byte = U(bytes >> 8 * (selector & 7)) & 0xff;
      if ((selector & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0;
      out |= byte << (8 * i);
    }
    return out;
#endif
  }
};

template <int Table>
struct LogicTable {
  __host__ __device__ U operator()(U a, U b, U c) const {
#ifdef __CUDA_ARCH__
    U d;
    asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(d) : "r"(a), "r"(b), "r"(c), "n"(Table));
    return d;
#else
    U out = 0;
    for (int i = 0; i < 32; ++i) {
      const U index = (a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1);
      out |= (U(Table) >> index & 1) << i;
    }
    return out;
#endif
  }
};

struct ShiftClampsLeft {
  __host__ __device__ U operator()(U a, U b) const {
#ifdef __CUDA_ARCH__
    U d;
    asm("shl.b32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
    return d;
#else
    return b > 31 ? 0 : a << b;
#endif
  }
};

struct ShiftClampsRightSigned {
  __host__ __device__ S operator()(S a, U b) const {
#ifdef __CUDA_ARCH__
    S d;
    asm("shr.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
    return d;
#else
    return a >> (b > 31 ? 31 : b);
#endif
  }
};

struct ShiftClampsRight64 {
  __host__ __device__ U64 operator()(U64 a, U b) const {
#ifdef __CUDA_ARCH__
    U64 d;
    asm("shr.u64 %0, %1, %2;" : "=l"(d) : "l"(a), "r"(b));
    return d;
#else
    return b > 63 ? 0 : a >> b;
#endif
  }
};

struct AddSaturated {
  __host__ __device__ S operator()(S a, S b) const {
#ifdef __CUDA_ARCH__
    S d;
    asm("add.sat.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
    return d;
#else
    const S64 sum = S64(a) + b;
    return sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : S(sum);
#endif
  }
};

struct SubtractSaturated {
  __host__ __device__ S operator()(S a, S b) const {
#ifdef __CUDA_ARCH__
    S d;
    asm("sub.sat.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
    return d;
#else
    const S64 sum = S64(a) - b;
    return sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : S(sum);
#endif
  }
};

struct MultiplyAddHighSaturated {
  __host__ __device__ S operator()(S a, S b, S c) const {
#ifdef __CUDA_ARCH__
    S d;
    asm("mad.hi.sat.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
#else
    const S64 sum = (S64(a) * b >> 32) + c;
    return sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : S(sum);
#endif
  }
};

struct MultiplyAddHigh64 {
  __host__ __device__ U64 operator()(U64 a, U64 b, U64 c) const {
#ifdef __CUDA_ARCH__
    U64 d;
    asm("mad.hi.u64 %0, %1, %2, %3;" : "=l"(d) : "l"(a), "l"(b), "l"(c));
    return d;
#else
    return U64((unsigned __int128)(a)*b >> 64) + c;
#endif
  }
};

struct MultiplyAddWide16 {
  __host__ __device__ S operator()(std::int16_t a, std::int16_t b, S c) const {
#ifdef __CUDA_ARCH__
    S d;
    asm("mad.wide.s16 %0, %1, %2, %3;" : "=r"(d) : "h"(a), "h"(b), "r"(c));
    return d;
#else
    return S(U(S(a) * b) + U(c));
#endif
  }
};

/// The carry chain of a 96-bit sum.
struct AddWithCarry {
  __host__ __device__ U operator()(U a, U b, U c) const {
#ifdef __CUDA_ARCH__
    U low, middle, high;
    asm("{ add.cc.u32 %0, %3, %4;\n\t"
        "addc.cc.u32 %1, %4, %5;\n\t"
        "addc.u32 %2, %5, %3; }"
        : "=r"(low), "=r"(middle), "=r"(high)
        : "r"(a), "r"(b), "r"(c));
    return low ^ middle * 3 ^ high * 5;
#else
    const U64 first = U64(a) + b, second = U64(b) + c + (first >> 32);
    return U(first) ^ U(second) * 3 ^ U(U64(c) + a + (second >> 32)) * 5;
#endif
  }
};

struct SubtractWithBorrow {
  __host__ __device__ U64 operator()(U64 a, U64 b, U64 c) const {
#ifdef __CUDA_ARCH__
    U64 low, high;
    asm("{ sub.cc.u64 %0, %2, %3;\n\t"
        "subc.u64 %1, %3, %4; }"
        : "=l"(low), "=l"(high)
        : "l"(a), "l"(b), "l"(c));
    return low ^ high * 3;
#else
    return (a - b) ^ (b - c - (a < b)) * 3;
#endif
  }
};

struct MultiplyAddWithCarry {
  __host__ __device__ U operator()(U a, U b, U c) const {
#ifdef __CUDA_ARCH__
    U low, high;
    asm("{ mad.lo.cc.u32 %0, %2, %3, %4;\n\t"
        "madc.hi.u32 %1, %2, %3, 0; }"
        : "=r"(low), "=r"(high)
        : "r"(a), "r"(b), "r"(c));
    return low ^ high * 7;
#else
    const U64 sum = U64(a) * b + c;
    return U(sum) ^ U(sum >> 32) * 7;
#endif
  }
};

struct ConditionalNot {
  __host__ __device__ U operator()(U a) const {
#ifdef __CUDA_ARCH__
    U d;
    asm("cnot.b32 %0, %1;" : "=r"(d) : "r"(a));
    return d;
#else
    return a == 0;
#endif
  }
};

struct SelectBySign {
  __host__ __device__ U operator()(U a, U b, S c) const {
#ifdef __CUDA_ARCH__
    U d;
    asm("slct.u32.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
#else
    return c >= 0 ? a : b;
#endif
  }
};

/// set writes all ones, setp with a combined predicate, selp.
struct SetAndSelect {
  __host__ __device__ U operator()(S a, S b, U c) const {
#ifdef __CUDA_ARCH__
    U set, selected;
    asm("set.lt.u32.s32 %0, %1, %2;" : "=r"(set) : "r"(a), "r"(b));
    asm("{ .reg .pred p, q, r;\n\t"
        "setp.ne.u32 r, %3, 0;\n\t"
        "setp.gt.and.s32 p|q, %1, %2, r;\n\t"
        "selp.u32 %0, 3, 4, p;\n\t"
        "@q add.u32 %0, %0, 10; }"
        : "=r"(selected)
        : "r"(a), "r"(b), "r"(c));
    return set ^ selected;
#else
    U selected = a > b && c != 0 ? 3 : 4;
    if (!(a > b) && c != 0) selected += 10;
    return (a < b ? 0xffffffffu : 0) ^ selected;
#endif
  }
};

struct PredicateLogic {
  __host__ __device__ U operator()(U a, U b, U c) const {
#ifdef __CUDA_ARCH__
    U d;
    asm("{ .reg .pred p, q, r, s;\n\t"
        "setp.hi.u32 p, %1, %2;\n\t"
        "setp.lo.u32 q, %2, %3;\n\t"
        "and.pred r, p, q;\n\t"
        "xor.pred s, p, q;\n\t"
        "not.pred p, s;\n\t"
        "or.pred q, r, p;\n\t"
        "mov.pred r, q;\n\t"
        "mov.u32 %0, 5;\n\t"
        "@r mov.u32 %0, 6;\n\t"
        "@!s sub.u32 %0, %0, 1; }"
        : "=r"(d)
        : "r"(a), "r"(b), "r"(c));
    return d;
#else
    const bool p = a > b, q = b < c, s = p != q;
    const U d = (p && q) || !s ? 6 : 5;
    return s ? d : d - 1;
#endif
  }
};

struct PackAndUnpack {
  __host__ __device__ U64 operator()(U a, U b) const {
#ifdef __CUDA_ARCH__
    U64 d;
    asm("{ .reg .b16 w, x, y, z;\n\t"
        "mov.b32 {w, x}, %1;\n\t"
        "mov.b32 {y, z}, %2;\n\t"
        "mov.b64 %0, {z, w, y, x}; }"
        : "=l"(d)
        : "r"(a), "r"(b));
    return d;
#else
    return U64(b >> 16) | U64(a & 0xffff) << 16 | U64(b & 0xffff) << 32 | U64(a >> 16) << 48;
#endif
  }
};

struct ConvertSaturated {
  __host__ __device__ S operator()(S a) const {
#ifdef __CUDA_ARCH__
    S d;
    asm("{ .reg .s8 small;\n\t"
        "cvt.sat.s8.s32 small, %1;\n\t"
        "cvt.s32.s8 %0, small; }"
        : "=r"(d)
        : "r"(a));
    return d;
#else
    return a > 127 ? 127 : a < -128 ? -128 : a;
#endif
  }
};

struct ConvertSaturatedUnsigned {
  __host__ __device__ U operator()(S64 a) const {
#ifdef __CUDA_ARCH__
    U d;
    asm("{ .reg .u16 small;\n\t"
        "cvt.sat.u16.s64 small, %1;\n\t"
        "cvt.u32.u16 %0, small; }"
        : "=r"(d)
        : "l"(a));
    return d;
#else
    return a > 65535 ? 65535 : a < 0 ? 0 : U(a);
#endif
  }
};

struct ConvertFloatToByte {
  __host__ __device__ U operator()(float a) const {
#ifdef __CUDA_ARCH__
    U d;
    asm("{ .reg .u8 small;\n\t"
        "cvt.rni.sat.u8.f32 small, %1;\n\t"
        "cvt.u32.u8 %0, small; }"
        : "=r"(d)
        : "f"(a));
    return d;
#else
    if (a != a) return 0;
    const float whole = std::nearbyint(a);
    return whole <= 0 ? 0 : whole >= 255 ? 255 : U(whole);
#endif
  }
};

/// Branches, labels and a loop in assembly.
struct LoopInAssembly {
  __host__ __device__ U operator()(U a) const {
#ifdef __CUDA_ARCH__
    U d;
    asm("{ .reg .pred more;\n\t"
        ".reg .u32 left;\n\t"
        "and.b32 left, %1, 15;\n\t"
        "mov.u32 %0, 1;\n"
        "again:\n\t"
        "setp.eq.u32 more, left, 0;\n\t"
        "@more bra done;\n\t"
        "mad.lo.u32 %0, %0, 3, left;\n\t"
        "sub.u32 left, left, 1;\n\t"
        "bra again;\n"
        "done: }"
        : "=r"(d)
        : "r"(a));
    return d;
#else
    U d = 1;
    for (U left = a & 15; left != 0; --left) d = d * 3 + left;
    return d;
#endif
  }
};

struct StateSpaceQueries {
  __host__ __device__ U operator()(U a) const {
#ifdef __CUDA_ARCH__
    __shared__ U cell;
    U local = a;
    const void* pointers[2] = {&cell, &local};
    U out = 0;
    for (int i = 0; i < 2; ++i) {
      out |= (__isShared(pointers[i]) != 0) << (4 * i);
      out |= (__isGlobal(pointers[i]) != 0) << (4 * i + 1);
      out |= (__isLocal(pointers[i]) != 0) << (4 * i + 2);
    }
    return out + a * 0;
#else
    return 0x41 + a * 0;
#endif
  }
};

struct TestProperties {
  __host__ __device__ U operator()(float a) const {
#ifdef __CUDA_ARCH__
    U d;
    asm("{ .reg .pred p;\n\t"
        "mov.u32 %0, 0;\n\t"
        "testp.finite.f32 p, %1;\n\t@p or.b32 %0, %0, 1;\n\t"
        "testp.infinite.f32 p, %1;\n\t@p or.b32 %0, %0, 2;\n\t"
        "testp.number.f32 p, %1;\n\t@p or.b32 %0, %0, 4;\n\t"
        "testp.notanumber.f32 p, %1;\n\t@p or.b32 %0, %0, 8;\n\t"
        "testp.normal.f32 p, %1;\n\t@p or.b32 %0, %0, 16;\n\t"
        "testp.subnormal.f32 p, %1;\n\t@p or.b32 %0, %0, 32; }"
        : "=r"(d)
        : "f"(a));
    return d;
#else
    // PTX counts a zero as normal.
    const int kind = std::fpclassify(a);
    return U(std::isfinite(a)) | U(std::isinf(a)) << 1 | U(!std::isnan(a)) << 2 |
           U(std::isnan(a)) << 3 | U(kind == FP_NORMAL || kind == FP_ZERO) << 4 |
           U(kind == FP_SUBNORMAL) << 5;
#endif
  }
};

/// Flush-to-zero: subnormal inputs and results become zeros of the same sign.
struct AddFlushed {
  static float flush(float a) {
    return std::fpclassify(a) == FP_SUBNORMAL ? std::copysign(0.0f, a) : a;
  }
  __host__ __device__ float operator()(float a, float b) const {
#ifdef __CUDA_ARCH__
    float d;
    asm("add.ftz.f32 %0, %1, %2;" : "=f"(d) : "f"(a), "f"(b));
    return d;
#else
    return flush(flush(a) + flush(b));
#endif
  }
};

struct FmaSaturated {
  __host__ __device__ float operator()(float a, float b, float c) const {
#ifdef __CUDA_ARCH__
    float d;
    asm("fma.rn.sat.f32 %0, %1, %2, %3;" : "=f"(d) : "f"(a), "f"(b), "f"(c));
    return d;
#else
    const float r = std::fma(a, b, c);
    return r > 0 ? (r < 1 ? r : 1.0f) : 0.0f;
#endif
  }
};

struct ExponentApproximate {
  static bool valid(float a) { return std::fabs(a) < 126; }
  __host__ __device__ float operator()(float a) const {
#ifdef __CUDA_ARCH__
    float d;
    asm("ex2.approx.f32 %0, %1;" : "=f"(d) : "f"(a));
    return d;
#else
    return float(std::exp2(double(a)));
#endif
  }
};

struct ReciprocalApproximate {
  static bool valid(float a) { return std::fabs(a) > 0x1p-126f && std::fabs(a) < 0x1p126f; }
  __host__ __device__ float operator()(float a) const {
#ifdef __CUDA_ARCH__
    float d;
    asm("rcp.approx.f32 %0, %1;" : "=f"(d) : "f"(a));
    return d;
#else
    return float(1 / double(a));
#endif
  }
};

}  // namespace

void register_cases(Suite& suite) {
  add_map<BitFieldExtract, U, U, U>(suite, "bfe.u32");
  add_map<BitFieldExtractSigned, S64, U, U>(suite, "bfe.s64");
  add_map<BitFieldInsert, U, U, U>(suite, "bfi.b32");
  add_map<FindLeadingOneUnsigned, U>(suite, "bfind.u32");
  add_map<FindLeadingNonSignShift, S64>(suite, "bfind.shiftamt.s64");
  add_map<PermuteWithSign, U, U, U>(suite, "prmt.b32");
  add_map<PermuteForward, U, U, U>(suite, "prmt.b32.f4e");
  add_map<PermuteBackward, U, U, U>(suite, "prmt.b32.b4e");
  add_map<PermuteReplicate8, U, U, U>(suite, "prmt.b32.rc8");
  add_map<PermuteEdgeClampLeft, U, U, U>(suite, "prmt.b32.ecl");
  add_map<PermuteEdgeClampRight, U, U, U>(suite, "prmt.b32.ecr");
  add_map<PermuteReplicate16, U, U, U>(suite, "prmt.b32.rc16");
  add_map<LogicTable<0xe8>, U, U, U>(suite, "lop3.b32 majority");
  add_map<LogicTable<0x96>, U, U, U>(suite, "lop3.b32 parity");
  add_map<LogicTable<0x1d>, U, U, U>(suite, "lop3.b32 0x1d");
  add_map<ShiftClampsLeft, U, U>(suite, "shl.b32 beyond the width");
  add_map<ShiftClampsRightSigned, S, U>(suite, "shr.s32 beyond the width");
  add_map<ShiftClampsRight64, U64, U>(suite, "shr.u64 beyond the width");
  add_map<AddSaturated, S, S>(suite, "add.sat.s32");
  add_map<SubtractSaturated, S, S>(suite, "sub.sat.s32");
  add_map<MultiplyAddHighSaturated, S, S, S>(suite, "mad.hi.sat.s32");
  add_map<MultiplyAddHigh64, U64, U64, U64>(suite, "mad.hi.u64");
  add_map<MultiplyAddWide16, std::int16_t, std::int16_t, S>(suite, "mad.wide.s16");
  add_map<AddWithCarry, U, U, U>(suite, "add.cc and addc");
  add_map<SubtractWithBorrow, U64, U64, U64>(suite, "sub.cc and subc");
  add_map<MultiplyAddWithCarry, U, U, U>(suite, "mad.lo.cc and madc.hi");
  add_map<ConditionalNot, U>(suite, "cnot.b32");
  add_map<SelectBySign, U, U, S>(suite, "slct.u32.s32");
  add_map<SetAndSelect, S, S, U>(suite, "set, setp with two results, selp");
  add_map<PredicateLogic, U, U, U>(suite, "predicate logic");
  add_map<PackAndUnpack, U, U>(suite, "mov of packed halves");
  add_map<ConvertSaturated, S>(suite, "cvt.sat.s8.s32");
  add_map<ConvertSaturatedUnsigned, S64>(suite, "cvt.sat.u16.s64");
  add_map<ConvertFloatToByte, float>(suite, "cvt.rni.sat.u8.f32");
  add_map<LoopInAssembly, U>(suite, "loop in assembly");
  add_map<StateSpaceQueries, U>(suite, "isspacep");
  add_map<TestProperties, float>(suite, "testp");
  add_map<AddFlushed, float, float>(suite, "add.ftz.f32");
  add_map<FmaSaturated, float, float, float>(suite, "fma.rn.sat.f32");
  add_map<ExponentApproximate, float>(suite, "ex2.approx.f32", {.ulps = 3});
  add_map<ReciprocalApproximate, float>(suite, "rcp.approx.f32", {.ulps = 2});
}

}  // namespace differential
