#include <algorithm>
#include <functional>
#include <new>

#include "emulator/tests/support/program.h"

// C++ on the device as students write it, odd but legal: virtual functions, function pointers,
// recursion, lambdas, unions, bit fields, goto, long switches, and memory from new.

namespace {

#define SQUARE(x) ((x) * (x))
#define REPEAT4(statement) \
  do {                     \
    statement;             \
    statement;             \
    statement;             \
    statement;             \
  } while (0)

// -- classes --------------------------------------------------------------------------------------

struct Shape {
  __host__ __device__ explicit Shape(int id) : id(id) {}
  __host__ __device__ virtual ~Shape() {}
  __host__ __device__ virtual float area() const = 0;
  __host__ __device__ virtual int corners() const { return 0; }
  int id;
};

struct Named {
  __host__ __device__ virtual char name() const { return '?'; }
  int padding = 7;
};

struct Circle : Shape {
  __host__ __device__ Circle(int id, float r) : Shape(id), r(r) {}
  __host__ __device__ float area() const override { return 3.0f * r * r; }
  float r;
};

/// Two bases: the second one's functions get an adjusted pointer.
struct Rectangle : Shape, Named {
  __host__ __device__ Rectangle(int id, float w, float h) : Shape(id), w(w), h(h) {}
  __host__ __device__ float area() const override { return w * h; }
  __host__ __device__ int corners() const override { return 4; }
  __host__ __device__ char name() const override { return char('R' + padding - 7); }
  float w, h;
};

struct Square final : Rectangle {
  __host__ __device__ Square(int id, float w) : Rectangle(id, w, w) {}
  __host__ __device__ char name() const override { return 'S'; }
};

__host__ __device__ float describe(const Shape& shape, const Named* named) {
  const char name = named != nullptr ? named->name() : 'C';
  return shape.area() * 10 + float(shape.corners()) + float(name) * 1000 + float(shape.id);
}

/// Objects of different classes made with new on the device, used through their bases, deleted.
__global__ void shapes(float* out) {
  const int t = int(threadIdx.x);
  Shape* shape = nullptr;
  const Named* named = nullptr;
  if (t % 3 == 0) {
    shape = new Circle(t, float(t));
  } else if (t % 3 == 1) {
    Rectangle* const r = new Rectangle(t, 2, float(t));
    shape = r, named = r;
  } else {
    Square* const s = new Square(t, float(t));
    shape = s, named = s;
  }
  out[t] = describe(*shape, named);
  delete shape;
}

// -- functions ------------------------------------------------------------------------------------

using Operation = int (*)(int, int);

__host__ __device__ int add(int a, int b) {
  return a + b;
}
__host__ __device__ int subtract(int a, int b) {
  return a - b;
}
__host__ __device__ int multiply(int a, int b) {
  return a * b;
}
__device__ const Operation operations[3] = {add, subtract, multiply};

__host__ __device__ __noinline__ int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__host__ __device__ int odd(unsigned n);
__host__ __device__ __noinline__ int even(unsigned n) {
  return n == 0 ? 1 : odd(n - 1);
}
__host__ __device__ __noinline__ int odd(unsigned n) {
  return n == 0 ? 0 : even(n - 1);
}

__host__ __device__ int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

struct Samples {
  int at[20];
  char name;
  double scale;
};

/// A large argument and result by value: the callee works on its own copy.
__host__ __device__ __noinline__ Samples shifted(Samples samples, int by) {
  for (int i = 0; i < 20; ++i) samples.at[i] = samples.at[(i + by) % 20] + i;
  samples.scale *= by;
  return samples;
}

__host__ __device__ int by_value(int x) {
  Samples samples = {{}, 'n', 0.5};
  for (int i = 0; i < 20; ++i) samples.at[i] = x + i * i;
  const Samples other = shifted(samples, x % 7);
  return other.at[3] * 2 - samples.at[x % 20] + int(other.scale * 4) + other.name;
}

struct Counter {
  int total = 0;
  __device__ int twice(int x) { return total += 2 * x; }
  __device__ int negated(int x) { return total -= x; }
};

__global__ void functions(const int* in, int* out) {
  const int t = int(threadIdx.x), x = in[t];
  int result = operations[t % 3](x, t);  // lanes call different functions
  const Operation local = t % 2 == 0 ? add : multiply;
  result += local(t, 3);
  result += fibonacci(t % 9) + 1000 * even(unsigned(t)) + ackermann(t % 3, 2);
  Counter counter;
  int (Counter::*const member)(int) = t % 2 == 0 ? &Counter::twice : &Counter::negated;
  (counter.*member)(5);
  out[t] = result + (counter.*member)(1) + by_value(x);
}

int functions_model(int t, int x) {
  const int three[3] = {x + t, x - t, x * t};
  return three[t % 3] + (t % 2 == 0 ? t + 3 : t * 3) + fibonacci(t % 9) + 1000 * (t % 2 == 0) +
         ackermann(t % 3, 2) + (t % 2 == 0 ? 12 : -6) + by_value(x);
}

/// Each call holds 256 bytes or more of local memory until those inside it have returned.
__host__ __device__ __noinline__ int descend(const int* places, int depth) {
  int frame[64];
  for (int i = 0; i < 64; ++i) frame[i] = depth * i;
  const int below = depth == 0 ? 0 : descend(places, depth - 1);
  return below + frame[places[depth % 64]];
}

__global__ void descend_all(const int* places, int* out, int depth) {
  out[threadIdx.x] = descend(places, depth + int(threadIdx.x % 8));
}

// -- templates and lambdas ------------------------------------------------------------------------

template <class F>
__global__ void for_each(int n, F f) {
  for (int i = int(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += int(gridDim.x * blockDim.x))
    f(i);
}

template <int N>
struct Power {
  template <class T>
  __host__ __device__ static T of(T x) {
    return x * Power<N - 1>::of(x);
  }
};
template <>
struct Power<0> {
  template <class T>
  __host__ __device__ static T of(T) {
    return T(1);
  }
};

template <class... T>
__host__ __device__ auto sum_of_all(T... values) {
  return (values + ... + 0);
}

/// A 1-D array that checks nothing and knows its length.
template <class T, int N>
struct Vec {
  T at[N];
  __host__ __device__ T& operator[](int i) { return at[i]; }
  __host__ __device__ friend Vec operator+(const Vec& a, const Vec& b) {
    Vec c;
    for (int i = 0; i < N; ++i) c.at[i] = a.at[i] + b.at[i];
    return c;
  }
};

// -- odd control flow and layouts -----------------------------------------------------------------

union Bits {
  float real;
  unsigned word;
  struct {
    unsigned mantissa : 23, exponent : 8, sign : 1;
  } field;
  unsigned char bytes[4];
};

struct Packet {
  unsigned kind : 3;
  int delta : 7;
  unsigned length : 12;
  unsigned last : 1;
};

__host__ __device__ int state_machine(int x) {
  int steps = 0;
start:
  ++steps;
  if (steps > 40) goto end;
  switch (x % 13) {
    case 0:
      x = x / 13 + 1;
      goto start;
    case 1:
      return steps * 100;
    case 2:
    case 3:
      x += 5;
      break;
    case 4:
      x -= 3;  // falls through
    case 5:
      x *= 2;
      goto start;
    case 6:
      x ^= 0x55;
      break;
    case 7:
      do {
        x -= 7;
      } while (x > 500);
      break;
    case 8:
      for (int k = 0;; ++k) {
        if (k * k > x) {
          x = k + 20;
          break;
        }
      }
      goto start;
    case 9:
    case 10:
      x = x * 3 + 1;
      goto check;
    case 11:
      x = ~x & 0x3ff;
      break;
    default:
      x += 2;
  }
  if (x % 2 == 0) {
  check:
    x = x % 2000;
    if (x < 0) x = -x;
  }
  goto start;
end:
  return x;
}

__host__ __device__ unsigned layouts(int x) {
  Bits bits;
  bits.real = float(x) * 0.37f;
  const unsigned sign_and_exponent = bits.field.exponent | unsigned(bits.field.sign) << 8;
  bits.field.mantissa >>= 3;
  bits.bytes[0] ^= 0x5a;
  Packet packet;
  packet.kind = unsigned(x);
  packet.delta = x % 60 - 30;
  packet.length = unsigned(x) * 5;
  packet.last = x % 2 == 1;
  packet.delta -= 3;
  return bits.word + sign_and_exponent * 7 + packet.kind + unsigned(packet.delta) * 11 +
         packet.length * 13 + packet.last;
}

__global__ void oddities(const int* in, unsigned* out, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  int x = in[i];
  if (x == 17) return;  // early, with the value from before
  REPEAT4(x += SQUARE(i % 3));
  out[i] = unsigned(state_machine(x)) + layouts(x);
}

// -- memory from the device's heap ----------------------------------------------------------------

struct Link {
  int value;
  Link* next;
};

/// A sorted list a thread, built, walked backwards by reversing it, and freed.
__global__ void lists(const int* in, int* out, int length) {
  Link* head = nullptr;
  for (int k = 0; k < length; ++k) {
    Link** at = &head;
    const int value = in[(int(threadIdx.x) * 7 + k * 3) % 64];
    while (*at != nullptr && (*at)->value < value) at = &(*at)->next;
    *at = new Link{value, *at};
  }
  Link* reversed = nullptr;
  while (head != nullptr) {
    Link* const next = head->next;
    head->next = reversed, reversed = head, head = next;
  }
  int digest = 0;
  while (reversed != nullptr) {
    digest = digest * 31 + reversed->value;
    Link* const next = reversed->next;
    delete reversed;
    reversed = next;
  }
  out[threadIdx.x] = digest;
}

/// One array for a block, placed by its first thread; objects put into raw memory.
__global__ void block_array(int* out) {
  __shared__ int* cells;
  if (threadIdx.x == 0) cells = static_cast<int*>(malloc(blockDim.x * sizeof(int)));
  __syncthreads();
  cells[threadIdx.x] = int(threadIdx.x * blockIdx.x);
  alignas(8) unsigned char raw[sizeof(Link)];
  Link* const link = new (raw) Link{int(threadIdx.x), nullptr};
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = cells[blockDim.x - 1 - threadIdx.x] + link->value;
  __syncthreads();
  if (threadIdx.x == 0) free(cells);
}

// -- the host's side ------------------------------------------------------------------------------

void classes() {
  testing::Buffer<float> out(48);
  shapes<<<1, 48>>>(out.get());
  FINISH_LAUNCH();
  std::vector<float> want;
  for (int t = 0; t < 48; ++t) {
    const Circle c(t, float(t));
    const Rectangle r(t, 2, float(t));
    const Square s(t, float(t));
    want.push_back(t % 3 == 0   ? describe(c, nullptr)
                   : t % 3 == 1 ? describe(r, &r)
                                : describe(s, &s));
  }
  testing::expect_equal(out.download(), want);
}

void calls() {
  const std::vector<int> values = testing::random_integers(64, 1000);
  const testing::Buffer<int> in(values);
  testing::Buffer<int> out(64);
  functions<<<1, 64>>>(in.get(), out.get());
  FINISH_LAUNCH();
  std::vector<int> want;
  for (int t = 0; t < 64; ++t) want.push_back(functions_model(t, values[std::size_t(t)]));
  testing::expect_equal(out.download(), want);
}

void generic_code() {
  constexpr int kCount = 500;
  testing::Buffer<long long> out(kCount);
  long long* const cells = out.get();
  const int scale = 3;
  const Vec<int, 5> a = {1, 2, 3, 4, 5};
  for_each<<<2, 64>>>(kCount, [=] __device__(int i) {
    Vec<int, 5> b = a + a;
    const auto nested = [&b, scale](int k) { return b[k % 5] * scale; };
    cells[i] = nested(i) + Power<5>::of((long long)(i % 50)) + sum_of_all(i, short(2), 'a', 3ll);
  });
  FINISH_LAUNCH();
  std::vector<long long> want;
  for (int i = 0; i < kCount; ++i) {
    const long long x = i % 50;
    want.push_back((i % 5 + 1) * 6 + x * x * x * x * x + (i + 2 + 'a' + 3));
  }
  testing::expect_equal(out.download(), want);
}

void control_and_layout() {
  constexpr int kCount = 3000;
  const std::vector<int> values = testing::random_integers(kCount, 4000, 8);
  const testing::Buffer<int> in(values);
  testing::Buffer<unsigned> out(kCount);
  out.fill_bytes(0x11);
  oddities<<<12, 256>>>(in.get(), out.get(), kCount);
  FINISH_LAUNCH();
  std::vector<unsigned> want;
  for (int i = 0; i < kCount; ++i) {
    int x = values[std::size_t(i)];
    if (x == 17) {
      want.push_back(0x11111111);
      continue;
    }
    x += 4 * SQUARE(i % 3);
    want.push_back(unsigned(state_machine(x)) + layouts(x));
  }
  testing::expect_equal(out.download(), want);
}

void heap() {
  const std::vector<int> values = testing::random_integers(64, 1000, 9);
  const testing::Buffer<int> in(values);
  testing::Buffer<int> out(64), blocks(3 * 64);
  lists<<<1, 64>>>(in.get(), out.get(), 9);
  FINISH_LAUNCH();
  std::vector<int> want, want_blocks;
  for (int t = 0; t < 64; ++t) {
    std::vector<int> list;
    for (int k = 0; k < 9; ++k) list.push_back(values[std::size_t((t * 7 + k * 3) % 64)]);
    std::sort(list.begin(), list.end(), std::greater<>());
    unsigned digest = 0;
    for (const int v : list) digest = digest * 31 + unsigned(v);
    want.push_back(int(digest));
  }
  testing::expect_equal(out.download(), want);
  block_array<<<3, 64>>>(blocks.get());
  FINISH_LAUNCH();
  for (int b = 0; b < 3; ++b) {
    for (int t = 0; t < 64; ++t) want_blocks.push_back((63 - t) * b + t);
  }
  testing::expect_equal(blocks.download(), want_blocks);
}

void deep_calls() {
  // 300 calls deep: more than anybody has who has not asked for it.
  CUDA_CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 128 * 1024));
  std::vector<int> places = testing::random_integers(64, 64);
  const testing::Buffer<int> in(places);
  testing::Buffer<int> out(64);
  descend_all<<<1, 64>>>(in.get(), out.get(), 300);
  FINISH_LAUNCH();
  std::vector<int> want;
  for (int t = 0; t < 64; ++t) want.push_back(descend(places.data(), 300 + t % 8));
  testing::expect_equal(out.download(), want);
  CUDA_CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 16 * 1024));
}

void run() {
  // Recursion needs more than the kilobyte of stack that a card gives a thread unasked.
  CUDA_CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 16 * 1024));
  classes();
  calls();
  deep_calls();
  generic_code();
  control_and_layout();
  heap();
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
