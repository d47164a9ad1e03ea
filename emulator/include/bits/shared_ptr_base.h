// libstdc++'s header writes __attribute__((__noinline__)), which CUDA's word __noinline__ breaks.
#pragma GCC system_header
#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/shared_ptr_base.h>
#pragma pop_macro("__noinline__")
