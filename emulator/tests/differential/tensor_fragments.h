#pragma once

#include <algorithm>
#include <random>

#include "emulator/tests/differential/suite.h"
#include "emulator/tests/differential/tensor_model.h"

// Random and adversarial matrices through one mma instruction, each element against the model.

namespace differential::tensor {

using Raw = std::uint64_t;

/// An instruction: how its matrices stand in registers of 32 bits.
struct Instruction {
  int m, n, k;
  Format a, b, c, d;
  bool quads = false;  // m8n8k4 on f16: four matrices
};

/// Registers of a lane that a matrix of `elements` takes.
inline int registers_of(const Instruction& in, int elements, const Format& format) {
  return elements * (in.quads ? 4 : 1) * format.bits() / 32 / 32;
}

struct Cell {
  int matrix, row, column;
};

/// The element that lane `lane` has at place `i` of operand 'a', 'b' or 'c' (also D), as the
/// figures of the PTX manual show it.
inline Cell cell_of(const Instruction& in, char operand, const Format& format, int lane, int i) {
  const int group = lane / 4, within = lane % 4;
  if (in.quads) {
    const int quad = lane / 4 % 4, upper = lane >= 16 ? 4 : 0;
    if (operand == 'a') return {quad, lane % 4 + upper, i};
    if (operand == 'b') return {quad, i, lane % 4 + upper};
    if (format.bits() == 16) return {quad, lane % 4 + upper, i};
    return {quad, (lane & 1) + (i & 2) + upper, (i & 4) + (lane & 2) + (i & 1)};
  }
  if (operand == 'c') return {0, group + i / 2 * 8, within * 2 + i % 2};
  const int each = 32 / format.bits();  // elements of a register
  const int reg = i / each;
  if (operand == 'b') return {0, within * each + i % each + reg * 4 * each, group};
  return {0, group + reg % 2 * 8, within * each + i % each + reg / 2 * 4 * each};
}

struct Matrices {
  std::vector<std::vector<Raw>> a, b, c;  // row by row; four of each for quads
};

// -- what to multiply ----------------------------------------------------------------------------

constexpr const char* kKinds[] = {"plain",     "wide",     "cancelling", "aligned",
                                  "subnormal", "overflow", "special",    "zeros"};

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  Matrices make(const Instruction& in, int kind) {
    Matrices matrices;
    for (int q = 0; q < (in.quads ? 4 : 1); ++q) {
      matrices.a.push_back(fill(in.m * in.k, in.a, kind));
      matrices.b.push_back(fill(in.k * in.n, in.b, kind));
      matrices.c.push_back(fill(in.m * in.n, in.c, kind));
      if (kind == 2) cancel(in, matrices, std::size_t(q));
    }
    return matrices;
  }

 private:
  Raw bits(int count) { return random_() & ((Raw(1) << count) - 1); }
  int pick(int low, int high) { return low + int(random_() % Raw(high - low + 1)); }

  /// A finite number with this exponent, if the format has it.
  Raw number(const Format& format, int exponent) {
    const int largest = (1 << format.exponent_bits) - (format.no_infinity ? 1 : 2);
    const int field = std::clamp(exponent + format.bias(), 0, largest);
    Raw mantissa = bits(format.mantissa_bits);
    if (format.no_infinity && field == largest) mantissa &= ~Raw(1);  // the last one is a NaN
    if (pick(0, 3) == 0) mantissa = 0;
    const Raw raw = (bits(1) << format.exponent_bits | Raw(field)) << format.mantissa_bits;
    return (raw | mantissa) << format.shift | bits(format.shift);
  }

  Raw special(const Format& format) {
    const Raw sign = bits(1) << (format.exponent_bits + format.mantissa_bits);
    const Raw infinity = ((Raw(1) << format.exponent_bits) - 1) << format.mantissa_bits;
    const Raw nan = infinity | ((Raw(1) << format.mantissa_bits) - 1);
    return (sign | (pick(0, 1) != 0 || format.no_infinity ? nan : infinity)) << format.shift;
  }

  std::vector<Raw> fill(int count, const Format& format, int kind) {
    std::vector<Raw> values;
    const int half = 1 << (format.exponent_bits - 1);
    for (int i = 0; i < count; ++i) {
      switch (kind) {
        case 1:
          values.push_back(number(format, pick(-half, half)));
          break;
        case 3:  // around the place where aligned addends are cut off
          values.push_back(number(format, pick(0, 5) == 0 ? 0 : pick(-15, -10)));
          break;
        case 4:
          values.push_back(number(format, pick(0, 2) == 0 ? pick(-half, 2 - half) : -half));
          break;
        case 5:
          values.push_back(number(format, pick(half - 3, half)));
          break;
        case 6:
          values.push_back(pick(0, 39) == 0 ? special(format) : number(format, pick(-2, 2)));
          break;
        case 7:
          values.push_back(pick(0, 7) == 0 ? number(format, pick(-2, 2))
                                           : bits(1) << (format.bits() - 1));
          break;
        default:
          values.push_back(number(format, pick(-4, 1)));
      }
    }
    return values;
  }

