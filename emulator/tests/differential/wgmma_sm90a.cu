#include <algorithm>

#include "emulator/tests/differential/group_layout.h"
#include "emulator/tests/differential/tensor_fragments.h"
#include "emulator/tests/differential/wgmma_h200.h"

// wgmma: a warp group multiplies 64 rows by a matrix in shared memory. Numbers against the integer
// model of tensor cores, and layouts of shared memory against the manual's.

namespace differential {
namespace group {

using tensor::DotProduct;
using tensor::Format;
using tensor::Generation;
using tensor::Instruction;
using tensor::Raw;

constexpr Format kS8 = {"s8", 0, 0, 8};
constexpr Format kU8 = {"u8", 0, 0, 8};
constexpr int kRows = 64, kThreads = 128;

/// How a Hopper card adds in this instruction.
constexpr Generation kHopper = {25, 32, -133, true, false};

struct Descriptors {
  std::uint64_t a, b;
  std::uint32_t a_start, b_start;
  int chunks;  // of the image, of 16 bytes
  int adds;
};

// -- the instruction -----------------------------------------------------------------------------

#define NAMES_2 "%0, %1"
#define NAMES_4 "%0, %1, %2, %3"
#define NAMES_12 NAMES_4 ", %4, %5, %6, %7, %8, %9, %10, %11"
#define NAMES_32                                                                          \
  NAMES_12                                                                                \
  ", %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28" \
  ", %29, %30, %31"
#define WORDS_2(C, d) C(d[0]), C(d[1])
#define WORDS_4(C, d) C(d[0]), C(d[1]), C(d[2]), C(d[3])
#define WORDS_8(C, d, i) \
  C(d[i]), C(d[i + 1]), C(d[i + 2]), C(d[i + 3]), C(d[i + 4]), C(d[i + 5]), C(d[i + 6]), C(d[i + 7])
#define WORDS_12(C, d) WORDS_4(C, d), WORDS_8(C, d, 4)
#define WORDS_32(C, d) WORDS_8(C, d, 0), WORDS_8(C, d, 8), WORDS_8(C, d, 16), WORDS_8(C, d, 24)
#define AS_FLOAT(x) "+f"(x)
#define AS_WORD(x) "+r"(x)

/// Both operands in shared memory. @param N  registers of D; A_, B_, P_: numbers of what follows
#define GROUP_OP(Name, Type, As, N, A_, B_, P_, opcode, tail)                                   \
  struct Name {                                                                                 \
    static constexpr int kD = N;                                                                \
    using Word = Type;                                                                          \
    static constexpr bool kRegisters = false;                                                   \
    static __device__ void run(Type* d, const std::uint32_t*, std::uint64_t a, std::uint64_t b, \
                               int adds) {                                                      \
      asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, " P_ ", 0;\n" opcode " {" NAMES_##N        \
                   "}, " A_ ", " B_ ", p" tail ";\n}"                                           \
                   : WORDS_##N(As, d)                                                           \
                   : "l"(a), "l"(b), "r"(adds));                                                \
    }                                                                                           \
  };
/// A in registers.
#define GROUP_OP_REGISTERS(Name, Type, As, N, A_, B_, P_, opcode, tail)                         \
  struct Name {                                                                                 \
    static constexpr int kD = N;                                                                \
    using Word = Type;                                                                          \
    static constexpr bool kRegisters = true;                                                    \
    static __device__ void run(Type* d, const std::uint32_t* a, std::uint64_t, std::uint64_t b, \
                               int adds) {                                                      \
      asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, " P_ ", 0;\n" opcode " {" NAMES_##N        \
                   "}, " A_ ", " B_ ", p" tail ";\n}"                                           \
                   : WORDS_##N(As, d)                                                           \
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(adds));            \
    }                                                                                           \
  };
#define MMA "wgmma.mma_async.sync.aligned."
#define SHARED_4 "%4", "%5", "%6"
#define SHARED_2 "%2", "%3", "%4"
#define SHARED_12 "%12", "%13", "%14"
#define SHARED_32 "%32", "%33", "%34"
#define REGISTERS_4 "{%4, %5, %6, %7}", "%8", "%9"
#define REGISTERS_2 "{%2, %3, %4, %5}", "%6", "%7"
#define REGISTERS_32 "{%32, %33, %34, %35}", "%36", "%37"
#define EXPAND(macro, ...) macro(__VA_ARGS__)
#define FLOATS(Name, N, opcode, tail) \
  EXPAND(GROUP_OP, Name, float, AS_FLOAT, N, SHARED_##N, MMA opcode, tail)
#define WORDS(Name, N, opcode, tail) \
  EXPAND(GROUP_OP, Name, std::uint32_t, AS_WORD, N, SHARED_##N, MMA opcode, tail)
#define FLOATS_OF_REGISTERS(Name, N, opcode, tail) \
  EXPAND(GROUP_OP_REGISTERS, Name, float, AS_FLOAT, N, REGISTERS_##N, MMA opcode, tail)
#define WORDS_OF_REGISTERS(Name, N, opcode, tail) \
  EXPAND(GROUP_OP_REGISTERS, Name, std::uint32_t, AS_WORD, N, REGISTERS_##N, MMA opcode, tail)

FLOATS(F16, 4, "m64n8k16.f32.f16.f16", ", 1, 1, 0, 0")
FLOATS(F16Negated, 4, "m64n8k16.f32.f16.f16", ", -1, 1, 0, 0")
FLOATS(F16BothNegated, 4, "m64n8k16.f32.f16.f16", ", -1, -1, 0, 0")
FLOATS(F16A, 4, "m64n8k16.f32.f16.f16", ", 1, 1, 1, 0")
FLOATS(F16B, 12, "m64n24k16.f32.f16.f16", ", 1, 1, 0, 1")
FLOATS(F16Wide, 32, "m64n64k16.f32.f16.f16", ", 1, 1, 0, 0")
FLOATS(F16WideAB, 32, "m64n64k16.f32.f16.f16", ", 1, 1, 1, 1")
FLOATS_OF_REGISTERS(F16Registers, 4, "m64n8k16.f32.f16.f16", ", 1, -1, 0")
FLOATS_OF_REGISTERS(F16RegistersB, 32, "m64n64k16.f32.f16.f16", ", 1, 1, 1")
WORDS(F16Half, 2, "m64n8k16.f16.f16.f16", ", 1, 1, 0, 0")
WORDS_OF_REGISTERS(F16HalfRegisters, 2, "m64n8k16.f16.f16.f16", ", 1, 1, 0")
FLOATS(Bf16, 4, "m64n8k16.f32.bf16.bf16", ", 1, 1, 0, 0")
FLOATS_OF_REGISTERS(Bf16Registers, 4, "m64n8k16.f32.bf16.bf16", ", 1, 1, 0")
FLOATS(Tf32, 4, "m64n8k8.f32.tf32.tf32", ", 1, 1")
FLOATS_OF_REGISTERS(Tf32Registers, 4, "m64n8k8.f32.tf32.tf32", ", -1, 1")
FLOATS(E4m3, 4, "m64n8k32.f32.e4m3.e4m3", ", 1, 1")
FLOATS(E5m2, 4, "m64n8k32.f32.e5m2.e5m2", ", 1, 1")
FLOATS(Mixed, 4, "m64n8k32.f32.e4m3.e5m2", ", 1, 1")
FLOATS_OF_REGISTERS(E4m3Registers, 4, "m64n8k32.f32.e4m3.e4m3", ", 1, 1")
WORDS(E4m3Half, 2, "m64n8k32.f16.e4m3.e4m3", ", 1, 1")
WORDS(E5m2Half, 2, "m64n8k32.f16.e5m2.e5m2", ", 1, 1")
WORDS(S8, 4, "m64n8k32.s32.s8.s8", "")
WORDS(S8U8, 4, "m64n8k32.s32.s8.u8", "")
WORDS(S8Saturated, 4, "m64n8k32.s32.satfinite.s8.s8", "")
WORDS_OF_REGISTERS(U8Registers, 4, "m64n8k32.s32.u8.u8", "")
WORDS(B1, 4, "m64n8k256.s32.b1.b1.and.popc", "")

template <class Op>
__global__ void multiply(std::uint32_t* out, const std::uint32_t* c, const std::uint32_t* a,
                         const uint4* images, Descriptors in) {
  extern __shared__ uint4 memory[];
  const auto address = [](const void* p) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(p));
  };
  uint4* const image = memory + (1024 - address(memory) % 1024) % 1024 / 16;
  const unsigned thread = threadIdx.x, block = blockIdx.x;
  for (int i = int(thread); i < in.chunks; i += kThreads) image[i] = images[block * in.chunks + i];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  typename Op::Word d[Op::kD];
  std::uint32_t registers[4] = {};
  for (int i = 0; i < Op::kD; ++i) {
    const std::uint32_t word = c[(block * Op::kD + i) * kThreads + thread];
    memcpy(&d[i], &word, sizeof word);
  }
  if (Op::kRegisters) {
    for (int i = 0; i < 4; ++i) registers[i] = a[(block * 4 + i) * kThreads + thread];
  }
  const auto descriptor = [&](std::uint64_t fields, std::uint32_t start) {
    return fields | (address(image) + start & 0x3ffff) >> 4;
  };
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  Op::run(d, registers, descriptor(in.a, in.a_start), descriptor(in.b, in.b_start), in.adds);
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < Op::kD; ++i) {
    std::uint32_t word;
    memcpy(&word, &d[i], sizeof word);
    out[(block * Op::kD + i) * kThreads + thread] = word;
  }
}

// -- one case ------------------------------------------------------------------------------------

struct Case {
  int n = 8;
  Format a, b, d;
  bool a_negated = false, b_negated = false;
  Layout a_layout, b_layout;
  bool bits = false, saturates = false;
  bool adds = true;

  [[nodiscard]] bool integer() const { return bits || a.exponent_bits == 0; }
  [[nodiscard]] int element_bits() const { return bits ? 8 : a.bits() - (integer() ? 1 : 0); }
  /// Elements along k; of single bits, bytes.
  [[nodiscard]] int k() const { return 256 / element_bits(); }
};

/// A row's or column's elements, each as its raw bits.
using Rows = std::vector<std::vector<Raw>>;

inline std::vector<std::uint8_t> bytes_of(const Rows& rows, int element_bytes) {
  std::vector<std::uint8_t> bytes;
  for (const auto& row : rows) {
    for (const Raw raw : row) {
      for (int i = 0; i < element_bytes; ++i) bytes.push_back(std::uint8_t(raw >> (8 * i)));
    }
  }
  return bytes;
}

struct Problem {
  Rows a, b, c;  // rows of A, columns of B, rows of C
};

inline Problem random_problem(const Case& in, tensor::Generator& generator, int kind,
                              std::mt19937_64& random) {
  Problem problem;
  problem.a.resize(kRows);
  problem.b.resize(std::size_t(in.n));
  problem.c.resize(kRows);
  if (in.integer()) {
    const auto fill = [&](Rows& rows, int count, Raw mask) {
      for (auto& row : rows) {
        for (int i = 0; i < count; ++i) row.push_back(random() & mask);
      }
    };
    fill(problem.a, in.k(), 0xff);
    fill(problem.b, in.k(), 0xff);
    fill(problem.c, in.n, 0xffffffff);
    return problem;
  }
  const tensor::Matrices m = generator.make({kRows, in.n, in.k(), in.a, in.b, in.d, in.d}, kind);
  for (int i = 0; i < kRows; ++i) {
    for (int x = 0; x < in.k(); ++x) {
      problem.a[std::size_t(i)].push_back(m.a[0][std::size_t(i * in.k() + x)]);
    }
    for (int j = 0; j < in.n; ++j) {
      problem.c[std::size_t(i)].push_back(m.c[0][std::size_t(i * in.n + j)]);
    }
  }
  for (int j = 0; j < in.n; ++j) {
    for (int x = 0; x < in.k(); ++x) {
      problem.b[std::size_t(j)].push_back(m.b[0][std::size_t(x * in.n + j)]);
    }
  }
  return problem;
}

inline std::uint32_t integer_sum(const Case& in, const std::vector<Raw>& row,
                                 const std::vector<Raw>& column, Raw start) {
  std::int64_t sum = in.adds ? std::int32_t(start) : 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const auto value = [](Raw raw, const Format& format) {
      return format.name[0] == 's' ? int(std::int8_t(raw)) : int(raw);
    };
    sum +=
        in.bits ? std::popcount(row[i] & column[i]) : value(row[i], in.a) * value(column[i], in.b);
  }
  if (in.saturates) sum = std::clamp<std::int64_t>(sum, INT32_MIN, INT32_MAX);
  return std::uint32_t(sum);
}

inline std::uint32_t expected(const Case& in, std::vector<Raw> row, const std::vector<Raw>& column,
                              Raw start) {
  if (in.integer()) return integer_sum(in, row, column, start);
  if (in.a_negated != in.b_negated) {
    for (Raw& raw : row) raw ^= Raw(1) << (in.a.bits() - 1);
  }
  const DotProduct sum(kHopper, in.a, in.b, in.d, in.d, false);
  return sum(row, column, in.adds ? start : 0);
}

/// The raw bits of D's element that register `i` of a thread has, or of both of its elements.
struct Place {
  int row, column;
};
inline Place place_of(int thread, int i, int each) {
  const int warp = thread / 32, lane = thread % 32;
  const int element = i * each;  // in f32's order: two columns, then the row eight further down
  const int pair = element / 2;
  return {warp * 16 + lane / 4 + pair % 2 * 8, pair / 2 * 8 + lane % 4 * 2 + element % 2};
}

/// @throws Mismatch where a card's bits are others
inline void require_card_result(std::string_view name, const std::vector<std::uint32_t>& got) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::uint32_t word : got) hash = (hash ^ word) * 0x100000001b3;
  for (const CardResult& card : kCardResults) {
    if (card.name == name && card.hash == hash) return;
  }
  throw Mismatch("the model agrees, but not a card's hash; this one is " + tensor::hex(hash, 64));
}

template <class Op>
void run_case(const std::string& name, const Case& in) {
  const int blocks = in.n > 8 ? 8 : 32;  // where layouts are tested, numbers matter less
  const int each = in.d.bits() == 16 ? 2 : 1;
  const int element_bytes = in.element_bits() / 8;
  tensor::Generator generator(7);
  std::mt19937_64 random(11);
  std::vector<Problem> problems;
  std::vector<std::uint8_t> images;
  std::vector<std::uint32_t> c, a;
  std::size_t image_bytes = 0;
  for (int block = 0; block < blocks; ++block) {
    problems.push_back(
        random_problem(in, generator, block % int(std::size(tensor::kKinds)), random));
    const Problem& p = problems.back();
    std::vector<std::uint8_t> image(1024);
    if (!Op::kRegisters) in.a_layout.put(image, bytes_of(p.a, element_bytes));
    in.b_layout.put(image, bytes_of(p.b, element_bytes));
    image_bytes = image.size();
    images.insert(images.end(), image.begin(), image.end());
    for (int i = 0; i < Op::kD; ++i) {
      for (int thread = 0; thread < kThreads; ++thread) {
        const Place at = place_of(thread, i, each);
        const auto* row = &p.c[std::size_t(at.row)][std::size_t(at.column)];
        c.push_back(each == 2 ? std::uint32_t(row[1] << 16 | row[0]) : std::uint32_t(row[0]));
      }
    }
    if (!Op::kRegisters) continue;
    const std::vector<std::uint8_t> rows = bytes_of(p.a, element_bytes);
    for (int i = 0; i < 4; ++i) {
      for (int thread = 0; thread < kThreads; ++thread) {
        const int row = thread / 32 * 16 + thread % 32 / 4 + i % 2 * 8;
        std::uint32_t word = 0;
        std::memcpy(&word, &rows[std::size_t(row * 32 + i / 2 * 16 + thread % 4 * 4)], 4);
        a.push_back(word);
      }
    }
  }
  const testing::Buffer<std::uint32_t> device_c(c), device_a(a.empty() ? c : a);
  std::vector<uint4> chunks(images.size() / sizeof(uint4));
  std::memcpy(chunks.data(), images.data(), images.size());
  const testing::Buffer<uint4> device_images(chunks);
  testing::Buffer<std::uint32_t> out(c.size());
  const Descriptors descriptors = {in.a_layout.descriptor(), in.b_layout.descriptor(),
                                   in.a_layout.start,        in.b_layout.start,
                                   int(image_bytes / 16),    in.adds ? 1 : 0};
  multiply<Op><<<blocks, kThreads, image_bytes + 1024>>>(out.get(), device_c.get(), device_a.get(),
                                                         device_images.get(), descriptors);
  FINISH_LAUNCH();
  const std::vector<std::uint32_t> got = out.download();
  std::size_t wrong[std::size(tensor::kKinds)] = {}, total = 0;
  std::string first;
  for (std::size_t at = 0; at < got.size(); ++at) {
    const int thread = int(at % kThreads), i = int(at / kThreads) % Op::kD;
    const std::size_t block = at / kThreads / Op::kD;
    const Place place = place_of(thread, i, each);
    for (int e = 0; e < each; ++e) {
      const Problem& p = problems[block];
      const auto column = std::size_t(place.column + e);
      const std::uint32_t want = expected(in, p.a[std::size_t(place.row)], p.b[column],
                                          p.c[std::size_t(place.row)][column]);
      const std::uint32_t bits = each == 2 ? got[at] >> (16 * e) & 0xffff : got[at];
      if (in.integer() ? bits == want : tensor::same(bits, want, in.d.bits())) continue;
      ++wrong[block % std::size(tensor::kKinds)];
      if (total++ == 0) {
        first = "row " + std::to_string(place.row) + " column " + std::to_string(column) + " got " +
                tensor::hex(bits, 32) + " want " + tensor::hex(want, 32) + ";";
      }
    }
  }
  if (total == 0) return require_card_result(name, got);
  for (std::size_t kind = 0; kind < std::size(wrong); ++kind) {
    if (wrong[kind] > 0) {
      first += std::string(" ") + tensor::kKinds[kind] + " " + std::to_string(wrong[kind]);
    }
  }
  throw Mismatch(first);
}

template <class Op>
void add(Suite& suite, const std::string& name, const Case& in) {
  suite.add(name, [=] { run_case<Op>(name, in); });
}

/// Without a swizzle, 128 bytes of padding between the chunks along k.
Layout plain(std::uint32_t start) {
  return {.start = start, .leading = 128, .stride = 256};
}

}  // namespace group

void register_cases(Suite& suite) {
  using namespace group;
  using namespace tensor;
  const Layout a = plain(0), b = plain(4096);
  const auto numbers = [&](const Format& of_a, const Format& of_b, const Format& of_d, int n = 8) {
    return Case{.n = n, .a = of_a, .b = of_b, .d = of_d, .a_layout = a, .b_layout = b};
  };
  add<F16>(suite, "f16", numbers(kF16, kF16, kF32));
  Case in = numbers(kF16, kF16, kF32);
  in.adds = false;
  add<F16>(suite, "f16 without the sums", in);
  in = numbers(kF16, kF16, kF32);
  in.a_negated = true;
  add<F16Negated>(suite, "f16 negated", in);
  in.b_negated = true;
  add<F16BothNegated>(suite, "f16 both negated", in);
  in.a_negated = false;
  add<F16Registers>(suite, "f16 A in registers, B negated", in);
  add<F16Half>(suite, "f16 to f16", numbers(kF16, kF16, kF16));
  add<F16HalfRegisters>(suite, "f16 to f16, A in registers", numbers(kF16, kF16, kF16));
  add<Bf16>(suite, "bf16", numbers(kBf16, kBf16, kF32));
  add<Bf16Registers>(suite, "bf16 A in registers", numbers(kBf16, kBf16, kF32));
  add<Tf32>(suite, "tf32", numbers(kTf32, kTf32, kF32));
  in = numbers(kTf32, kTf32, kF32);
  in.a_negated = true;
  add<Tf32Registers>(suite, "tf32 A in registers, negated", in);
  add<E4m3>(suite, "e4m3", numbers(kE4m3, kE4m3, kF32));
  add<E5m2>(suite, "e5m2", numbers(kE5m2, kE5m2, kF32));
  add<Mixed>(suite, "e4m3 e5m2", numbers(kE4m3, kE5m2, kF32));
  add<E4m3Registers>(suite, "e4m3 A in registers", numbers(kE4m3, kE4m3, kF32));
  add<E4m3Half>(suite, "e4m3 to f16", numbers(kE4m3, kE4m3, kF16));
  add<E5m2Half>(suite, "e5m2 to f16", numbers(kE5m2, kE5m2, kF16));
  add<S8>(suite, "s8", numbers(kS8, kS8, kF32));
  add<S8U8>(suite, "s8 u8", numbers(kS8, kU8, kF32));
  in = numbers(kS8, kS8, kF32);
  in.saturates = true;
  add<S8Saturated>(suite, "s8 saturated", in);
  add<U8Registers>(suite, "u8 A in registers", numbers(kU8, kU8, kF32));
  in = numbers(kU8, kU8, kF32);
  in.bits = true;
  add<B1>(suite, "b1", in);

  // Layouts: 64 rows of both matrices, and starts inside the pattern as steps along k have them.
  for (const int swizzle : {0, 32, 64, 128}) {
    const auto name = [&](const char* what) {
      return std::string(what) + ", swizzle " + std::to_string(swizzle);
    };
    const auto wide = std::uint32_t(swizzle);
    for (std::uint32_t step = 0; step < (swizzle == 0 ? 32 : wide); step += 32) {
      in = numbers(kF16, kF16, kF32, 64);
      in.a_layout = {.swizzle = swizzle, .start = step, .leading = 1024, .stride = 8 * wide};
      in.b_layout = {.swizzle = swizzle, .start = 16384 + step, .stride = 8 * wide};
      if (swizzle == 0) {
        in.a_layout.leading = 2048, in.a_layout.stride = 128;
        in.b_layout.leading = 128, in.b_layout.stride = 384;
      }
      add<F16Wide>(suite,
                   name(step == 0    ? "along k"
                        : step == 32 ? "along k, step 1"
                        : step == 64 ? "along k, step 2"
                                     : "along k, step 3"),
                   in);
    }
    in = numbers(kF16, kF16, kF32, 64);
    in.a_layout = {.swizzle = swizzle, .across_k = true, .leading = 4096, .stride = 8 * wide};
    in.b_layout = {
        .swizzle = swizzle, .across_k = true, .start = 20480, .leading = 2048, .stride = 1024};
    if (swizzle == 0) in.a_layout.stride = 256, in.b_layout.stride = 128;
    add<F16WideAB>(suite, name("across k"), in);
    add<F16RegistersB>(suite, name("B across k, A in registers"), in);
    in.n = 8;
    in.b_layout = plain(20480);
    add<F16A>(suite, name("A across k"), in);
    in.n = 24;
    in.a_layout = plain(0);
    in.b_layout = {
        .swizzle = swizzle, .across_k = true, .start = 20480, .leading = 2048, .stride = 1024};
    if (swizzle == 0) in.b_layout.stride = 128;
    add<F16B>(suite, name("B across k"), in);
  }
  in = numbers(kF16, kF16, kF32, 64);
  in.a_layout = {.swizzle = 128, .start = 3 * 128, .stride = 1024, .base = 3};
  in.b_layout = {.swizzle = 128, .start = 16384 + 5 * 128, .stride = 1024, .base = 5};
  add<F16Wide>(suite, "along k, a pattern that does not begin at 1024 bytes", in);
}

}  // namespace differential
