#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "emulator/isa/inst.h"
#include "emulator/isa/lane_shape.h"
#include "emulator/machine/observer_slots.h"
#include "emulator/ptx/type.h"

// What the machine tells whoever watches it. Which observers follow a launch is decided once,
// before it runs (LaunchState::observers); the machine knows none of them.

namespace warpsim {

class FindingLog;
struct BlockContext;
struct CheckOptions;
struct Cluster;
struct CopyBatch;
struct Fault;
struct Frame;
struct LaunchRequest;
struct LaunchResult;
struct LaunchState;
struct Located;
struct ParameterPlace;
struct Program;
struct ProgramTables;
struct WarpContext;

enum class AccessType : std::uint8_t { load, store, atomic };

/// What the lanes of a warp store, as registers: up to four elements of equal size per lane.
struct StoredValues {
  const std::byte* registers[4] = {};  // 32 lanes of `register_bytes` each
  std::uint32_t count = 0;  // elements
  std::uint32_t register_bytes = 0;
  std::uint32_t element_bytes = 0;

  /// One byte of what a lane stores.
  [[nodiscard]] std::byte byte(std::size_t lane, std::size_t index) const {
    return registers[index / element_bytes][lane * register_bytes + index % element_bytes];
  }
};

/// Lanes of a warp are about to access memory of one space: alignment and bounds are checked, and
/// the bytes still hold what was there.
struct MemoryAccess {
  const Inst& in;
  ptx::Space space = ptx::Space::global;  // global or shared
  AccessType type = AccessType::load;
  std::uint32_t width = 0;  // bytes per lane
  std::uint32_t lanes = 0;  // not none
  /// 32 of them, of which those of `lanes` count: device addresses; in shared memory offsets, which
  /// may name a block of the cluster (kClusterStride). Null where the lanes have a shape.
  const std::uint64_t* addresses = nullptr;
  const LaneShape* shape = nullptr;
  std::uint64_t first = 0;  // of lanes that have a shape: the first one's address
  const StoredValues* values = nullptr;  // of a store, where they are known

  /// Fills in 32 addresses. @tparam Address  wide enough for those of the space
  template <class Address>
  void spread(Address* to) const {
    for (std::size_t i = 0; i < kWarpSize; ++i) {
      to[i] = addresses != nullptr
                  ? static_cast<Address>(addresses[i])
                  : static_cast<Address>(first) +
                        static_cast<Address>(static_cast<std::int32_t>(shape->relative[i]));
    }
  }
};

/// Loads that a warp makes one after the other with nothing between them that an observer is told
/// of: part of a run of instructions with native code. One host thread has it, during one launch.
struct LoadSeries {
  struct Load {
    const Inst* in = nullptr;
    ptx::Space space = ptx::Space::global;  // global or shared
    std::uint32_t start = 0;  // index into `starts`
    const LaneShape* shape = nullptr;  // of a whole warp; lives as long as the series
  };
  std::vector<Load> loads;  // not none
  /// Of this execution: addresses of the first lane, without an instruction's offset.
  const std::uint64_t* starts = nullptr;
  ObserverSlots slots;

  /// Where the first lane of a load is, as in MemoryAccess.
  [[nodiscard]] std::uint64_t first(const Load& load) const {
    const std::uint64_t address = starts[load.start] + static_cast<std::uint64_t>(load.in->offset);
    return load.space == ptx::Space::shared ? static_cast<std::uint32_t>(address) : address;
  }
};

/// What of a launch an observer is told.
enum class Follows : std::uint8_t {
  nothing,  // but for faults
  events,  // what happens, but for accesses to memory
  accesses,  // all
};

/// Whoever watches the machine: a checker, for as long as the machine lives, or a debugger. All of
/// these do nothing by default. What an observer keeps with a launch, a block, ... is in their
/// ObserverSlots.
///
/// Where blocks run on several host threads, these are called by each of them.
class Observer {
 public:
  Observer() = default;
  virtual ~Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

  // -- launches -----------------------------------------------------------------------------------

  /// A launch is about to run. @returns what of it the observer wants to be told
  [[nodiscard]] virtual Follows begin_launch(LaunchState&) { return Follows::nothing; }
  /// Whether the launch has to run on one host thread.
  [[nodiscard]] virtual bool needs_one_thread(const LaunchState&) const { return false; }
  /// All blocks have ended.
  virtual void end_launch(LaunchState&) {}
  /// After that, of a launch that the observer follows: adds what it knows to the result.
  virtual void add_results(const LaunchState&, const LaunchRequest&, LaunchResult&) {}
  /// A copy reads device memory, [begin, end).
  virtual void read_by_copy(std::uint64_t /*begin*/, std::uint64_t /*end*/) {}
  /// The program ends, and nothing will be read any more: logs what only that tells.
  virtual void finish(FindingLog&) {}

