#include "emulator/cudart/local/signals.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>

#include "emulator/cudart/fault_access.h"

namespace warpsim::cudart {
namespace {

constexpr std::array kFatal = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTERM, SIGINT};

FaultHooks hooks;
std::atomic<std::uint64_t> passes_on = 0;  // a handler whose faults reach ours
std::array<struct sigaction, kFatal.size()> previous;
// After a stack overflow there is no room for the report on the thread's stack.
alignas(64) std::array<std::byte, 512 * 1024> spare_stack;

void restore(int signal) {
  for (std::size_t i = 0; i < kFatal.size(); ++i) {
    if (kFatal[i] == signal) ::sigaction(signal, &previous[i], nullptr);
  }
}

void on_fatal_signal(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
  const auto stack = [&] { return capture_fault(faulting_instruction(context)); };
  if (signal == SIGSEGV && info->si_code == SEGV_ACCERR &&
      hooks.goes_on(address, fault_is_write(context), stack)) {
    errno = error;
    return;
  }
  // A signal may arrive twice: `timeout` sends it to the process and to its group.
  static std::atomic<bool> dying = false;
  if (signal == SIGTERM && dying) return;
  // Restored first, so that a failure below ends the process instead of looping.
  if (signal != SIGTERM) restore(signal);
  if (!dying.exchange(true)) {
    // The report needs memory, and the signal may have interrupted malloc: the alarm ends a
    // deadlock.
    constexpr unsigned kPatienceSeconds = 20;
    ::signal(SIGALRM, SIG_DFL);
    ::alarm(kPatienceSeconds);
    if (signal == SIGSEGV && info->si_code > 0) hooks.report_access(address, stack);
    hooks.last_words();
    ::alarm(0);
    restore(signal);
  }
  // A fault recurs when the instruction is repeated; a signal that was sent does not.
  if (info->si_code <= 0 || signal == SIGABRT) ::raise(signal);
}

}  // namespace

bool catches_faults() {
  struct sigaction action = {};
  if (::sigaction(SIGSEGV, nullptr, &action) != 0) return false;
  return action.sa_sigaction == on_fatal_signal ||
         reinterpret_cast<std::uint64_t>(action.sa_sigaction) == passes_on;
}

void faults_come_through(std::uint64_t handler) {
  passes_on = handler;
}

void watch_signals(const FaultHooks& wanted) {
  hooks = wanted;
  stack_t stack = {};
  stack.ss_sp = spare_stack.data();
  stack.ss_size = spare_stack.size();
  ::sigaltstack(&stack, nullptr);
  struct sigaction action = {};
  action.sa_sigaction = on_fatal_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  ::sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < kFatal.size(); ++i) {
    ::sigaction(kFatal[i], nullptr, &previous[i]);
    // Signals ignored since the start, as by nohup, stay ignored.
    if (previous[i].sa_handler != SIG_IGN) ::sigaction(kFatal[i], &action, nullptr);
  }
}

}  // namespace warpsim::cudart
