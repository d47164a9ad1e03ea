#pragma once

#include <catch2/catch_test_macros.hpp>

#include "emulator/cudart/tests/kernels.h"

// Helpers for tests of graphs.

/// A graph for a test, destroyed at its end.
struct GraphOwner {
  cudaGraph_t graph = nullptr;
  GraphOwner() { REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess); }
  ~GraphOwner() { (void)cudaGraphDestroy(graph); }
  GraphOwner(const GraphOwner&) = delete;
  GraphOwner& operator=(const GraphOwner&) = delete;
};

/// fill_kernel's parameters; the struct keeps what the node copies.
struct FillNode {
  int* out;
  int value;
  void* arguments[2] = {&out, &value};
  cudaKernelNodeParams parameters = {};
  FillNode(int* to, int v, unsigned threads) : out(to), value(v) {
    parameters.func = const_cast<void*>(fill_kernel());
    parameters.gridDim = {1, 1, 1};
    parameters.blockDim = {threads, 1, 1};
    parameters.kernelParams = arguments;
  }
  FillNode(const FillNode&) = delete;
  FillNode& operator=(const FillNode&) = delete;
};

inline void add_ten(void* data) {
  *static_cast<int*>(data) += 10;
}

inline cudaGraphExec_t instantiate(cudaGraph_t graph) {
  cudaGraphExec_t executable = nullptr;
  REQUIRE(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
  return executable;
}