  /// Half of the products are the others' opposites, so that only small ones are left.
  void cancel(const Instruction& in, Matrices& matrices, std::size_t q) {
    const Raw sign = Raw(1) << (in.a.bits() - 1);
    for (int x = 0; x + 1 < in.k; x += 2) {
      if (x / 2 % 3 == 2) continue;
      for (int i = 0; i < in.m; ++i) {
        auto* row = &matrices.a[q][std::size_t(i * in.k)];
        row[x + 1] = row[x] ^ sign;
      }
      for (int j = 0; j < in.n; ++j) {
        auto* column = &matrices.b[q][std::size_t(j)];
        column[(x + 1) * in.n] = column[x * in.n];
      }
    }
  }

  std::mt19937_64 random_;
};

// -- through the instruction ---------------------------------------------------------------------

/// Each warp multiplies the matrices of its own registers: A's, then B's, then C's.
template <class Op>
__global__ void multiply(std::uint32_t* out, const std::uint32_t* in) {
  constexpr int kIn = Op::kA + Op::kB + Op::kC;
  const unsigned warp = blockIdx.x, lane = threadIdx.x;
  std::uint32_t registers[kIn], d[Op::kD];
  for (int i = 0; i < kIn; ++i) registers[i] = in[(warp * kIn + unsigned(i)) * 32 + lane];
  Op::run(d, registers, registers + Op::kA, registers + Op::kA + Op::kB);
  for (int i = 0; i < Op::kD; ++i) out[(warp * Op::kD + unsigned(i)) * 32 + lane] = d[i];
}

inline void pack(std::vector<std::uint32_t>& registers, const Instruction& in, char operand,
                 const Format& format, const std::vector<std::vector<Raw>>& matrices) {
  const int rows = operand == 'b' ? in.k : in.m, columns = operand == 'a' ? in.k : in.n;
  const int each = 32 / format.bits();
  for (int r = 0; r < registers_of(in, rows * columns, format); ++r) {
    for (int lane = 0; lane < 32; ++lane) {
      std::uint32_t word = 0;
      for (int e = 0; e < each; ++e) {
        const Cell cell = cell_of(in, operand, format, lane, r * each + e);
        const Raw raw =
            matrices[std::size_t(cell.matrix)][std::size_t(cell.row * columns + cell.column)];
        word |= std::uint32_t(raw) << (e * format.bits());
      }
      registers.push_back(word);
    }
  }
}

inline std::string hex(Raw value, int bits) {
  char text[20];
  std::snprintf(text, sizeof text, "%0*llx", (bits + 3) / 4,
                static_cast<unsigned long long>(value));
  return text;
}

/// Equal, where a zero may have either sign: no source says which one a card gives.
inline bool same(std::uint32_t got, std::uint32_t want, int bits) {
  const std::uint32_t sign = 1u << (bits - 1);
  return got == want || ((got | want) & ~sign) == 0;
}

template <class Op>
void run_case(const Instruction& in) {
  cudaDeviceProp properties;
  CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
  const DotProduct dot(generation_of(properties.major, properties.minor), in.a, in.b, in.c, in.d,
                       in.quads);
  constexpr int kRounds = 24;
  Generator generator(20240229);
  std::vector<Matrices> cases;
  std::vector<std::uint32_t> registers;
  for (int i = 0; i < kRounds * int(std::size(kKinds)); ++i) {
    cases.push_back(generator.make(in, i / kRounds));
    pack(registers, in, 'a', in.a, cases.back().a);
    pack(registers, in, 'b', in.b, cases.back().b);
    pack(registers, in, 'c', in.c, cases.back().c);
  }
  const testing::Buffer<std::uint32_t> device_in(registers);
  testing::Buffer<std::uint32_t> device_out(cases.size() * 32 * Op::kD);
  multiply<Op><<<unsigned(cases.size()), 32>>>(device_out.get(), device_in.get());
  FINISH_LAUNCH();
  const std::vector<std::uint32_t> out = device_out.download();

  const int bits = in.d.bits(), each = 32 / bits;
  int wrong[std::size(kKinds)] = {}, total = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::size_t kind = i / kRounds;
    for (int r = 0; r < Op::kD * each; ++r) {
      for (int lane = 0; lane < 32; ++lane) {
        const Cell cell = cell_of(in, 'c', in.d, lane, r);
        const std::uint32_t word = out[(i * Op::kD + std::size_t(r / each)) * 32 + unsigned(lane)];
        const std::uint32_t got =
            bits == 32 ? word : (word >> (r % each * bits)) & ((1u << bits) - 1);
        const auto q = std::size_t(cell.matrix);
        std::vector<Raw> row, column;
        for (int x = 0; x < in.k; ++x) {
          row.push_back(cases[i].a[q][std::size_t(cell.row * in.k + x)]);
          column.push_back(cases[i].b[q][std::size_t(x * in.n + cell.column)]);
        }
        const Raw start = cases[i].c[q][std::size_t(cell.row * in.n + cell.column)];
        const std::uint32_t want = dot(row, column, start);
        if (same(got, want, bits)) continue;
        ++total;
        if (wrong[kind]++ >= 3) continue;
        std::string text = std::string("  ") + kKinds[kind] + " a";
        for (const Raw x : row) text += " " + hex(x, in.a.bits());
        text += "  b";
        for (const Raw x : column) text += " " + hex(x, in.b.bits());
        std::printf("%s  c %s  got %s want %s\n", text.c_str(), hex(start, in.c.bits()).c_str(),
                    hex(got, bits).c_str(), hex(want, bits).c_str());
      }
    }
  }
  if (total == 0) return;
  std::string counts;
  for (std::size_t kind = 0; kind < std::size(kKinds); ++kind) {
    if (wrong[kind] > 0)
      counts += std::string(" ") + kKinds[kind] + " " + std::to_string(wrong[kind]);
  }
  throw Mismatch(std::to_string(total) + " of " + std::to_string(out.size() * unsigned(each)) +
                 " elements differ:" + counts);
}

