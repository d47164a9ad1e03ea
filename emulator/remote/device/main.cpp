#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "emulator/cudart/runtime.h"
#include "emulator/remote/device/session.h"
#include "emulator/remote/protocol.h"

// The device process: the emulated device, with all of its state, for one program in another
// process. Its settings come from the environment, as those of the library do (report/settings.h).

namespace {

/// For a program of the other CUDA version, executes the device program of that version, which is
/// in the same folder.
void become_other_version(char** argv, int socket) {
  warpsim::remote::Greeting greeting;
  if (::recv(socket, &greeting, sizeof greeting, MSG_PEEK) != sizeof greeting) return;
  if (greeting.cuda_version == WARPSIM_CUDA_MAJOR) return;
  if (greeting.cuda_version != 12 && greeting.cuda_version != 13) return;
  std::string file = argv[0];
  file.replace(file.size() - 2, 2, std::to_string(greeting.cuda_version));
  ::execv(file.c_str(), argv);
}

}  // namespace

int main(int argc, char** argv) {
  int socket = -1;
  std::string program;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--socket") == 0) socket = std::atoi(argv[i + 1]);
    if (std::strcmp(argv[i], "--program") == 0) program = argv[i + 1];
  }
  if (socket < 0) {
    std::fputs(
        "usage: warpsim-device --socket <descriptor> [--program <file>]\n"
        "Serves one program that was started with WARPSIM_DEVICE=<its end of the socket>.\n",
        stderr);
    return 2;
  }
  become_other_version(argv, socket);
  (void)warpsim::cudart::process_settings();
  warpsim::remote::Session session(socket, program);
  session.run();
}
