#include "emulator/counters/counters.h"

namespace warpsim {

void Counts::operator+=(const Counts& other) {
  executed += other.executed;
  threads += other.threads;
  requests += other.requests;
  sectors += other.sectors;
  ideal_sectors += other.ideal_sectors;
  wavefronts += other.wavefronts;
  ideal_wavefronts += other.ideal_wavefronts;
  bytes += other.bytes;
  max_multiplicity += other.max_multiplicity;
  divergent += other.divergent;
}

}  // namespace warpsim
