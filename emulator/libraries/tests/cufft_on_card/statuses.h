#pragma once

namespace cufft_on_card {

/// Calls that may be refused: a line each with the status.
void record_statuses();

}  // namespace cufft_on_card
