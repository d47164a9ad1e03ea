#include <algorithm>
#include <numeric>

#include "emulator/tests/support/program.h"

// Mutual exclusion as people write it: by lane, by block, with tickets, queues and back-off, and
// structures that need no lock. A scheduler that starves anyone makes these hang.

namespace {

__device__ void acquire(int* lock) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
}

__device__ void release(int* lock) {
  __threadfence();
  atomicExch(lock, 0);
}

/// Every lane of a warp waits for the same lock: the old deadlock, legal since lanes are scheduled
/// independently.
__global__ void count_by_lane(int* lock, volatile int* counter) {
  acquire(lock);
  *counter = *counter + 1;
  release(lock);
}

/// The form that was safe on any hardware.
__global__ void count_in_loop(int* lock, volatile int* counter) {
  for (bool done = false; !done;) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      *counter = *counter + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

/// One thread takes the lock for its block; all of them work under it.
__global__ void add_by_block(int* lock, int* sums) {
  if (threadIdx.x == 0) acquire(lock);
  __syncthreads();
  sums[threadIdx.x] += int(blockIdx.x) + int(threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) release(lock);
}

struct Tickets {
  unsigned next, serving;
};

/// First come, first served; waits longer the farther back it stands.
__global__ void count_by_ticket(Tickets* tickets, int* order, int* count) {
  if (threadIdx.x % 8 != 0) return;
  const unsigned mine = atomicAdd(&tickets->next, 1u);
  for (;;) {
    const unsigned serving = *(volatile unsigned*)&tickets->serving;
    if (serving == mine) break;
    __nanosleep(20 * (mine - serving));
  }
  __threadfence();
  order[*count] = int(mine);
  *count += 1;
  __threadfence();
  atomicAdd(&tickets->serving, 1u);
}

/// Test and test-and-set with a back-off that doubles.
__global__ void count_with_back_off(int* lock, volatile int* counter) {
  unsigned wait = 8;
  while (*(volatile int*)lock != 0 || atomicExch(lock, 1) != 0) {
    __nanosleep(wait);
    if (wait < 256) wait *= 2;
  }
  __threadfence();
  *counter = *counter + 1;
  release(lock);
}

struct Account {
  int lock, balance;
};

/// Two locks at once, always the lower one first.
__global__ void transfer(Account* accounts, const int2* pairs, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const int from = pairs[i].x, to = pairs[i].y;
  if (from == to) return;
  acquire(&accounts[min(from, to)].lock);
  acquire(&accounts[max(from, to)].lock);
  accounts[from].balance -= i;
  accounts[to].balance += i;
  release(&accounts[max(from, to)].lock);
  release(&accounts[min(from, to)].lock);
}

/// A queue lock: each block spins on a word of its own (Mellor-Crummey and Scott).
struct Node {
  int next, waiting;  // next: 1 + the block behind, 0 nobody
};

__global__ void count_in_queue(int* tail, Node* nodes, int* counter) {
  if (threadIdx.x != 0) return;
  const int me = int(blockIdx.x);
  volatile Node* const own = nodes + me;
  own->next = 0;
  own->waiting = 1;
  __threadfence();
  const int before = atomicExch(tail, me + 1);
  if (before != 0) {
    atomicExch(&nodes[before - 1].next, me + 1);
    while (own->waiting == 1) {
    }
  }
  __threadfence();
  *counter += me;
  __threadfence();
  if (own->next == 0) {
    if (atomicCAS(tail, me + 1, 0) == me + 1) return;
    while (own->next == 0) {
    }
  }
  atomicExch(&nodes[own->next - 1].waiting, 0);
}

/// Many read, a few write; a reader must never see half of an update.
__global__ void readers_and_writers(int* state, volatile int* pair, int* torn) {
  const bool writes = threadIdx.x % 16 == 0;
  for (int round = 0; round < 3; ++round) {
    for (bool done = false; !done;) {
      const int seen = *(volatile int*)state;
      if (writes ? seen != 0 : seen < 0) continue;
      if (atomicCAS(state, seen, writes ? -1 : seen + 1) != seen) continue;
      __threadfence();
      if (writes) {
        pair[0] = pair[0] + 1;
        pair[1] = pair[1] + 1;
        __threadfence();
        atomicExch(state, 0);
      } else {
        if (pair[0] != pair[1]) atomicAdd(torn, 1);
        __threadfence();
        atomicSub(state, 1);
      }
      done = true;
    }
  }
}

/// A lock for each bin: who takes one learns what its last owner knew, and that is about all
/// blocks.
__global__ void count_in_bins(int* locks, volatile int* bins, const int* values, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const int bin = values[i];
  for (bool done = false; !done;) {
    if (atomicCAS(&locks[bin], 0, 1) == 0) {
      __threadfence();
      bins[bin] = bins[bin] + 1;
      release(&locks[bin]);
      done = true;
    }
  }
}

constexpr unsigned kEmpty = 0xffffffffu, kSlots = 1024;

/// Open addressing; equal keys meet in one slot.
__global__ void insert(unsigned* keys, int* counts, const int* values, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const unsigned key = unsigned(values[i]);
  for (unsigned at = key * 2654435761u % kSlots;; at = (at + 1) % kSlots) {
    const unsigned found = atomicCAS(&keys[at], kEmpty, key);
    if (found == kEmpty || found == key) {
      atomicAdd(&counts[at], 1);
      return;
    }
  }
}

/// Pushes onto a linked list with compare-and-swap.
__global__ void push(int* head, int* next, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  int old = *(volatile int*)head, seen;
  do {
    seen = old;
    next[i] = seen;
    __threadfence();
    old = atomicCAS(head, seen, i);
  } while (old != seen);
}

void counters() {
  testing::Buffer<int> words(2);
  int *const lock = words.get(), *const counter = lock + 1;
  const auto expect_count = [&](int want) {
    FINISH_LAUNCH();
    testing::expect_equal(words.download(), {0, want});
    words.fill_bytes(0);
  };
  words.fill_bytes(0);
  count_by_lane<<<3, 64>>>(lock, counter);
  expect_count(192);
  count_in_loop<<<3, 64>>>(lock, counter);
  expect_count(192);
  count_with_back_off<<<4, 64>>>(lock, counter);
  expect_count(256);
  testing::Buffer<Node> nodes(20);
  count_in_queue<<<20, 32>>>(lock, nodes.get(), counter);
  expect_count(190);
}

void blocks_and_tickets() {
  testing::Buffer<int> lock(1), sums(128);
  lock.fill_bytes(0);
  sums.fill_bytes(0);
  add_by_block<<<20, 128>>>(lock.get(), sums.get());
  FINISH_LAUNCH();
  std::vector<int> want;
  for (int t = 0; t < 128; ++t) want.push_back(190 + 20 * t);
  testing::expect_equal(sums.download(), want);

  testing::Buffer<Tickets> tickets(1);
  testing::Buffer<int> order(48), count(1);
  tickets.fill_bytes(0);
  count.fill_bytes(0);
  count_by_ticket<<<3, 128>>>(tickets.get(), order.get(), count.get());
  FINISH_LAUNCH();
  want.resize(48);
  std::iota(want.begin(), want.end(), 0);
  testing::expect_equal(order.download(), want);
}

void accounts() {
  constexpr int kAccounts = 12, kTransfers = 300;
  std::vector<Account> all(kAccounts, Account{0, 1000});
  const auto ends = testing::random_integers(2 * kTransfers, kAccounts, 4);
  std::vector<int2> pairs;
  std::vector<int> want(kAccounts, 1000);
  for (std::size_t i = 0; i < kTransfers; ++i) {
    pairs.push_back({ends[2 * i], ends[2 * i + 1]});
    want[std::size_t(pairs[i].x)] -= int(i);
    want[std::size_t(pairs[i].y)] += int(i);
  }
  testing::Buffer<Account> accounts(all);
  const testing::Buffer<int2> in(pairs);
  transfer<<<3, 128>>>(accounts.get(), in.get(), kTransfers);
  FINISH_LAUNCH();
  all = accounts.download();
  for (std::size_t i = 0; i < kAccounts; ++i) EXPECT(all[i].balance == want[i] && all[i].lock == 0);
}

void shared_and_exclusive() {
  testing::Buffer<int> words(4);
  words.fill_bytes(0);
  readers_and_writers<<<2, 64>>>(words.get(), words.get() + 1, words.get() + 3);
  FINISH_LAUNCH();
  testing::expect_equal(words.download(), {0, 24, 24, 0});
}

void many_locks() {
  constexpr int kValues = 120'000, kBins = 20'000;
  const std::vector<int> values = testing::random_integers(kValues, kBins, 7);
  std::vector<int> want(kBins);
  for (const int bin : values) ++want[std::size_t(bin)];
  const testing::Buffer<int> in(values);
  testing::Buffer<int> locks(kBins), bins(kBins);
  locks.fill_bytes(0);
  bins.fill_bytes(0);
  count_in_bins<<<(kValues + 255) / 256, 256>>>(locks.get(), bins.get(), in.get(), kValues);
  FINISH_LAUNCH();
  testing::expect_equal(bins.download(), want);
}

void without_locks() {
  const std::vector<int> values = testing::random_integers(2000, 600, 3);
  std::vector<int> want(600), got(600), chain;
  for (const int x : values) ++want[std::size_t(x)];
  const testing::Buffer<int> in(values);
  testing::Buffer<unsigned> keys(kSlots);
  testing::Buffer<int> counts(kSlots), head(1), next(500);
  keys.fill_bytes(0xff);
  counts.fill_bytes(0);
  insert<<<8, 256>>>(keys.get(), counts.get(), in.get(), 2000);
  FINISH_LAUNCH();
  const auto slot_keys = keys.download();
  const auto slot_counts = counts.download();
  for (std::size_t i = 0; i < kSlots; ++i) {
    if (slot_keys[i] != kEmpty) got[slot_keys[i]] += slot_counts[i];
  }
  testing::expect_equal(got, want);

  head.fill_bytes(0xff);
  push<<<4, 128>>>(head.get(), next.get(), 500);
  FINISH_LAUNCH();
  const std::vector<int> links = next.download();
  for (int at = head.download()[0]; at != -1; at = links[std::size_t(at)]) chain.push_back(at);
  std::sort(chain.begin(), chain.end());
  want.resize(500);
  std::iota(want.begin(), want.end(), 0);
  testing::expect_equal(chain, want);
}

void run() {
  counters();
  blocks_and_tickets();
  accounts();
  shared_and_exclusive();
  many_locks();
  without_locks();
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
