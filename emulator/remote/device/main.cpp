#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "emulator/cudart/runtime.h"
#include "emulator/remote/device/session.h"

// The device process: the emulated device, with all that it knows, for one program in another
// process. Its settings come from the environment, as those of the library do (report/settings.h).

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
  (void)warpsim::cudart::process_settings();
  warpsim::remote::Session session(socket, program);
  session.run();
}
