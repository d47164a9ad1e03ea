#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

// The debug adapter: a server of the Debug Adapter Protocol over a pair of file descriptors. It
// starts the program and passes on what the session in the program's process answers (session.h);
// it stays when that process ends or crashes.

namespace warpsim::debug {

/// What to run, from the client's `launch` request.
struct DebuggedProgram {
  std::vector<std::string> command;  // the program and its arguments
  std::string folder;  // working directory; empty: this process's
  std::vector<std::pair<std::string, std::string>> environment;  // added
};

/// In a child process: becomes the program. Returns only when it cannot, with the reason.
/// @param socket  the session's end, to be named to the runtime library
using Become = std::function<std::string(const DebuggedProgram& program, int socket)>;
/// Writes to the client's console.
using Says = std::function<void(const std::string& text)>;
/// Makes a program ready before a process is started for it: checks it, builds it, completes what
/// `launch` left out. @returns what is wrong, one sentence, or nothing
using Prepare = std::function<std::string(DebuggedProgram& program, const Says& says)>;

/// Serves one client until it disconnects or goes away.
/// @param command  what `launch` runs when it names no program
/// @returns an exit code
int serve(int in, int out, const std::vector<std::string>& command, const Prepare& prepare,
          const Become& become);

}  // namespace warpsim::debug
