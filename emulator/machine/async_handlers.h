#pragma once

#include <cstdint>

#include "emulator/isa/warp.h"

// Handlers of asynchronous instructions. They work lane by lane, so that one copy of them does for
// all SIMD levels. Inst::extra is the instruction's AsyncOperands.

namespace warpsim {

// -- cp.async; Inst::width is the size of the copy ------------------------------------------------
const Inst* copy_async(Warp& warp, const Inst& in);
const Inst* commit_copies(Warp& warp, const Inst& in);
/// Inst::imm: groups that may stay in flight.
const Inst* wait_copies(Warp& warp, const Inst& in);
const Inst* wait_all_copies(Warp& warp, const Inst& in);
/// cp.async.mbarrier.arrive; Inst::aux is 1 for .noinc.
const Inst* arrive_after_copies(Warp& warp, const Inst& in);

// -- cp.async.bulk, cp.reduce.async.bulk ----------------------------------------------------------
enum BulkFlags : std::uint8_t {
  kBulkToShared = 1,
  kBulkFromShared = 2,
};
/// Inst::aux: BulkFlags; aux2: BulkReduction | BulkType << 4.
const Inst* copy_bulk(Warp& warp, const Inst& in);
const Inst* prefetch_bulk(Warp& warp, const Inst& in);
const Inst* commit_bulk(Warp& warp, const Inst& in);
/// Inst::imm: groups that may stay in flight.
const Inst* wait_bulk(Warp& warp, const Inst& in);
/// st.async: Inst::aux elements of Inst::width bytes in the slots d, b, c and d2.
const Inst* store_async(Warp& warp, const Inst& in);

/// fence.proxy.async.
const Inst* fence_proxy(Warp& warp, const Inst& in);

// -- mbarrier -------------------------------------------------------------------------------------
const Inst* mbarrier_init(Warp& warp, const Inst& in);
const Inst* mbarrier_invalidate(Warp& warp, const Inst& in);
enum ArriveFlags : std::uint8_t {
  kArriveDrop = 1,
  kArriveNoComplete = 2,
  kArriveExpect = 4,  // AsyncOperands::size counts bytes, not arrivals
};
/// Inst::aux: ArriveFlags; Inst::d: the state, or -1.
const Inst* mbarrier_arrive(Warp& warp, const Inst& in);
/// expect_tx; complete_tx when Inst::aux is 1.
const Inst* mbarrier_transaction(Warp& warp, const Inst& in);
/// test_wait and try_wait. Inst::a: state or parity (aux 1).
const Inst* mbarrier_wait(Warp& warp, const Inst& in);
const Inst* mbarrier_pending_count(Warp& warp, const Inst& in);

// -- clusters -------------------------------------------------------------------------------------
const Inst* cluster_arrive(Warp& warp, const Inst& in);
const Inst* cluster_wait(Warp& warp, const Inst& in);

}  // namespace warpsim
