#pragma once

#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "base.h"

// For dataset generators.

template <class First, class Second>
inline char* wbPath_join(const First& first, const Second& second) {
  const std::string left = wbString(first);
  return wb_detail::copied(left + (left.empty() || left.back() == '/' ? "" : "/") +
                           wbString(second));
}
template <class First, class Second, class... More>
inline char* wbPath_join(const First& first, const Second& second, const More&... more) {
  char* left = wbPath_join(first, second);
  char* whole = wbPath_join(left, more...);
  free(left);
  return whole;
}

inline char* wbDirectory_current() {
  char buffer[4096];
  if (!getcwd(buffer, sizeof buffer)) wb_detail::give_up("the current folder has no name");
  return wb_detail::copied(buffer);
}

inline char* wbDirectory_name(const char* path) {
  const std::string text = path;
  const size_t slash = text.rfind('/');
  return wb_detail::copied(slash == std::string::npos ? text : text.substr(0, slash));
}

/// Creates a folder and those around it.
inline const char* wbDirectory_create(const char* path) {
  const std::string text = path;
  for (size_t slash = text.find('/', 1); slash != std::string::npos;
       slash = text.find('/', slash + 1)) {
    (void)mkdir(text.substr(0, slash).c_str(), 0755);
  }
  (void)mkdir(path, 0755);
  return path;
}

inline wbBool wbFile_existsQ(const char* path) {
  struct stat entry;
  return path && stat(path, &entry) == 0;
}

inline char* wbFile_extension(const char* file) {
  return wb_detail::copied(wb_detail::extension(file));
}

// Older names of the same functions.
inline char* DirectoryName(const char* path) {
  return wbDirectory_name(path);
}
inline void CreateDirectory(const char* path) {
  (void)wbDirectory_create(path);
}
inline char* CurrentDirectory() {
  return wbDirectory_current();
}