  /// Code made a mistake, in a launch that the observer follows or another one.
  virtual void fault(const Fault&) {}

  // -- accesses -----------------------------------------------------------------------------------

  virtual void access(WarpContext&, const MemoryAccess&) {}
  /// A load, and a store of known values, of lanes that have a shape. Most accesses are such, and
  /// come as arguments, without a MemoryAccess; by default these make one.
  /// @param space, first  as in MemoryAccess
  virtual void load(WarpContext& context, const Inst& in, ptx::Space space, std::uint64_t first,
                    const LaneShape& shape);
  virtual void store(WarpContext& context, const Inst& in, ptx::Space space, std::uint64_t first,
                     const LaneShape& shape, const StoredValues& values);
  /// The first `count` loads of a series, which have just happened. By default, as if each was
  /// told by load().
  virtual void loads(WarpContext& context, LoadSeries& series, std::size_t count);
  /// Bytes that copy engines or functions of the system read or write for the warp.
  /// @param address  generic
  virtual void transfer(WarpContext&, const Inst&, std::uint64_t /*address*/,
                        std::uint64_t /*bytes*/, AccessType) {}
  /// The active lanes execute membar or fence.
  virtual void fence(WarpContext&, const Inst&) {}

  // -- blocks and their barriers ------------------------------------------------------------------

  /// A host thread is about to execute a program for the first time in the launch.
  virtual void make_tables(ProgramTables&, const Program&) {}
  /// A block is about to run; it has ended, or stopped.
  virtual void start_block(BlockContext&) {}
  virtual void finish_block(BlockContext&) {}
  /// Threads arrive at a barrier of a part of the block.
  virtual void arrive(WarpContext&, std::uint32_t /*id*/) {}
  /// A barrier is complete. @param whole  it was one of all threads that live
  virtual void complete(BlockContext&, std::uint32_t /*id*/, bool /*whole*/) {}
  /// The lanes in `members` met at a `.sync` instruction of their warp.
  virtual void meet(WarpContext&, std::uint32_t /*members*/) {}

  // -- asynchronous copies ------------------------------------------------------------------------
  //
  // Their bytes may move at any time between the instruction and the wait for it.

  /// Lanes issue cp.async. @param to  32 offsets in shared memory  @param from  32 global addresses
  /// @param reading  lanes that read the source; the others write zeros
  virtual void copy(WarpContext&, const Inst&, const std::uint64_t* /*to*/,
                    const std::uint64_t* /*from*/, std::uint32_t /*lanes*/,
                    std::uint32_t /*reading*/, std::uint32_t /*width*/) {}
  /// Lanes have waited for their part of it.
  virtual void copy_landed(WarpContext&, const CopyBatch&, std::uint32_t /*lanes*/) {}
  /// A lane is about to issue a bulk copy: what follows is a moment of its own.
  virtual void bulk_begin(WarpContext&) {}
  /// One side of it. @param start  generic
  virtual void bulk(WarpContext&, const Inst&, std::size_t /*lane*/, std::uint64_t /*start*/,
                    std::uint32_t /*bytes*/, AccessType) {}
  /// It is issued. Fills in what it brings to threads that wait for it.
  /// @param here  in the block that issued it: what its thread did until then, too
  /// @param elsewhere  in another block: the copy itself, as its completion releases nothing
  virtual void bulk_issued(WarpContext&, std::size_t /*lane*/, ObserverSlots& /*here*/,
                           ObserverSlots& /*elsewhere*/) {}

  /// The active lanes execute fence.proxy.async.
  virtual void proxy_fence(WarpContext&) {}
  /// Bytes of the block's own shared memory that an asynchronous operation of a lane reads: a bulk
  /// copy, or wgmma.
  virtual void proxy_read(WarpContext&, const Inst&, std::size_t /*lane*/, std::uint32_t /*offset*/,
                          std::uint32_t /*bytes*/) {}

  // -- mbarriers ----------------------------------------------------------------------------------

