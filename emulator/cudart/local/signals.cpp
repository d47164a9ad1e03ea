#include "emulator/cudart/local/signals.h"

#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace warpsim::cudart {
namespace {

constexpr std::array kFatal = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTERM, SIGINT};

FaultHooks hooks;
std::array<struct sigaction, kFatal.size()> previous;
// A stack overflow leaves no room for the report on the stack that overflowed.
alignas(64) std::array<std::byte, 512 * 1024> spare_stack;

const void* faulting_instruction(const void* context) {
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return reinterpret_cast<const void*>(registers.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return reinterpret_cast<const void*>(registers.pc);
#else
#error "say where the program counter is on this processor"
#endif
}

/// Whether the access that faulted was a write.
bool is_write(const void* context) {
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  constexpr greg_t kWriteFault = 2;
  return (registers.gregs[REG_ERR] & kWriteFault) != 0;
#else
  const auto* record = reinterpret_cast<const _aarch64_ctx*>(registers.__reserved);
  while (record->magic != 0 && record->magic != ESR_MAGIC) {
    record = reinterpret_cast<const _aarch64_ctx*>(reinterpret_cast<const std::byte*>(record) +
                                                   record->size);
  }
  constexpr std::uint64_t kWriteNotRead = 1u << 6;
  return record->magic == ESR_MAGIC &&
         (reinterpret_cast<const esr_context*>(record)->esr & kWriteNotRead) != 0;
#endif
}

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
      hooks.goes_on(address, is_write(context), stack)) {
    errno = error;
    return;
  }
  // Who sends a signal twice, as `timeout` does to a process and its group, wants no other end.
  static std::atomic<bool> dying = false;
  if (signal == SIGTERM && dying) return;
  // Restored first: should anything below fail, the process dies at once instead of looping.
  if (signal != SIGTERM) restore(signal);
  if (!dying.exchange(true)) {
    // The report needs memory, and the signal may have come in the middle of malloc: rather than
    // wait for ever, the process dies of the alarm.
    constexpr unsigned kPatienceSeconds = 20;
    ::signal(SIGALRM, SIG_DFL);
    ::alarm(kPatienceSeconds);
    if (signal == SIGSEGV && info->si_code > 0) hooks.report_access(address, stack);
    hooks.last_words();
    ::alarm(0);
    restore(signal);
  }
  // A fault happens again when the instruction is repeated; a signal that was sent does not.
  if (info->si_code <= 0 || signal == SIGABRT) ::raise(signal);
}

}  // namespace

bool catches_faults() {
  struct sigaction action = {};
  return ::sigaction(SIGSEGV, nullptr, &action) == 0 && action.sa_sigaction == on_fatal_signal;
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
    // What the parent told the process to ignore, as nohup does, stays ignored.
    if (previous[i].sa_handler != SIG_IGN) ::sigaction(kFatal[i], &action, nullptr);
  }
}

}  // namespace warpsim::cudart
