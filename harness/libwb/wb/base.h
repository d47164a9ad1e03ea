#pragma once

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <iostream>
#include <sstream>
#include <string>
#include <vector>

// Programs use these names unqualified.
using std::string;
using std::stringstream;
using std::vector;

typedef bool wbBool;
typedef float wbReal_t;
typedef char wbChar_t;
#define wbTrue true
#define wbFalse false

typedef enum en_wbType_t {
  wbType_unknown = -1,
  wbType_ascii = 1,
  wbType_bit8,
  wbType_ubit8,
  wbType_integer,
  wbType_float,
  wbType_double
} wbType_t;
#define wbType_real wbType_float

#define wbLine __LINE__
#define wbFile __FILE__
#define wbFunction __func__
#define wbStmt(stmt) stmt

#define wbAssert(condition) assert(condition)
#define wbMalloc(size) malloc(size)
#define wbRealloc(pointer, size) realloc(pointer, size)
#define wbFree(pointer) free(pointer)
#define wbNew(type) (static_cast<type*>(calloc(1, sizeof(type))))
#define wbNewArray(type, count) (static_cast<type*>(calloc((count), sizeof(type))))
#define wbDelete(pointer) free(pointer)

/// Its arguments as one text: wbString("n = ", 3) is "n = 3".
inline std::string wbString() {
  return std::string();
}
template <class... Parts>
inline std::string wbString(const Parts&... parts) {
  std::ostringstream text;
  const int in_order[] = {0, ((void)(text << parts), 0)...};
  (void)in_order;
  return text.str();
}

namespace wb_detail {

/// A copy that the caller frees, as the C interface returns texts.
inline char* copied(const std::string& text) {
  char* copy = static_cast<char*>(malloc(text.size() + 1));
  memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

/// Ends the program: there is no result without the data.
[[noreturn]] inline void give_up(const std::string& message) {
  fflush(stdout);
  fprintf(stderr, "wb: %s\n", message.c_str());
  exit(1);
}

inline std::string lower(std::string text) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] >= 'A' && text[i] <= 'Z') text[i] = static_cast<char>(text[i] - 'A' + 'a');
  }
  return text;
}

/// "raw" of "0/input.raw"; empty if there is none.
inline std::string extension(const std::string& file) {
  const size_t dot = file.rfind('.');
  return dot == std::string::npos ? std::string() : lower(file.substr(dot + 1));
}

}  // namespace wb_detail

inline void wbExit() {
  wb_detail::give_up("wbExit was called");
}