  /// Lanes are about to arrive. Fills in what they have done until now, for threads that wait.
  virtual void release(WarpContext&, std::uint32_t /*lanes*/, ObserverSlots& /*brought*/) {}
  /// An mbarrier of the block begins; what was deferred for it arrives, or a thread with `in`, of
  /// this block or another; its phase completes; a warp has waited for that.
  virtual void mbarrier_init(BlockContext&, std::uint32_t /*offset*/) {}
  virtual void mbarrier_arrive(BlockContext&, std::uint32_t /*offset*/,
                               const ObserverSlots& /*brought*/) {}
  virtual void mbarrier_arrive_by(WarpContext&, const Inst&, BlockContext& /*owner*/,
                                  std::uint32_t /*offset*/, const ObserverSlots& /*brought*/) {}
  virtual void mbarrier_complete(BlockContext&, std::uint32_t /*offset*/) {}
  virtual void mbarrier_wait(WarpContext&, BlockContext& /*owner*/, std::uint32_t /*offset*/) {}
  /// In a cluster of several blocks: lanes use an mbarrier, perhaps of another block, which must be
  /// there to be used.
  virtual void mbarrier_use(WarpContext&, const Inst&, const BlockContext& /*owner*/,
                            std::uint32_t /*offset*/, std::uint32_t /*lanes*/) {}

  // -- clusters -----------------------------------------------------------------------------------

  /// The blocks of a cluster of several have started; all blocks of one have ended or stopped,
  /// which comes after finish_block.
  virtual void start_cluster(Cluster&) {}
  virtual void finish_cluster(Cluster&) {}
  /// The active lanes arrive at the cluster's barrier with `in`, everybody has, and lanes have
  /// waited for that. @param waits_next  they do nothing before they wait
  virtual void cluster_arrive(WarpContext&, const Inst&, bool /*waits_next*/) {}
  virtual void cluster_complete(Cluster&) {}
  virtual void cluster_wait(WarpContext&) {}
  /// Lanes end. The cluster's barrier does not wait for them any more.
  virtual void cluster_leave(WarpContext&, std::uint32_t /*lanes*/) {}

  // -- values -------------------------------------------------------------------------------------

  /// Lanes load bytes that are not initialized. @param at  the places; their shadow says which
  /// bytes
  /// @returns true when the observer sees to it; else that is a fault
  [[nodiscard]] virtual bool load_uninitialized(WarpContext&, const Inst&, const Located& /*at*/,
                                                std::uint32_t /*lanes*/, ptx::Space) {
    return false;
  }
  /// The sources of a shuffle's lanes take no part in it. @param source  by lane, the lane it reads
  virtual void shuffle_undefined(WarpContext&, const Inst&, std::uint32_t /*lanes*/,
                                 const std::uint32_t* /*source*/) {}

  // To a warp's follower (WarpContext::follower) only. It runs the warp while kFollowed is set in
  // WarpContext::slow.

  /// Runs the warp from `pc` as the normal loop would. @returns where to go on, with Warp::stop
  /// set, or kStop
  [[nodiscard]] virtual const Inst* run(WarpContext& context, const Inst* pc);
  /// Executes one instruction. @returns where to go on
  [[nodiscard]] virtual const Inst* execute(WarpContext& context, const Inst& in);
  /// A new frame's registers hold nothing yet.
  virtual void enter_frame(WarpContext&, const Frame&, std::uint32_t /*lanes*/) {}
  /// `bytes` of local memory were copied to another place (call parameters).
  virtual void copy_local(WarpContext&, std::uint32_t /*lanes*/, std::uint32_t /*to*/,
                          std::uint32_t /*from*/, std::uint32_t /*bytes*/) {}
  /// The emulator wrote bytes of a lane's local memory.
  virtual void set_result(WarpContext&, int /*lane*/, std::uint32_t /*offset*/,
                          std::uint32_t /*bytes*/) {}
  /// A lane's result of a call is computed from an argument.
  virtual void compute_result(WarpContext&, int /*lane*/, const ParameterPlace& /*result*/,
                              const ParameterPlace& /*argument*/) {}
  /// A function of the system got these bytes of memory as an argument.
  virtual void use_argument(WarpContext&, const Inst&, int /*lane*/, std::uint64_t /*address*/,
                            std::size_t /*bytes*/) {}
};

/// A checker of the list that a machine is made with.
struct CheckerEntry {
  std::string_view name;  // of `--check`
  /// What switches it on; null: only its name does, which `all` does not stand for.
  bool CheckOptions::*option = nullptr;
  bool always = false;  // it is on whatever the option says
  std::unique_ptr<Observer> (*make)() = nullptr;
};

/// Whether the options switch on the i-th entry of a list.
[[nodiscard]] bool is_on(const CheckOptions& options, std::span<const CheckerEntry> list,
                         std::size_t i);

}  // namespace warpsim
