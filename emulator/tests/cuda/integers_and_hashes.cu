#include <algorithm>
#include <array>
#include <string>

#include "emulator/tests/support/program.h"

// Integer work: SHA-256 and CRC-32 against published digests, 128-bit arithmetic, modular powers,
// multi-word multiplication with carries, and the bit intrinsics inside real algorithms.

namespace {

using u32 = unsigned;
using u64 = unsigned long long;
__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 i128;

// -- SHA-256 (FIPS 180-4) -------------------------------------------------------------------------

/// The first 32 bits of the fractions of the cube roots of the first 64 primes, and of the square
/// roots of the first eight: made on the host, so that no table is copied.
struct ShaTables {
  u32 rounds[64], start[8];
};
__constant__ ShaTables sha_tables;

ShaTables make_sha_tables() {
  ShaTables tables{};
  int count = 0;
  for (int p = 2; count < 64; ++p) {
    bool prime = true;
    for (int d = 2; d * d <= p; ++d) prime = prime && p % d != 0;
    if (!prime) continue;
    const long double cube = std::cbrt((long double)p), square = std::sqrt((long double)p);
    tables.rounds[count] = u32((u64)((cube - std::floor(cube)) * 4294967296.0L));
    if (count < 8) tables.start[count] = u32((u64)((square - std::floor(square)) * 4294967296.0L));
    ++count;
  }
  return tables;
}

__device__ u32 rotate(u32 x, int by) {
  return __funnelshift_r(x, x, unsigned(by));
}

/// One message a thread, already padded. @param words  [message][block][16], bytes as they come
__global__ void sha256(const unsigned char* bytes, const int* blocks, u32* digests, int stride,
                       int n) {
  const int message = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (message >= n) return;
  u32 h[8];
  for (int i = 0; i < 8; ++i) h[i] = sha_tables.start[i];
  for (int block = 0; block < blocks[message]; ++block) {
    u32 w[64];
    const u32* in = reinterpret_cast<const u32*>(bytes + message * stride + block * 64);
    for (int i = 0; i < 16; ++i) w[i] = __byte_perm(in[i], 0, 0x0123);
    for (int i = 16; i < 64; ++i) {
      const u32 a = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3;
      const u32 b = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10;
      w[i] = w[i - 16] + a + w[i - 7] + b;
    }
    u32 v[8];
    for (int i = 0; i < 8; ++i) v[i] = h[i];
    for (int i = 0; i < 64; ++i) {
      const u32 s1 = rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25);
      const u32 choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
      const u32 t1 = v[7] + s1 + choice + sha_tables.rounds[i] + w[i];
      const u32 s0 = rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22);
      const u32 majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
      for (int k = 7; k > 0; --k) v[k] = v[k - 1];
      v[4] += t1;
      v[0] = t1 + s0 + majority;
    }
    for (int i = 0; i < 8; ++i) h[i] += v[i];
  }
  for (int i = 0; i < 8; ++i) digests[message * 8 + i] = h[i];
}

