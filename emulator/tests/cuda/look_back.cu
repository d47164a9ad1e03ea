#include <numeric>

#include "emulator/tests/support/program.h"

// Prefix sums in one pass with decoupled look-back: a block publishes its own sum at once, walks
// back over its predecessors' sums until it meets a whole prefix, and publishes its own. Three ways
// to publish: state and sum in one 64-bit word, in two words with fences, and by release and
// acquire.

namespace {

constexpr int kBlock = 128, kItems = 4, kTile = kBlock * kItems;

enum State : unsigned { kNothing = 0, kSum = 1, kPrefix = 2 };

/// One word, so that state and sum are always seen together.
struct Packed {
  unsigned long long* words;
  __device__ void publish(int tile, State state, int value) const {
    atomicExch(&words[tile], (unsigned long long)(state) << 32 | unsigned(value));
  }
  __device__ State look(int tile, int& value) const {
    const unsigned long long word = *(volatile unsigned long long*)&words[tile];
    value = int(unsigned(word));
    return State(word >> 32);
  }
};

/// The sum and the prefix have a place each, since a reader may come between the two.
struct Fenced {
  unsigned* states;
  int *sums, *prefixes;
  __device__ void publish(int tile, State state, int value) const {
    *(volatile int*)((state == kSum ? sums : prefixes) + tile) = value;
    __threadfence();
    *(volatile unsigned*)&states[tile] = state;
  }
  __device__ State look(int tile, int& value) const {
    const State state = State(*(volatile unsigned*)&states[tile]);
    __threadfence();
    if (state != kNothing) value = *(volatile int*)((state == kSum ? sums : prefixes) + tile);
    return state;
  }
};

struct Released {
  unsigned* states;
  int *sums, *prefixes;
  __device__ void publish(int tile, State state, int value) const {
    (state == kSum ? sums : prefixes)[tile] = value;
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(states + tile), "r"(state) : "memory");
  }
  __device__ State look(int tile, int& value) const {
    unsigned state;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];"
                 : "=r"(state)
                 : "l"(states + tile)
                 : "memory");
    if (state != kNothing) value = (state == kSum ? sums : prefixes)[tile];
    return State(state);
  }
};

__device__ int warp_sum(int x) {
  for (int by = 16; by > 0; by /= 2) x += __shfl_xor_sync(~0u, x, by);
  return x;
}

/// One warp looks at 32 predecessors at a time. @return the sum of all tiles before `tile`
template <class Board>
__device__ int look_back(const Board& board, int tile) {
  const int lane = int(threadIdx.x);
  int before = 0;
  for (int window = tile - 1;; window -= 32) {
    const int at = window - lane;
    int value = 0;
    State state = kPrefix;  // before the first tile: a prefix of nothing
    if (at >= 0) {
      do {
        state = board.look(at, value);
      } while (state == kNothing);
    }
    const unsigned prefixes = __ballot_sync(~0u, state == kPrefix);
    // The nearest prefix ends the walk; what is behind it is in it.
    const int last = prefixes == 0 ? 31 : __ffs(int(prefixes)) - 1;
    before += warp_sum(lane <= last ? value : 0);
    if (prefixes != 0) return before;
  }
}

template <class Board>
__global__ void scan(const int* in, int* out, int n, Board board, unsigned* tickets) {
  __shared__ int warp_sums[kBlock / 32];
  __shared__ int tile_index, tile_before;
  const int t = int(threadIdx.x);
  if (t == 0) tile_index = int(atomicAdd(tickets, 1u));  // in the order of starting
  __syncthreads();
  const int tile = tile_index, first = tile * kTile + t * kItems;
  int items[kItems], sum = 0;
#pragma unroll
  for (int k = 0; k < kItems; ++k) items[k] = sum += first + k < n ? in[first + k] : 0;
  int up_to = sum;
  for (int by = 1; by < 32; by *= 2) {
    const int other = __shfl_up_sync(~0u, up_to, by);
    if (t % 32 >= by) up_to += other;
  }
  if (t % 32 == 31) warp_sums[t / 32] = up_to;
  __syncthreads();
  int before = up_to - sum, total = 0;
  for (int w = 0; w < kBlock / 32; ++w) {
    if (w < t / 32) before += warp_sums[w];
    total += warp_sums[w];
  }
  if (t < 32) {
    if (t == 0) board.publish(tile, tile == 0 ? kPrefix : kSum, total);
    const int exclusive = tile == 0 ? 0 : look_back(board, tile);
    if (t == 0) {
      if (tile > 0) board.publish(tile, kPrefix, exclusive + total);
      tile_before = exclusive;
    }
  }
  __syncthreads();
  before += tile_before;
#pragma unroll
  for (int k = 0; k < kItems; ++k) {
    if (first + k < n) out[first + k] = before + items[k];
  }
}

void all_boards(int n) {
  const std::vector<int> values = testing::random_integers(std::size_t(n), 100);
  std::vector<int> want(values.size());
  std::inclusive_scan(values.begin(), values.end(), want.begin());
  const unsigned tiles = testing::blocks_for(values.size(), kTile);
  const testing::Buffer<int> in(values);
  testing::Buffer<int> out(values.size()), sums(tiles), prefixes(tiles);
  testing::Buffer<unsigned long long> words(tiles);
  testing::Buffer<unsigned> states(tiles), tickets(1);
  const auto scan_with = [&](const auto& board) {
    for (testing::Buffer<unsigned>* const b : {&states, &tickets}) b->fill_bytes(0);
    words.fill_bytes(0);
    out.fill_bytes(0);
    scan<<<tiles, kBlock>>>(in.get(), out.get(), n, board, tickets.get());
    FINISH_LAUNCH();
    testing::expect_equal(out.download(), want);
  };
  scan_with(Packed{words.get()});
  scan_with(Fenced{states.get(), sums.get(), prefixes.get()});
  scan_with(Released{states.get(), sums.get(), prefixes.get()});
}

void run() {
  for (const int n : {1, 511, 513, 20000, 100001}) all_boards(n);
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
