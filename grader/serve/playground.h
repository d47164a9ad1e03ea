#pragma once

#include <string>
#include <vector>

#include "grader/serve/lab_files.h"
#include "grader/serve/store/store.h"
#include "harness/lab/lab.h"

// The playground: any CUDA program on a page like a lab's. In the database and in addresses it is a
// lab with this id.

namespace warpgrade {

inline constexpr const char* kPlayground = "playground";

/// What the pages and routes of labs need to know of it. It is not among the labs of a server.
[[nodiscard]] Lab playground_lab();

[[nodiscard]] bool is_playground(const Lab& lab);

/// Its files: a program to begin with, the words of its command line, its standard input.
[[nodiscard]] std::vector<LabFile> playground_files();

/// How a set of these files is run.
struct PlaygroundRun {
  std::string program;  // the name of the .cu file
  std::vector<std::string> arguments;
  std::string input;  // the name of the file with its standard input; empty: it has none
};
[[nodiscard]] PlaygroundRun playground_run(const FileSet& files);

/// The words of a command line, which are separated by white space; double quotes keep it.
[[nodiscard]] std::vector<std::string> words_of(const std::string& line);

}  // namespace warpgrade