template <class Op>
void add_instruction(Suite& suite, const char* name, const Instruction& in) {
  suite.add(name, [=] { run_case<Op>(in); });
}

// mma with so many registers for A, B, C and D.
#define TENSOR_OP_4_2_4(Name, opcode)                                                             \
  struct Name {                                                                                   \
    static constexpr int kA = 4, kB = 2, kC = 4, kD = 4;                                          \
    static __device__ void run(std::uint32_t* d, const std::uint32_t* a, const std::uint32_t* b,  \
                               const std::uint32_t* c) {                                          \
      asm volatile(opcode " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"  \
                   : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])                               \
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), \
                     "r"(c[1]), "r"(c[2]), "r"(c[3]));                                            \
    }                                                                                             \
  };
#define TENSOR_OP_2_1_4(Name, opcode)                                                              \
  struct Name {                                                                                    \
    static constexpr int kA = 2, kB = 1, kC = 4, kD = 4;                                           \
    static __device__ void run(std::uint32_t* d, const std::uint32_t* a, const std::uint32_t* b,   \
                               const std::uint32_t* c) {                                           \
      asm volatile(opcode " {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"                  \
                   : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])                                \
                   : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3])); \
    }                                                                                              \
  };
#define TENSOR_OP_4_2_2(Name, opcode)                                                             \
  struct Name {                                                                                   \
    static constexpr int kA = 4, kB = 2, kC = 2, kD = 2;                                          \
    static __device__ void run(std::uint32_t* d, const std::uint32_t* a, const std::uint32_t* b,  \
                               const std::uint32_t* c) {                                          \
      asm volatile(opcode " {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%8, %9};"                      \
                   : "=r"(d[0]), "=r"(d[1])                                                       \
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), \
                     "r"(c[1]));                                                                  \
    }                                                                                             \
  };
#define TENSOR_OP_2_1_2(Name, opcode)                                                            \
  struct Name {                                                                                  \
    static constexpr int kA = 2, kB = 1, kC = 2, kD = 2;                                         \
    static __device__ void run(std::uint32_t* d, const std::uint32_t* a, const std::uint32_t* b, \
                               const std::uint32_t* c) {                                         \
      asm volatile(opcode " {%0, %1}, {%2, %3}, {%4}, {%5, %6};"                                 \
                   : "=r"(d[0]), "=r"(d[1])                                                      \
                   : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1]));                     \
    }                                                                                            \
  };
#define TENSOR_OP_2_2_8(Name, opcode)                                                             \
  struct Name {                                                                                   \
    static constexpr int kA = 2, kB = 2, kC = 8, kD = 8;                                          \
    static __device__ void run(std::uint32_t* d, const std::uint32_t* a, const std::uint32_t* b,  \
                               const std::uint32_t* c) {                                          \
      asm volatile(opcode                                                                         \
                   " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, {%12, %13, %14, "    \
                   "%15, %16, %17, %18, %19};"                                                    \
                   : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]), "=r"(d[4]), "=r"(d[5]),      \
                     "=r"(d[6]), "=r"(d[7])                                                       \
                   : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]), "r"(c[2]), \
                     "r"(c[3]), "r"(c[4]), "r"(c[5]), "r"(c[6]), "r"(c[7]));                      \
    }                                                                                             \
  };

}  // namespace differential::tensor
