#pragma once

#include <memory>

#include "emulator/machine/faults.h"
#include "emulator/machine/observer.h"

// The findings of what a card would have stopped at, or gone on from with a wrong value: one
// function for each structure of machine/faults.h.

namespace warpsim {

[[nodiscard]] std::unique_ptr<Observer> make_fault_checker();

// kernel.cpp
void report(const faults::Trap& fault);
void report(const faults::StackOverflow& fault);
void report(const faults::UnresolvedCall& fault);
void report(const faults::BadCall& fault);
void report(const faults::ExitBeforeBarrier& fault);
void report(const faults::BarrierMismatch& fault);
// memory.cpp
void report(const faults::BadGlobal& fault);
void report(const faults::BadShared& fault);
void report(const faults::BadLocal& fault);
void report(const faults::Misaligned& fault);
void report(const faults::WriteToConstant& fault);
// sync.cpp
void report(const faults::NotInMask& fault);
void report(const faults::MissingLanes& fault);
void report(const faults::ActiveMask& fault);
// deadlock.cpp
void report(const faults::Endless& fault);
void report(const faults::Deadlock& fault);
// async.cpp
void report(const faults::ReadInFlight& fault);
void report(const faults::CopiesOverlap& fault);
void report(const faults::CopyOverwritten& fault);
void report(const faults::CopyAfterExit& fault);
void report(const faults::SourceChanged& fault);
// checkers/uninitialized/report.cpp
void report(const faults::Uninitialized& fault);

}  // namespace warpsim
