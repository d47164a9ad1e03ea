#pragma once

// Cooperative groups (Programming Guide, "Cooperative Groups"): the block, tiles of a warp, the
// threads that run together, and the grid. Tiles of more than a warp, and clusters, need nvcc.

#include "cuda_runtime.h"

#if defined(__CUDA__)

namespace cooperative_groups {

namespace detail {

WARPGRADE_DEVICE unsigned lane() {
  return __nvvm_read_ptx_sreg_laneid();
}
WARPGRADE_DEVICE unsigned thread_in_block() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
WARPGRADE_DEVICE unsigned threads_of_block() {
  return blockDim.x * blockDim.y * blockDim.z;
}

/// A value of any size is shuffled word by word.
template <class T, class Shuffle>
WARPGRADE_DEVICE T by_words(const T& value, Shuffle shuffle) {
  unsigned words[(sizeof(T) + 3) / 4] = {};
  __builtin_memcpy(words, &value, sizeof(T));
  for (unsigned& word : words) word = shuffle(word);
  T result;
  __builtin_memcpy(&result, words, sizeof(T));
  return result;
}

struct new_tile {};

template <class T>
struct if_void {};
template <>
struct if_void<void> {
  using type = void;
};

}  // namespace detail

/// sync() in two parts. All of it is done by the second one: nobody may rely on a thread that has
/// only arrived to go on.
#define WARPGRADE_SPLIT_SYNC                                  \
  struct arrival_token {};                                    \
  WARPGRADE_MEMBER arrival_token barrier_arrive() const {     \
    return {};                                                \
  }                                                           \
  WARPGRADE_MEMBER void barrier_wait(arrival_token&&) const { \
    this->sync();                                             \
  }

/// All threads of the block.
class thread_block {
 public:
  static WARPGRADE_MEMBER void sync() { __syncthreads(); }
  static WARPGRADE_MEMBER unsigned thread_rank() { return detail::thread_in_block(); }
  static WARPGRADE_MEMBER unsigned size() { return detail::threads_of_block(); }
  static WARPGRADE_MEMBER unsigned num_threads() { return size(); }
  static WARPGRADE_MEMBER dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static WARPGRADE_MEMBER dim3 thread_index() {
    return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
  }
  static WARPGRADE_MEMBER dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  static WARPGRADE_MEMBER dim3 dim_threads() { return group_dim(); }
  WARPGRADE_SPLIT_SYNC
};
WARPGRADE_DEVICE thread_block this_thread_block() {
  return {};
}

/// All threads of a grid launched by cudaLaunchCooperativeKernel().
class grid_group {
 public:
  WARPGRADE_MEMBER bool is_valid() const { return workspace() != 0; }
  WARPGRADE_MEMBER void sync() const {
    // The launch provides a word that is 0 at first. Each block takes a number; a round is over
    // when as many blocks have one as the grid has, times the rounds.
    const unsigned long long word = workspace() + 4;
    if (word == 4) __trap();
    __syncthreads();
    if (detail::thread_in_block() == 0) {
      const unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
      unsigned number, arrived;
      asm volatile("atom.add.release.gpu.u32 %0, [%1], 1;" : "=r"(number) : "l"(word) : "memory");
      const unsigned all = (number / blocks + 1) * blocks;
      do {
        asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(arrived) : "l"(word) : "memory");
      } while ((int)(arrived - all) < 0);
    }
    __syncthreads();
  }
  static WARPGRADE_MEMBER unsigned long long thread_rank() {
    return block_rank() * detail::threads_of_block() + detail::thread_in_block();
  }
  static WARPGRADE_MEMBER unsigned long long size() {
    return num_blocks() * detail::threads_of_block();
  }
  static WARPGRADE_MEMBER unsigned long long num_threads() { return size(); }
  static WARPGRADE_MEMBER unsigned long long num_blocks() {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
  }
  static WARPGRADE_MEMBER unsigned long long block_rank() {
    return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  static WARPGRADE_MEMBER dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  static WARPGRADE_MEMBER dim3 dim_blocks() { return group_dim(); }
  static WARPGRADE_MEMBER dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  WARPGRADE_SPLIT_SYNC

 private:
  static WARPGRADE_MEMBER unsigned long long workspace() {
    unsigned high, low;
    asm("mov.u32 %0, %%envreg1;" : "=r"(high));
    asm("mov.u32 %0, %%envreg2;" : "=r"(low));
    return (unsigned long long)high << 32 | low;
  }
};
WARPGRADE_DEVICE grid_group this_grid() {
  return {};
}
#undef WARPGRADE_SPLIT_SYNC

// Shuffled values are taken by reference, as those of __shfl_sync(): see warp_functions.h.
#define WARPGRADE_OF_VOLATILE(name, lane_type)                             \
  template <class T>                                                       \
  WARPGRADE_MEMBER T name(const volatile T& value, lane_type lane) const { \
    const T copy = value;                                                  \
    return name(copy, lane);                                               \
  }

/// Threads of one warp that entered a branch together, or a part of such a group.
class coalesced_group {
 public:
  WARPGRADE_MEMBER explicit coalesced_group(unsigned mask) : mask_(mask) {}
  WARPGRADE_MEMBER void sync() const { __syncwarp(mask_); }
  WARPGRADE_MEMBER unsigned size() const { return (unsigned)__popc(mask_); }
  WARPGRADE_MEMBER unsigned num_threads() const { return size(); }
  WARPGRADE_MEMBER unsigned thread_rank() const {
    return (unsigned)__popc(mask_ & ((1u << detail::lane()) - 1));
  }
  WARPGRADE_MEMBER unsigned meta_group_rank() const { return 0; }
  WARPGRADE_MEMBER unsigned meta_group_size() const { return 1; }
  template <class T>
  WARPGRADE_MEMBER T shfl(const T& value, unsigned rank) const {
    const unsigned from = lane_of(rank % size());
    return detail::by_words(value,
                            [&](const unsigned& w) { return __shfl_sync(mask_, w, (int)from); });
  }
  template <class T>
  WARPGRADE_MEMBER T shfl_down(const T& value, unsigned delta) const {
    const unsigned rank = thread_rank() + delta;
    const unsigned from = rank < size() ? lane_of(rank) : detail::lane();
    return detail::by_words(value,
                            [&](const unsigned& w) { return __shfl_sync(mask_, w, (int)from); });
  }
  template <class T>
  WARPGRADE_MEMBER T shfl_up(const T& value, unsigned delta) const {
    const unsigned rank = thread_rank();
    const unsigned from = rank >= delta ? lane_of(rank - delta) : detail::lane();
    return detail::by_words(value,
                            [&](const unsigned& w) { return __shfl_sync(mask_, w, (int)from); });
  }
  WARPGRADE_OF_VOLATILE(shfl, unsigned)
  WARPGRADE_OF_VOLATILE(shfl_down, unsigned)
  WARPGRADE_OF_VOLATILE(shfl_up, unsigned)
  WARPGRADE_MEMBER int any(int predicate) const { return __any_sync(mask_, predicate); }
  WARPGRADE_MEMBER int all(int predicate) const { return __all_sync(mask_, predicate); }
  WARPGRADE_MEMBER unsigned ballot(int predicate) const {
    return packed(__ballot_sync(mask_, predicate));
  }
  template <class T>
  WARPGRADE_MEMBER unsigned match_any(T value) const {
    return packed(__match_any_sync(mask_, value));
  }
  template <class T>
  WARPGRADE_MEMBER unsigned match_all(T value, int& all) const {
    return packed(__match_all_sync(mask_, value, &all));
  }
  WARPGRADE_MEMBER unsigned lanes() const { return mask_; }

