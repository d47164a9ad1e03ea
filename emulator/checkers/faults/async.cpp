#include <fmt/format.h>

#include <bit>

#include "emulator/checkers/faults/faults.h"
#include "emulator/machine/async.h"

// Findings about asynchronous copies and mbarriers.

namespace warpsim {
namespace {

std::string describe_copy(const AsyncSite& site) {
  return fmt::format("the copy at {} by {}", describe_place(*site.program, *site.in),
                     describe_thread(*site.warp, std::countr_zero(site.lanes)));
}

/// A copy under way.
struct UnderWay {
  const AsyncSite* site = nullptr;
  const Deferred* bulk = nullptr;  // null for cp.async
};

/// The copy under way to a byte of the block's shared memory, if there is one.
UnderWay copy_to(const BlockContext& block, std::uint32_t offset) {
  if (block.async == nullptr) return {};
  for (const WarpAsync& warp : block.async->warps) {
    for (const CopyBatch& batch : warp.batches) {
      for (std::uint32_t rest = batch.lanes; rest != 0; rest &= rest - 1) {
        const std::uint32_t to = batch.to[static_cast<std::size_t>(std::countr_zero(rest))];
        if (offset >= to && offset < to + batch.width) return {&batch.site, nullptr};
      }
    }
  }
  for (const Deferred& next : block.async->deferred) {
    if (next.copy == nullptr) continue;
    const auto to = static_cast<std::uint32_t>(next.copy->to - block.shared.data());
    if (offset >= to && offset < to + next.copy->bytes) return {&next.copy->site, &next};
  }
  return {};
}

/// Whether the phase in which a copy was issued is complete without the copy.
bool is_left_behind(const BlockContext& block, const Deferred& copy) {
  const auto barrier = block.async->mbarriers.find(copy.barrier);
  return barrier != block.async->mbarriers.end() && barrier->second.phases > copy.phase;
}

/// Whether the finding is only counted, without its text: a pipeline may make it in each of its
/// steps.
bool is_repeated(const WarpContext& context, const Inst& in, std::uint64_t executed,
                 const Finding& f) {
  return !comes_first(context, in, f.kind, executed) && f.line != 0;
}

}  // namespace

void report(const faults::ReadInFlight& fault) {
  const auto& [context, in, lanes, width, block, first] = fault;
  Finding f = finding_at(context, in, lanes, FindingKind::async_copy_in_flight);
  if (is_repeated(context, in, context.executed, f)) return log(context, std::move(f));
  f.message =
      fmt::format("{}-byte read of shared memory that an asynchronous copy is still writing: {}",
                  width, shared_name(*context.block->launch, first));
  const auto [copy, bulk] = copy_to(block, first);
  f.got = copy == nullptr ? std::string("the copy is not complete")
                          : describe_copy(*copy) + " is not complete";
  if (bulk != nullptr && is_left_behind(block, *bulk)) {
    f.pitfall = "P80";
    f.got += fmt::format(
        ", and phase {} of the mbarrier {}, in which it was issued, has ended without its {} bytes",
        bulk->phase, shared_name(*context.block->launch, bulk->barrier), bulk->copy->bytes);
    f.want = "expect_tx announces the bytes of all copies of a phase";
    f.next = "Compare the bytes given to expect_tx with the sizes of the copies that follow it.";
    return log(context, std::move(f));
  }
  f.want = "the copying thread waits for its copy, and a barrier follows, before others read";
  f.next =
      "Wait with cp.async.wait_group (__pipeline_wait_prior, pipeline.consumer_wait) or on the "
      "copy's mbarrier, then __syncthreads(), before the first read.";
  log(context, std::move(f));
}

void report(const faults::CopiesOverlap& fault) {
  const auto& [block, offset, site] = fault;
  Finding f = finding_at(site, FindingKind::async_copy_overwritten);
  if (is_repeated(*site.warp, *site.in, site.executed, f)) return log(*site.warp, std::move(f));
  f.message = fmt::format("two asynchronous copies to the same shared memory are in flight: {}",
                          shared_name(*block.launch, offset));
  const AsyncSite* other = copy_to(block, offset).site;
  f.got = other == nullptr ? std::string("an earlier copy is not complete")
                           : describe_copy(*other) + " is not complete";
  f.want = "one copy at a time to a place";
  f.next =
      "Wait for the earlier copy before the next one to the same buffer, and let every thread "
      "copy other elements.";
  log(*site.warp, std::move(f));
}

void report(const faults::CopyOverwritten& fault) {
  const auto& [block, offset, site] = fault;
  Finding f = finding_at(site, FindingKind::async_copy_overwritten);
  if (is_repeated(*site.warp, *site.in, site.executed, f)) return log(*site.warp, std::move(f));
  f.message =
      fmt::format("the destination of an asynchronous copy was written while it was in flight: {}",
                  shared_name(*block.launch, offset));
  f.got = "a store to these bytes between the copy and the wait for it";
  f.want = "nobody touches the destination until the copy is complete";
  f.next = "Wait for the copy before other stores to the same buffer.";
  log(*site.warp, std::move(f));
}

void report(const faults::SourceChanged& fault) {
  const auto& [site, offset] = fault;
  Finding f = finding_at(site, FindingKind::async_copy_source);
  f.message = "the source of an asynchronous copy was changed while the copy was in flight";
  f.got =
      fmt::format("another value at byte {} of the source than when the copy was issued", offset);
  f.want = "a source that stays as it is until the copy is complete";
  f.next =
      "Wait for the copy (cp.async.bulk.wait_group.read for one from shared memory) before the "
      "buffer is used again.";
  log(*site.warp, std::move(f));
}

void report(const faults::CopyAfterExit& fault) {
  const auto& [block, site] = fault;
  Finding f = finding_at(site, FindingKind::async_copy_after_exit);
  f.message = "a block has ended while a bulk copy into its shared memory was in flight";
  f.got = fmt::format("block ({},{},{}) did not wait for the copy's mbarrier", block.id.x,
                      block.id.y, block.id.z);
  f.want = "a block that stays until all copies into its shared memory are complete";
  f.next = "Wait for the mbarrier of every copy before the kernel ends, even if nobody reads it.";
  log(*site.warp, std::move(f));
}

}  // namespace warpsim
