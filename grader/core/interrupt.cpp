#include "grader/core/interrupt.h"

#include <csignal>

#include "grader/core/error.h"

namespace warpgrade {
namespace {

volatile std::sig_atomic_t g_interrupted = 0;

void on_signal(int) {
  g_interrupted = 1;
}

}  // namespace

void install_interrupt_handlers() {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // the second one has the default effect
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // A closed pipe (`warpgrade labs | head`) is an error of that write and must not end the program.
  std::signal(SIGPIPE, SIG_IGN);
}

bool interrupted() noexcept {
  return g_interrupted != 0;
}

void stop_if_interrupted() {
  if (interrupted()) {
    throw Interrupted();
  }
}

}  // namespace warpgrade