 private:
  WARPGRADE_MEMBER unsigned lane_of(unsigned rank) const {
    return mask_ == 0xffffffffu ? rank : __fns(mask_, 0, (int)rank + 1);
  }
  /// Bits of lanes as bits of ranks.
  WARPGRADE_MEMBER unsigned packed(unsigned lanes) const {
    if (mask_ == 0xffffffffu) return lanes;
    unsigned ranks = 0;
    for (unsigned rest = mask_, rank = 0; rest != 0; rest &= rest - 1, ++rank) {
      if ((lanes & rest & (0 - rest)) != 0) ranks |= 1u << rank;
    }
    return ranks;
  }

  unsigned mask_;
};
// As __activemask(), but whatever lanes are there are meant: `and` tells the emulator, which warns
// of masks that activemask gives.
template <int Place>
WARPGRADE_DEVICE coalesced_group coalesced_threads_at() {
  unsigned mask;
  asm volatile("{ .reg .b32 lanes; activemask.b32 lanes; and.b32 %0, lanes, -1; } // %1"
               : "=r"(mask)
               : "n"(Place));
  return coalesced_group(mask);
}
#define coalesced_threads() coalesced_threads_at<__COUNTER__>()

template <unsigned Size, class Parent>
class thread_block_tile;

namespace detail {

/// Which of its parent's tiles a tile is, and how many there are.
template <unsigned Size, class Parent>
struct meta_group {
  static WARPGRADE_MEMBER unsigned rank() { return thread_in_block() / Size; }
  static WARPGRADE_MEMBER unsigned count() { return (threads_of_block() + Size - 1) / Size; }
};
template <unsigned Size, unsigned ParentSize, class Grandparent>
struct meta_group<Size, thread_block_tile<ParentSize, Grandparent>> {
  static WARPGRADE_MEMBER unsigned rank() { return thread_in_block() % ParentSize / Size; }
  static constexpr __device__ unsigned count() { return ParentSize / Size; }
};
/// Of a tile that does not name its parent.
template <unsigned Size>
struct meta_group<Size, void> {
  unsigned rank_ = thread_in_block() / Size;
  unsigned count_ = (threads_of_block() + Size - 1) / Size;
  WARPGRADE_MEMBER unsigned rank() const { return rank_; }
  WARPGRADE_MEMBER unsigned count() const { return count_; }
};

}  // namespace detail

/// Neighbouring threads of one warp: Size is 1, 2, 4, 8, 16 or 32.
template <unsigned Size, class Parent = void>
class thread_block_tile {
  static_assert(Size <= 32, "tiles of more than a warp need nvcc");
  static_assert((Size & (Size - 1)) == 0, "the size of a tile is a power of two");

