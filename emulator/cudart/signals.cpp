#include "emulator/cudart/signals.h"

#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "emulator/checkers/host_findings.h"
#include "emulator/cudart/runtime.h"

namespace warpsim::cudart {
namespace {

constexpr std::array kFatal = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTERM, SIGINT};

void (*before_death)() = nullptr;
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

void report_host_access(const siginfo_t& info, const void* context) {
  Runtime* runtime = Runtime::existing();
  if (runtime == nullptr) return;
  const auto address = reinterpret_cast<std::uint64_t>(info.si_addr);
  if (!runtime->memory.in_device_range(address)) return;
  const CallSite site = resolve_fault(faulting_instruction(context));
  runtime->report(host_access(site, address, runtime->memory.nearest(address)));
}

void restore(int signal) {
  for (std::size_t i = 0; i < kFatal.size(); ++i) {
    if (kFatal[i] == signal) ::sigaction(signal, &previous[i], nullptr);
  }
}

void on_fatal_signal(int signal, siginfo_t* info, void* context) {
  // Restored first: should anything below fail, the process dies at once instead of looping.
  restore(signal);
  static std::atomic<bool> dying = false;
  if (!dying.exchange(true)) {
    // The report needs memory, and the signal may have come in the middle of malloc: rather than
    // wait for ever, the process dies of the alarm.
    constexpr unsigned kPatienceSeconds = 20;
    ::signal(SIGALRM, SIG_DFL);
    ::alarm(kPatienceSeconds);
    if (signal == SIGSEGV && info->si_code > 0) report_host_access(*info, context);
    before_death();
    ::alarm(0);
  }
  // A fault happens again when the instruction is repeated; a signal that was sent does not.
  if (info->si_code <= 0 || signal == SIGABRT) ::raise(signal);
}

}  // namespace

void watch_signals(void (*last_words)()) {
  before_death = last_words;
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