void sha() {
  const ShaTables tables = make_sha_tables();
  EXPECT(tables.rounds[0] == 0x428a2f98 && tables.start[7] == 0x5be0cd19);
  CUDA_CHECK(cudaMemcpyToSymbol(sha_tables, &tables, sizeof tables));
  // FIPS 180-4's examples, the empty message, and one of sixteen blocks.
  const std::vector<std::string> messages = {
      "abc", "", "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      std::string(1000, 'a')};
  const std::vector<std::array<u32, 8>> want = {{0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223,
                                                 0xb00361a3, 0x96177a9c, 0xb410ff61, 0xf20015ad},
                                                {0xe3b0c442, 0x98fc1c14, 0x9afbf4c8, 0x996fb924,
                                                 0x27ae41e4, 0x649b934c, 0xa495991b, 0x7852b855},
                                                {0x248d6a61, 0xd20638b8, 0xe5c02693, 0x0c3e6039,
                                                 0xa33ce459, 0x64ff2167, 0xf6ecedd4, 0x19db06c1},
                                                {0x41edece4, 0x2d63e8d9, 0xbf515a9b, 0xa6932e1c,
                                                 0x20cbc9f5, 0xa5d13464, 0x5adb5db1, 0xb9737ea3}};
  constexpr int kStride = 1088;
  std::vector<unsigned char> bytes(messages.size() * kStride);
  std::vector<int> blocks;
  for (std::size_t m = 0; m < messages.size(); ++m) {
    const std::size_t length = messages[m].size(), count = (length + 9 + 63) / 64;
    unsigned char* at = &bytes[m * kStride];
    std::copy(messages[m].begin(), messages[m].end(), at);
    at[length] = 0x80;
    for (std::size_t k = 0; k < 8; ++k)
      at[count * 64 - 1 - k] = static_cast<unsigned char>(length * 8 >> 8 * k);
    blocks.push_back(int(count));
  }
  const testing::Buffer<unsigned char> in(bytes);
  const testing::Buffer<int> counts(blocks);
  testing::Buffer<u32> out(messages.size() * 8);
  sha256<<<1, 32>>>(in.get(), counts.get(), out.get(), kStride, int(messages.size()));
  FINISH_LAUNCH();
  const std::vector<u32> got = out.download();
  for (std::size_t m = 0; m < 4; ++m)
    EXPECT(std::equal(want[m].begin(), want[m].end(), &got[m * 8]));
}

// -- CRC-32, by table and by combining the parts of many threads
// ------------------------------------

__device__ u32 crc_table[256];

__global__ void fill_crc_table() {
  u32 c = threadIdx.x;
  for (int k = 0; k < 8; ++k) c = (c & 1) != 0 ? 0xedb88320u ^ c >> 1 : c >> 1;
  crc_table[threadIdx.x] = c;
}

__global__ void crc32(const char* text, int length, u32* out) {
  u32 c = ~0u;
  for (int i = 0; i < length; ++i) {
    c = crc_table[(c ^ static_cast<unsigned char>(text[i])) & 0xff] ^ c >> 8;
  }
  // The same without a table, from the top, with the bits turned around.
  u32 top = ~0u;
  for (int i = 0; i < length; ++i) {
    top ^= __brev(static_cast<unsigned char>(text[i]));
    for (int k = 0; k < 8; ++k) top = (top & 0x80000000u) != 0 ? top << 1 ^ 0x04c11db7u : top << 1;
  }
  out[0] = ~c;
  out[1] = ~__brev(top);
}

void crc() {
  const std::string text = "123456789";
  const testing::Buffer<char> in(std::vector<char>(text.begin(), text.end()));
  testing::Buffer<u32> out(2);
  fill_crc_table<<<1, 256>>>();
  crc32<<<1, 1>>>(in.get(), 9, out.get());
  FINISH_LAUNCH();
  EXPECT(out.download()[0] == 0xcbf43926 && out.download()[1] == 0xcbf43926);
}

// -- 128 bits -------------------------------------------------------------------------------------

__host__ __device__ u64 modular_power(u64 base, u64 exponent, u64 modulus) {
  u64 result = 1;
  for (base %= modulus; exponent != 0; exponent >>= 1) {
    if (exponent & 1) result = u64(u128(result) * base % modulus);
    base = u64(u128(base) * base % modulus);
  }
  return result;
}

__host__ __device__ u64 fold(i128 a, i128 b, int shift) {
  const i128 product = a * b, quotient = product / (b | 1), rest = product % (a | 1);
  const u128 shifted = u128(product) >> shift ^ u128(product) << (127 - shift);
  const i128 mixed =
      (product < 0 ? -product : product) + quotient - (rest >> shift) + i128(shifted);
  return u64(u128(mixed) >> 64) ^ u64(mixed) ^ u64(product > quotient);
}

__global__ void wide_integers(const u64* in, u64* out) {
  const int t = int(threadIdx.x);
  const u64 a = in[2 * t], b = in[2 * t + 1];
  out[3 * t] = modular_power(a, b, 0xffffffff00000001ull);
  out[3 * t + 1] = fold(i128(a) * 3 - b, -i128(b) * 77, t);
  out[3 * t + 2] = __umul64hi(a, b) + u64(__mul64hi((long long)a, (long long)b)) * 3;
}

void wide() {
  const auto parts = testing::random_integers(64 * 2 * 4, 1 << 16, 3);
  std::vector<u64> values, want;
  for (std::size_t i = 0; i < 128; ++i) {
    u64 x = 0;
    for (std::size_t k = 0; k < 4; ++k) x = x << 16 | u64(parts[4 * i + k]);
    values.push_back(x);
  }
  for (int t = 0; t < 64; ++t) {
    const u64 a = values[std::size_t(2 * t)], b = values[std::size_t(2 * t + 1)];
    want.push_back(modular_power(a, b, 0xffffffff00000001ull));
    want.push_back(fold(i128(a) * 3 - b, -i128(b) * 77, t));
    want.push_back(u64(u128(a) * b >> 64) + u64(i128((long long)a) * (long long)b >> 64) * 3);
  }
  const testing::Buffer<u64> in(values);
  testing::Buffer<u64> out(want.size());
  wide_integers<<<1, 64>>>(in.get(), out.get());
  FINISH_LAUNCH();
  EXPECT(out.download() == want);
  EXPECT(modular_power(3, 0xffffffff00000000ull, 0xffffffff00000001ull) == 1);  // Fermat
}

// -- big numbers ----------------------------------------------------------------------------------

constexpr int kWords = 16;

/// Schoolbook product of 512-bit numbers with PTX's carry chain.
__global__ void multiply(const u32* a, const u32* b, u32* product) {
  const u32 *x = a + threadIdx.x * kWords, *y = b + threadIdx.x * kWords;
  u32 sum[2 * kWords] = {};
  for (int i = 0; i < kWords; ++i) {
    u32 carry = 0;
    for (int j = 0; j < kWords; ++j) {
      asm("{\n\t"
          ".reg .u32 high;\n\t"
          "mad.lo.cc.u32 %0, %2, %3, %0;\n\t"
          "madc.hi.u32 high, %2, %3, 0;\n\t"
          "add.cc.u32 %0, %0, %1;\n\t"
          "addc.u32 %1, high, 0;\n\t"
          "}"
          : "+r"(sum[i + j]), "+r"(carry)
          : "r"(x[i]), "r"(y[j]));
    }
    sum[i + kWords] = carry;
  }
  for (int i = 0; i < 2 * kWords; ++i) product[int(threadIdx.x) * 2 * kWords + i] = sum[i];
}

void big_numbers() {
  std::vector<u32> a, b;
  for (const int x : testing::random_integers(32 * kWords * 4, 1 << 16, 6)) {
    ((a.size() < 32 * kWords * 2) ? a : b).push_back(u32(x));
  }
  for (std::vector<u32>* const v : {&a, &b}) {
    for (std::size_t i = 0; i < 32 * kWords; ++i) (*v)[i] = (*v)[2 * i] << 16 | (*v)[2 * i + 1];
    v->resize(32 * kWords);
  }
  for (int i = 0; i < kWords; ++i)
    a[std::size_t(i)] = b[std::size_t(i)] = ~0u;  // the longest carries
  std::vector<u32> want(32 * 2 * kWords);
  for (std::size_t t = 0; t < 32; ++t) {
    for (std::size_t i = 0; i < kWords; ++i) {
      u64 carry = 0;
      for (std::size_t j = 0; j < kWords; ++j) {
        u32& cell = want[t * 2 * kWords + i + j];
        carry += u64(a[t * kWords + i]) * b[t * kWords + j] + cell;
        cell = u32(carry);
        carry >>= 32;
      }
      want[t * 2 * kWords + i + kWords] = u32(carry);
    }
  }
  const testing::Buffer<u32> x(a), y(b);
  testing::Buffer<u32> out(want.size());
  multiply<<<1, 32>>>(x.get(), y.get(), out.get());
  FINISH_LAUNCH();
  EXPECT(out.download() == want);
}

// -- bits -----------------------------------------------------------------------------------------

/// All solutions of n queens below one placement of the first two rows, by bit masks.
__global__ void queens(int n, int* solutions) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n * n) return;
  const u32 all = (1u << n) - 1, a = 1u << (i / n), b = 1u << (i % n);
  if ((b & (a | a << 1 | a >> 1)) != 0) return;
  u32 columns[20], left[20], right[20], free[20];
  int row = 2, count = 0;
  columns[2] = a | b;
  left[2] = (a << 1 | b) << 1, right[2] = (a >> 1 | b) >> 1;
  free[2] = all & ~(columns[2] | left[2] | right[2]);
  while (row >= 2) {
    if (free[row] == 0) {
      --row;
      continue;
    }
    const u32 queen = 1u << (__ffs(int(free[row])) - 1);
    free[row] &= ~queen;
    if (row == n - 1) {
      ++count;
      continue;
    }
    columns[row + 1] = columns[row] | queen;
    left[row + 1] = (left[row] | queen) << 1;
    right[row + 1] = (right[row] | queen) >> 1;
    ++row;
    free[row] = all & ~(columns[row] | left[row] | right[row]);
  }
  atomicAdd(solutions, count);
}