 public:
  WARPGRADE_MEMBER explicit thread_block_tile(detail::new_tile) {}
  /// Of a tile that names its parent one that does not.
  template <class Other, class Own = Parent, class = typename detail::if_void<Own>::type>
  WARPGRADE_MEMBER thread_block_tile(const thread_block_tile<Size, Other>& other)
      : meta_group_{other.meta_group_rank(), other.meta_group_size()} {}
  WARPGRADE_MEMBER void sync() const { __syncwarp(lanes()); }
  static constexpr __device__ unsigned size() { return Size; }
  static constexpr __device__ unsigned num_threads() { return Size; }
  WARPGRADE_MEMBER unsigned thread_rank() const { return detail::thread_in_block() & (Size - 1); }
  WARPGRADE_MEMBER unsigned meta_group_rank() const { return meta_group_.rank(); }
  WARPGRADE_MEMBER unsigned meta_group_size() const { return meta_group_.count(); }
  template <class T>
  WARPGRADE_MEMBER T shfl(const T& value, int rank) const {
    return detail::by_words(value,
                            [&](const unsigned& w) { return __shfl_sync(lanes(), w, rank, Size); });
  }
  template <class T>
  WARPGRADE_MEMBER T shfl_down(const T& value, unsigned delta) const {
    return detail::by_words(
        value, [&](const unsigned& w) { return __shfl_down_sync(lanes(), w, delta, Size); });
  }
  template <class T>
  WARPGRADE_MEMBER T shfl_up(const T& value, unsigned delta) const {
    return detail::by_words(
        value, [&](const unsigned& w) { return __shfl_up_sync(lanes(), w, delta, Size); });
  }
  template <class T>
  WARPGRADE_MEMBER T shfl_xor(const T& value, int mask) const {
    return detail::by_words(
        value, [&](const unsigned& w) { return __shfl_xor_sync(lanes(), w, mask, Size); });
  }
  WARPGRADE_OF_VOLATILE(shfl, int)
  WARPGRADE_OF_VOLATILE(shfl_down, unsigned)
  WARPGRADE_OF_VOLATILE(shfl_up, unsigned)
  WARPGRADE_OF_VOLATILE(shfl_xor, int)
  WARPGRADE_MEMBER int any(int predicate) const { return __any_sync(lanes(), predicate); }
  WARPGRADE_MEMBER int all(int predicate) const { return __all_sync(lanes(), predicate); }
  WARPGRADE_MEMBER unsigned ballot(int predicate) const {
    return __ballot_sync(lanes(), predicate) >> first_lane();
  }
  template <class T>
  WARPGRADE_MEMBER unsigned match_any(T value) const {
    return __match_any_sync(lanes(), value) >> first_lane();
  }
  template <class T>
  WARPGRADE_MEMBER unsigned match_all(T value, int& all) const {
    return __match_all_sync(lanes(), value, &all) >> first_lane();
  }
  WARPGRADE_MEMBER unsigned lanes() const {
    if constexpr (Size == 32) return 0xffffffffu;
    return ((1u << (Size % 32)) - 1) << first_lane();
  }
  WARPGRADE_MEMBER operator coalesced_group() const { return coalesced_group(lanes()); }

