#pragma once

#include <chrono>

#include "base.h"

typedef enum en_wbLogLevel_t {
  wbLogLevel_unknown = -1,
  wbLogLevel_OFF = 0,
  wbLogLevel_FATAL,
  wbLogLevel_ERROR,
  wbLogLevel_WARN,
  wbLogLevel_INFO,
  wbLogLevel_DEBUG,
  wbLogLevel_TRACE
} wbLogLevel_t;

typedef enum en_wbTimerKind_t {
  wbTimerKind_Generic,
  wbTimerKind_IO,
  wbTimerKind_GPU,
  wbTimerKind_Copy,
  wbTimerKind_Driver,
  wbTimerKind_CopyAsync,
  wbTimerKind_Compute,
  wbTimerKind_CPUGPUOverlap
} wbTimerKind_t;

namespace wb_detail {

struct RunningTimer {
  wbTimerKind_t kind;
  std::string message;
  std::chrono::steady_clock::time_point start;
};

/// One for the whole program.
inline std::vector<RunningTimer>& timers() {
  static std::vector<RunningTimer> running;
  return running;
}

inline const char* file_name(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

}  // namespace wb_detail

inline void wbLogger_append(wbLogLevel_t level, const std::string& message, const char* file,
                            const char* function, int line) {
  static const char* const kNames[] = {"OFF", "FATAL", "ERROR", "WARN", "INFO", "DEBUG", "TRACE"};
  printf("%s %s:%d %s: %s\n", level >= 0 ? kNames[level] : "LOG", wb_detail::file_name(file), line,
         function, message.c_str());
}

inline void wbTimer_start(wbTimerKind_t kind, const std::string& message, const char* /*file*/,
                          const char* /*function*/, int /*line*/) {
  const wb_detail::RunningTimer timer = {kind, message, std::chrono::steady_clock::now()};
  wb_detail::timers().push_back(timer);
}

/// Stops the last timer of this kind, with this message if it has one.
inline void wbTimer_stop(wbTimerKind_t kind, const std::string& message, const char* file,
                         const char* /*function*/, int line) {
  static const char* const kNames[] = {"Generic", "IO",        "GPU",     "Copy",
                                       "Driver",  "CopyAsync", "Compute", "CPUGPUOverlap"};
  std::vector<wb_detail::RunningTimer>& timers = wb_detail::timers();
  for (size_t i = timers.size(); i-- > 0;) {
    if (timers[i].kind != kind || (!message.empty() && timers[i].message != message)) continue;
    const std::chrono::duration<double, std::milli> elapsed =
        std::chrono::steady_clock::now() - timers[i].start;
    printf("TIME %s %.3f ms: %s\n", kNames[kind], elapsed.count(), timers[i].message.c_str());
    timers.erase(timers.begin() + static_cast<std::ptrdiff_t>(i));
    return;
  }
  fprintf(stderr, "wb: %s:%d: wbTime_stop(%s, \"%s\") has no wbTime_start\n",
          wb_detail::file_name(file), line, kNames[kind], message.c_str());
}

#define wbLog(level, ...) \
  wbLogger_append(wbLogLevel_##level, wbString(__VA_ARGS__), wbFile, wbFunction, wbLine)
#define wbTime_start(kind, ...) \
  wbTimer_start(wbTimerKind_##kind, wbString(__VA_ARGS__), wbFile, wbFunction, wbLine)
#define wbTime_stop(kind, ...) \
  wbTimer_stop(wbTimerKind_##kind, wbString(__VA_ARGS__), wbFile, wbFunction, wbLine)
