#include "emulator/tests/differential/map.h"

// Lanes that go different ways, and calls. The host compiles the same bodies: what is tested is
// that every lane follows its own path and that paths meet again.

namespace differential {
namespace {

using S = std::int32_t;
using U = std::uint32_t;

struct SimpleIf {
  __host__ __device__ S operator()(S x) const {
    S y = x ^ 5;
    if (x & 1) y += 100;
    return y;
  }
};

struct IfElse {
  __host__ __device__ U operator()(U x) const {
    if (x % 3 == 0) return x * 7 + 1;
    return x / 5 - 9;
  }
};

struct NestedIfs {
  __host__ __device__ U operator()(U x) const {
    U y = 1;
    if (x & 1) {
      if (x & 2) {
        y = x & 4 ? y * 3 : y * 5;
        if (x & 8) y += x;
      } else {
        y += x & 16 ? 11 : 13;
      }
      y *= 17;
    } else if (x & 32) {
      y -= x;
      if (!(x & 64)) y ^= 0xff;
    }
    return y + x;
  }
};

struct ElseIfChain {
  __host__ __device__ int operator()(S x) const {
    if (x < -1000) return 1;
    if (x < -10) return 2;
    if (x < 0) return 3;
    if (x == 0) return 4;
    if (x < 10) return 5;
    if (x < 1000) return 6;
    return 7;
  }
};

struct LoopPerLane {
  __host__ __device__ U operator()(U x) const {
    U sum = 0;
    for (U i = 0; i < x % 37; ++i) sum = sum * 3 + i;
    return sum;
  }
};

struct NestedLoops {
  __host__ __device__ U operator()(U x, U y) const {
    U sum = 0;
    for (U i = 0; i < x % 9; ++i) {
      for (U j = i; j < y % 7; ++j) sum += i * j + (sum >> 3);
    }
    return sum;
  }
};

struct BreakOut {
  __host__ __device__ U operator()(U x) const {
    U i = 0;
    for (; i < 50; ++i) {
      if ((x >> (i % 32)) & 1) break;
      x += i;
    }
    return i * 1000 + x % 1000;
  }
};

struct ContinueLoop {
  __host__ __device__ U operator()(U x) const {
    U sum = 0;
    for (U i = 0; i < 20; ++i) {
      if ((x + i) % 3 == 0) continue;
      sum = sum * 5 + i;
      if (sum % 7 == x % 7) continue;
      sum ^= x;
    }
    return sum;
  }
};

struct BreakAndContinueNested {
  __host__ __device__ U operator()(U x) const {
    U sum = x;
    for (U i = 0; i < 8; ++i) {
      for (U j = 0; j < 8; ++j) {
        if ((sum + j) % 5 == 0) continue;
        if ((sum ^ i) % 11 == 3) break;
        sum = sum * 33 + j;
      }
      if (sum % 13 == 0) break;
    }
    return sum;
  }
};

struct DoWhile {
  __host__ __device__ int operator()(U x) const {
    int steps = 0;
    do {
      ++steps;
      x /= 3;
    } while (x != 0);
    return steps;
  }
};

struct Collatz {
  __host__ __device__ int operator()(std::uint16_t start) const {
    std::uint64_t x = start % 1000u + 1;
    int steps = 0;
    while (x != 1) {
      x = x % 2 == 0 ? x / 2 : 3 * x + 1;
      ++steps;
    }
    return steps;
  }
};

struct DenseSwitch {
  __host__ __device__ U operator()(U x) const {
    switch (x % 11) {
      case 0:
        return x + 1;
      case 1:
        return x * 3;
      case 2:
        return x ^ 0x55;
      case 3:
        return x / 7;
      case 4:
        return x % 9;
      case 5:
        return ~x;
      case 6:
        return x << 3;
      case 7:
        return x >> 5;
      case 8:
        return 0 - x;
      case 9:
        return x & 0xf0f0;
      default:
        return x | 3;
    }
  }
};

struct SparseSwitch {
  __host__ __device__ int operator()(S x) const {
    switch (x) {
      case 0:
        return 1;
      case 31:
        return 2;
      case -7:
        return 3;
      case 2147483647:
        return 4;
      case -2147483647 - 1:
        return 5;
      case 65536:
        return 6;
    }
    return 0;
  }
};

struct FallThrough {
  __host__ __device__ U operator()(U x) const {
    U sum = 0;
    switch (x % 6) {
      case 5:
        sum += 5;
        [[fallthrough]];
      case 4:
        sum *= 2;
        [[fallthrough]];
      case 3:
        sum += 3;
        break;
      case 2:
        sum += x;
        [[fallthrough]];
      default:
        sum += 1;
    }
    return sum;
  }
};

/// Duff's device: a switch into the middle of a loop cannot be structured away.
struct SwitchIntoLoop {
  __host__ __device__ U operator()(U x) const {
    U sum = 0, left = x % 29 + 1, rounds = (left + 3) / 4;
    switch (left % 4) {
      case 0:
        do {
          sum = sum * 3 + 1;
          [[fallthrough]];
          case 3:
            sum = sum * 5 + 2;
            [[fallthrough]];
          case 2:
            sum = sum * 7 + 3;
            [[fallthrough]];
          case 1:
            sum = sum * 11 + 4;
        } while (--rounds > 0);
    }
    return sum;
  }
};

struct Gotos {
  __host__ __device__ U operator()(U x) const {
    U n = 0;
  again:
    ++n;
    if (x % 2 == 1) goto odd;
    x /= 2;
    if (n < 20) goto again;
    goto done;
  odd:
    x = x * 3 + 1;
    if (x % 5 == 0) goto done;
    if (n < 15) goto again;
    x ^= n;
  done:
    return x * 64 + n;
  }
};

struct EarlyReturns {
  __host__ __device__ S operator()(S x) const {
    for (int i = 0; i < 30; ++i) {
      if (x == i) return -i;
      if ((x >> i & 3) == 3) return i;
      if (x < 0 && i > 4) break;
    }
    return 1000 + x % 10;
  }
};

struct ShortCircuit {
  __host__ __device__ int operator()(S x, S y) const {
    int calls = 0;
    const auto touch = [&calls](bool value) {
      ++calls;
      return value;
    };
    const bool both = touch(x > 3) && touch(y > 3) && touch(x > y);
    const bool either = touch(x == y) || touch(x < 0) || touch(y < 0);
    return calls * 4 + both * 2 + either;
  }
};

/// A division that must not be executed by the lanes that guard against it.
struct GuardedDivision {
  __host__ __device__ S operator()(S x, S y) const {
    if (y != 0 && y != -1 && x / y > 2) return x / y;
    return y == 0 ? -1 : x & y;
  }
};

struct TernaryChain {
  __host__ __device__ U operator()(U a, U b, U c) const {
    return a > b ? (b > c ? a - b : c % 100) : b > c ? (a > c ? b - a : 5) : a + b + c;
  }
};

__host__ __device__ __noinline__ U fibonacci(U n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

struct Recursion {
  __host__ __device__ U operator()(U x) const { return fibonacci(x % 12); }
};

__host__ __device__ bool is_odd(U n);
__host__ __device__ __noinline__ bool is_even(U n) {
  return n == 0 || is_odd(n - 1);
}
__host__ __device__ __noinline__ bool is_odd(U n) {
  return n != 0 && is_even(n - 1);
}

struct MutualRecursion {
  __host__ __device__ bool operator()(U x) const { return is_even(x % 41); }
};

__host__ __device__ __noinline__ U ackermann(U m, U n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

struct DeepRecursion {
  __host__ __device__ U operator()(U x) const { return ackermann(x % 3, x % 5); }
};

/// A recursive walk that keeps an array in each frame.
__host__ __device__ __noinline__ U sum_of_path(U x, int depth) {
  U frame[4] = {x, x / 3, x * 5, U(depth)};
  if (depth > 0) frame[x % 4] += sum_of_path(x / 2 + 1, depth - 1);
  return frame[0] ^ frame[1] ^ frame[2] ^ frame[3];
}

struct RecursionWithFrames {
  __host__ __device__ U operator()(U x) const { return sum_of_path(x, int(x % 6)); }
};

__host__ __device__ __noinline__ S add_one(S x) {
  return S(U(x) + 1);
}
__host__ __device__ __noinline__ S double_it(S x) {
  return S(U(x) * 2);
}
__host__ __device__ __noinline__ S negate_it(S x) {
  return S(0u - U(x));
}

struct FunctionPointers {
  __host__ __device__ S operator()(S x) const {
    using Function = S (*)(S);
    Function functions[3] = {add_one, double_it, negate_it};
    for (int i = 0; i < 4; ++i) x = functions[(U(x) + U(i)) % 3](x);
    return x;
  }
};

__host__ __device__ __noinline__ S apply_twice(S (*f)(S), S x) {
  return f(f(x));
}

struct PointerAsArgument {
  __host__ __device__ S operator()(S x) const {
    return apply_twice(x & 1 ? add_one : double_it, x);
  }
};

struct Shape2 {
  __host__ __device__ explicit Shape2(U size) : size_(size) {}
  __host__ __device__ virtual U area() const = 0;
  __host__ __device__ virtual U edges() const { return 4; }
  U size_;
};

struct Square final : Shape2 {
  using Shape2::Shape2;
  __host__ __device__ U area() const override { return size_ * size_; }
};

struct Triangle final : Shape2 {
  using Shape2::Shape2;
  __host__ __device__ U area() const override { return size_ * size_ / 2; }
  __host__ __device__ U edges() const override { return 3; }
};

__host__ __device__ __noinline__ U measure(const Shape2* shape) {
  return shape->area() * 10 + shape->edges();
}

struct VirtualCalls {
  __host__ __device__ U operator()(U x) const {
    const Square square(x % 1000);
    const Triangle triangle(x % 777);
    const Shape2* shape = &square;
    if (x % 5 < 2) shape = &triangle;
    return measure(shape);
  }
};

template <class F>
__host__ __device__ U fold(U x, F f) {
  U sum = 0;
  for (U i = 0; i < x % 8; ++i) sum = f(sum, i);
  return sum;
}

struct CapturingLambda {
  __host__ __device__ U operator()(U x, U y) const {
    U calls = 0;
    const U result = fold(x, [&calls, y](U sum, U i) {
      ++calls;
      return sum * y + i;
    });
    return result * 10 + calls;
  }
};

struct Pair {
  U first, second;
};

__host__ __device__ __noinline__ Pair divide_with_rest(U a, U b) {
  return {a / b, a % b};
}

struct StructReturned {
  static bool valid(U, U b) { return b != 0; }
  __host__ __device__ U operator()(U a, U b) const {
    const Pair pair = divide_with_rest(a, b);
    return pair.first * 31 + pair.second;
  }
};

__host__ __device__ __noinline__ void swap_by_pointer(U* a, U* b) {
  const U old = *a;
  *a = *b;
  *b = old;
}

struct OutputParameters {
  __host__ __device__ U operator()(U a, U b) const {
    if (a > b) swap_by_pointer(&a, &b);
    return a * 3 - b;
  }
};

__host__ __device__ __noinline__ double many_arguments(std::int8_t a, double b, U c, float d,
                                                       std::int64_t e, bool f, std::uint16_t g) {
  return a + b * c - d + double(e) * (f ? 2 : 3) + g;
}

struct ManyArguments {
  __host__ __device__ double operator()(S x) const {
    return many_arguments(std::int8_t(x), 0.25, U(x) % 64, 1.5f, x % 1000, x & 1, std::uint16_t(x));
  }
};

/// Diverged lanes call the same function from different places.
struct CallsFromBothSides {
  __host__ __device__ S operator()(S x) const {
    S y;
    if (x & 1) {
      y = S(U(negate_it(x)) + 3);
    } else {
      y = S(U(double_it(x)) - U(negate_it(x)));
    }
    return add_one(y);
  }
};

struct InsertionSort {
  __host__ __device__ U operator()(U x) const {
    U values[8];
    for (int i = 0; i < 8; ++i) values[i] = (x >> (4 * i)) & 15;
    for (int i = 1; i < 8; ++i) {
      const U value = values[i];
      int j = i;
      for (; j > 0 && values[j - 1] > value; --j) values[j] = values[j - 1];
      values[j] = value;
    }
    U out = 0;
    for (int i = 0; i < 8; ++i) out |= values[i] << (4 * i);
    return out;
  }
};

struct BinarySearch {
  __host__ __device__ int operator()(U x) const {
    int low = 0, high = 1 << 16;
    while (low + 1 < high) {
      const int middle = (low + high) / 2;
      if (U(middle) * U(middle) <= x) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }
};

struct TowerOfHanoi {
  __host__ __device__ static U moves(int disks, U from, U to) {
    struct Frame {
      int disks;
      U from, to, stage;
    };
    Frame stack[12];
    int top = 0;
    U hash = 1;
    stack[top++] = {disks, from, to, 0};
    while (top > 0) {
      Frame& frame = stack[top - 1];
      const U other = 3 - frame.from - frame.to;
      if (frame.disks == 0 || frame.stage == 2) {
        --top;
      } else if (frame.stage++ == 0) {
        stack[top++] = {frame.disks - 1, frame.from, other, 0};
      } else {
        hash = hash * 31 + frame.from * 3 + frame.to;
        stack[top++] = {frame.disks - 1, other, frame.to, 0};
      }
    }
    return hash;
  }
  __host__ __device__ U operator()(U x) const { return moves(int(x % 7), x % 2, 2); }
};

}  // namespace

void register_cases(Suite& suite) {
  add_map<SimpleIf, S>(suite, "if");
  add_map<IfElse, U>(suite, "if and else");
  add_map<NestedIfs, U>(suite, "nested divergent ifs");
  add_map<ElseIfChain, S>(suite, "chain of else ifs");
  add_map<LoopPerLane, U>(suite, "loop of each lane's own length");
  add_map<NestedLoops, U, U>(suite, "nested loops");
  add_map<BreakOut, U>(suite, "break");
  add_map<ContinueLoop, U>(suite, "continue");
  add_map<BreakAndContinueNested, U>(suite, "break and continue in nested loops");
  add_map<DoWhile, U>(suite, "do while");
  add_map<Collatz, std::uint16_t>(suite, "Collatz steps");
  add_map<DenseSwitch, U>(suite, "dense switch");
  add_map<SparseSwitch, S>(suite, "sparse switch");
  add_map<FallThrough, U>(suite, "switch that falls through");
  add_map<SwitchIntoLoop, U>(suite, "switch into a loop");
  add_map<Gotos, U>(suite, "goto");
  add_map<EarlyReturns, S>(suite, "early returns");
  add_map<ShortCircuit, S, S>(suite, "short circuit");
  add_map<GuardedDivision, S, S>(suite, "guarded division");
  add_map<TernaryChain, U, U, U>(suite, "chain of ternaries");
  add_map<Recursion, U>(suite, "recursion");
  add_map<MutualRecursion, U>(suite, "mutual recursion");
  add_map<DeepRecursion, U>(suite, "deep recursion");
  add_map<RecursionWithFrames, U>(suite, "recursion with an array in each frame");
  add_map<FunctionPointers, S>(suite, "function pointers");
  add_map<PointerAsArgument, S>(suite, "function pointer as argument");
  add_map<VirtualCalls, U>(suite, "virtual functions");
  add_map<CapturingLambda, U, U>(suite, "lambda with captures");
  add_map<StructReturned, U, U>(suite, "struct returned from a call");
  add_map<OutputParameters, U, U>(suite, "output parameters");
  add_map<ManyArguments, S>(suite, "call with seven arguments");
  add_map<CallsFromBothSides, S>(suite, "calls from both sides of a branch");
  add_map<InsertionSort, U>(suite, "insertion sort");
  add_map<BinarySearch, U>(suite, "binary search");
  add_map<TowerOfHanoi, U>(suite, "explicit stack");
}

}  // namespace differential