/// Distances and sums of packed bytes, saturating and dotted.
__global__ void packed(const u32* in, u32* out) {
  const int t = int(threadIdx.x);
  const u32 a = in[2 * t], b = in[2 * t + 1];
  out[t] = __vabsdiffu4(a, b) + __vadd2(a, b) * 3 + __dp4a(int(a), int(b), 5) +
           __sad(int(a), int(b), 7u) + __vcmpgtu4(a, b) + __vmaxs2(a, b) + __popc(a ^ b) +
           __clz(int(b)) + __usad(a, b, 1);
}

u32 packed_model(u32 a, u32 b) {
  u32 differences = 0, greater = 0, sums = 0, largest = 0;
  int dot = 5;
  for (int k = 0; k < 4; ++k) {
    const u32 x = a >> 8 * k & 0xff, y = b >> 8 * k & 0xff;
    differences |= (x > y ? x - y : y - x) << 8 * k;
    greater |= (x > y ? 0xffu : 0u) << 8 * k;
    dot += int(static_cast<signed char>(x)) * static_cast<signed char>(y);
  }
  for (int k = 0; k < 2; ++k) {
    const u32 x = a >> 16 * k & 0xffff, y = b >> 16 * k & 0xffff;
    sums |= ((x + y) & 0xffff) << 16 * k;
    largest |= (static_cast<short>(x) > static_cast<short>(y) ? x : y) << 16 * k;
  }
  const long long distance = std::llabs((long long)int(a) - int(b));
  return differences + sums * 3 + u32(dot) + u32(distance) + 7 + greater + largest +
         u32(__builtin_popcount(a ^ b)) + u32(b == 0 ? 32 : __builtin_clz(b)) +
         (a > b ? a - b : b - a) + 1;
}

void bits() {
  testing::Buffer<int> solutions(1);
  for (const auto& [n, want] : {std::pair{4, 2}, {6, 4}, {8, 92}, {9, 352}}) {
    solutions.fill_bytes(0);
    queens<<<2, 64>>>(n, solutions.get());
    FINISH_LAUNCH();
    EXPECT(solutions.download()[0] == want);
  }
  std::vector<u32> values, want;
  const auto parts = testing::random_integers(256, 1 << 16, 8);
  for (std::size_t i = 0; i < 128; ++i)
    values.push_back(u32(parts[2 * i]) << 16 | u32(parts[2 * i + 1]));
  for (std::size_t t = 0; t < 64; ++t)
    want.push_back(packed_model(values[2 * t], values[2 * t + 1]));
  const testing::Buffer<u32> in(values);
  testing::Buffer<u32> out(64);
  packed<<<1, 64>>>(in.get(), out.get());
  FINISH_LAUNCH();
  testing::expect_equal(out.download(), want);
}

void run() {
  sha();
  crc();
  wide();
  big_numbers();
  bits();
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
