// family:  the compiler
// tries:   templates whose instantiations double at every level
// holds:   the compiler's time and memory are limited
// over:    nothing
// ends:    refused
// flag:    none

#include "vecadd.h"

template <int N, int M>
struct Tree {
  enum { value = Tree<N - 1, 2 * M>::value + Tree<N - 1, 2 * M + 1>::value };
};
template <int M>
struct Tree<0, M> {
  enum { value = 1 };
};
void vecadd(const float*, const float*, float* c, int) {
  c[0] = Tree<30, 0>::value;
}
