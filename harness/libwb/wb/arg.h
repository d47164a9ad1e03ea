#pragma once

#include "base.h"

/// The command line: -i input,... -o output -e expected -t type.
struct st_wbArg_t {
  char* sessionId;
  int inputCount;
  char** inputFiles;
  char* outputFile;
  char* expectedOutput;
  char* type;
};
typedef struct st_wbArg_t wbArg_t;

#define wbArg_getInputCount(arg) ((arg).inputCount)
#define wbArg_getInputFiles(arg) ((arg).inputFiles)
#define wbArg_getOutputFile(arg) ((arg).outputFile)
#define wbArg_getSessionId(arg) ((arg).sessionId)
#define wbArg_getExpectedOutputFile(arg) ((arg).expectedOutput)
#define wbArg_getType(arg) ((arg).type)
#define wbArg_setOutputFile(arg, value) (wbArg_getOutputFile(arg) = value)
#define wbArg_setExpectedOutputFile(arg, value) (wbArg_getExpectedOutputFile(arg) = value)
#define wbArg_setType(arg, value) (wbArg_getType(arg) = value)

/// An input's file name. Ends the program with a message if there are fewer inputs.
inline char* wbArg_getInputFile(const wbArg_t& arg, int index) {
  if (index < 0 || index >= arg.inputCount) {
    wb_detail::give_up(wbString("input file ", index, " is asked for, and the command line names ",
                                arg.inputCount, "; write -i file0,file1,..."));
  }
  return arg.inputFiles[index];
}

inline wbArg_t wbArg_read(int argc, char** argv) {
  wbArg_t arg = {NULL, 0, NULL, NULL, NULL, NULL};
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.size() < 2 || word[0] != '-' || !strchr("ioets", word[1])) {
      fprintf(stderr, "wb: '%s' is not an option; known: -i -o -e -t\n", argv[i]);
      continue;
    }
    // Both -o file and -ofile.
    std::string value = word.substr(2);
    if (value.empty()) {
      if (i + 1 == argc) wb_detail::give_up("option " + word + " needs a value");
      value = argv[++i];
    }
    switch (word[1]) {
      case 'i': {
        std::vector<std::string> names;
        std::stringstream list(value);
        for (std::string name; std::getline(list, name, ',');) {
          if (!name.empty()) names.push_back(name);
        }
        arg.inputCount = static_cast<int>(names.size());
        arg.inputFiles = static_cast<char**>(calloc(names.size() + 1, sizeof(char*)));
        for (size_t k = 0; k < names.size(); ++k) arg.inputFiles[k] = wb_detail::copied(names[k]);
        break;
      }
      case 'o':
        arg.outputFile = wb_detail::copied(value);
        break;
      case 'e':
        arg.expectedOutput = wb_detail::copied(value);
        break;
      case 't':
        arg.type = wb_detail::copied(value);
        break;
      default:
        arg.sessionId = wb_detail::copied(value);
    }
  }
  return arg;
}

inline void wbArg_delete(wbArg_t arg) {
  for (int i = 0; i < arg.inputCount; ++i) free(arg.inputFiles[i]);
  free(arg.inputFiles);
  free(arg.outputFile);
  free(arg.expectedOutput);
  free(arg.type);
  free(arg.sessionId);
}
