#include "emulator/cudart/error_state.h"

#include <utility>

#include "emulator/cudart/current_device.h"

namespace warpsim::cudart {
namespace {

thread_local cudaError_t last_error = cudaSuccess;

}  // namespace

void ErrorState::record(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
}

cudaError_t ErrorState::peek() const {
  return last_error;
}

cudaError_t ErrorState::take() {
  return std::exchange(last_error, cudaSuccess);
}

void ErrorState::set_fault(cudaError_t fault) {
  if (fault_ == cudaSuccess) fault_ = fault;
  if (maker_) maker_->certain = true;
  blame_maker();
}

cudaError_t ErrorState::noticed_fault() const {
  if (unavailable_.contains(current_device())) return cudaErrorDevicesUnavailable;
  return noticed_ ? fault_ : cudaSuccess;
}

void ErrorState::reset() {
  last_error = cudaSuccess;
  if (faulted()) unavailable_.insert(current_device());
}

void ErrorState::blame_maker() {
  if (maker_ && !unchecked_) unchecked_ = std::move(maker_);
  maker_.reset();
}

void ErrorState::note_failure(Failure failure) {
  if (failure.by_launch) {
    // The first one is the cause; later failures are usually consequences.
    if (!unchecked_) unchecked_ = std::move(failure);
    return;
  }
  if (maker_ && maker_->spoils_capture && failure.ends_capture) return;
  if (maker_) {
    blame_maker();
  } else if (failure.makes || failure.spoils_capture) {
    maker_ = std::move(failure);
  }
}

void ErrorState::looked() {
  if (unchecked_ && !unchecked_->certain) unchecked_.reset();
  maker_.reset();
}

}  // namespace warpsim::cudart
