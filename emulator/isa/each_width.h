#pragma once

// What goes over all lanes of an access exists once for each width of the host's vectors. Functions
// that it calls are to be inlined: others are compiled for the narrowest.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define WARPSIM_EACH_WIDTH [[gnu::target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")]]
#else
#define WARPSIM_EACH_WIDTH
#endif