 private:
  static WARPGRADE_MEMBER unsigned first_lane() { return detail::lane() & ~(Size - 1); }

  detail::meta_group<Size, Parent> meta_group_;
};

#undef WARPGRADE_OF_VOLATILE

/// Any of the groups above, or a tile whose size is known at run time only.
class thread_group {
 public:
  WARPGRADE_MEMBER thread_group(const thread_block&) : size_(0), mask_(0) {}
  WARPGRADE_MEMBER thread_group(const coalesced_group& group)
      : size_(group.size()), mask_(group.lanes()) {}
  template <unsigned Size, class Parent>
  WARPGRADE_MEMBER thread_group(const thread_block_tile<Size, Parent>& tile)
      : size_(Size), mask_(tile.lanes()) {}
  WARPGRADE_MEMBER void sync() const {
    if (size_ == 0) {
      __syncthreads();
    } else {
      __syncwarp(mask_);
    }
  }
  WARPGRADE_MEMBER unsigned long long size() const {
    return size_ == 0 ? detail::threads_of_block() : size_;
  }
  WARPGRADE_MEMBER unsigned long long num_threads() const { return size(); }
  WARPGRADE_MEMBER unsigned long long thread_rank() const {
    if (size_ == 0) return detail::thread_in_block();
    return (unsigned)__popc(mask_ & ((1u << detail::lane()) - 1));
  }

 private:
  unsigned size_;  // 0: the block
  unsigned mask_;
};

template <unsigned Size, class Parent>
WARPGRADE_DEVICE thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
  return thread_block_tile<Size, Parent>(detail::new_tile{});
}
/// @param size  a power of two, at most 32
template <class Parent>
WARPGRADE_DEVICE thread_group tiled_partition(const Parent&, unsigned size) {
  if (size >= 32) return coalesced_group(0xffffffffu);
  return coalesced_group(((1u << size) - 1) << (detail::lane() & ~(size - 1)));
}
/// @param group  coalesced threads, too: neighbours by rank
WARPGRADE_DEVICE coalesced_group tiled_partition(const coalesced_group& group, unsigned size) {
  const unsigned tile = group.thread_rank() / size;
  unsigned lanes = 0;
  for (unsigned rest = group.lanes(), rank = 0; rest != 0; rest &= rest - 1, ++rank) {
    if (rank / size == tile) lanes |= rest & (0 - rest);
  }
  return coalesced_group(lanes);
}
/// The threads of `group` (of one warp) with the same label.
template <class Group, class Label>
WARPGRADE_DEVICE coalesced_group labeled_partition(const Group& group, Label label) {
  return coalesced_group(__match_any_sync(group.lanes(), label));
}
template <class Group>
WARPGRADE_DEVICE coalesced_group binary_partition(const Group& group, bool predicate) {
  const unsigned with = __ballot_sync(group.lanes(), predicate);
  return coalesced_group(predicate ? with : group.lanes() & ~with);
}

template <class Group>
WARPGRADE_DEVICE void sync(const Group& group) {
  group.sync();
}

/// One thread of the group calls `call`; with _broadcast, all get its result.
template <class Group, class Call, class... A>
WARPGRADE_DEVICE void invoke_one(const Group& group, Call&& call, A&&... arguments) {
  if (group.thread_rank() == 0) call(arguments...);
}
template <class Group, class Call, class... A>
WARPGRADE_DEVICE auto invoke_one_broadcast(const Group& group, Call&& call, A&&... arguments)
    -> decltype(call(arguments...)) {
  decltype(call(arguments...)) result{};
  if (group.thread_rank() == 0) result = call(arguments...);
  return group.shfl(result, 0);
}

}  // namespace cooperative_groups

#endif
