#pragma once

// Time, traps, output, assertions and the device's heap (Programming Guide, "Time Function",
// "Formatted Output", "Assertion", "Trap function", "Dynamic Global Memory Allocation").

WARPGRADE_DEVICE long long clock64() {
  long long now;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(now)::"memory");
  return now;
}
// clock() itself is declared by <time.h>, with the host's type.
WARPGRADE_DEVICE long clock() {
  unsigned now;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(now)::"memory");
  return (long)(int)now;
}
WARPGRADE_DEVICE unsigned long long __globaltimer() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)::"memory");
  return now;
}
WARPGRADE_DEVICE void __nanosleep(unsigned ns) {
  asm volatile("nanosleep.u32 %0;" ::"r"(ns) : "memory");
}
// A macro: the number is a part of the instruction.
#define __prof_trigger(counter) asm volatile("pmevent %0;" ::"n"(counter))
WARPGRADE_DEVICE void __trap() {
  asm volatile("trap;");
}
WARPGRADE_DEVICE void __brkpt() {
  asm volatile("brkpt;");
}

extern "C" {
// clang turns a call of printf() into one of vprintf().
__device__ int printf(const char* format, ...);
__device__ int vprintf(const char* format, const char* arguments);
__device__ void* malloc(size_t size);
__device__ void free(void* pointer);
__device__ __attribute__((noreturn)) void __assertfail(const char* message, const char* file,
                                                       unsigned line, const char* function,
                                                       size_t character_bytes);
WARPGRADE_DEVICE void* memcpy(void* to, const void* from, size_t bytes) {
  return __builtin_memcpy(to, from, bytes);
}
WARPGRADE_DEVICE void* memmove(void* to, const void* from, size_t bytes) {
  return __builtin_memmove(to, from, bytes);
}
WARPGRADE_DEVICE void* memset(void* to, int value, size_t bytes) {
  return __builtin_memset(to, value, bytes);
}
// Called by the C library's assert().
__device__ static __inline__ __attribute__((always_inline, nodebug, noreturn)) void __assert_fail(
    const char* message, const char* file, unsigned line, const char* function) {
  __assertfail(message, file, line, function, sizeof(char));
}
}
