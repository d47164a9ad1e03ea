#include "grader/record/counters/formula.h"

#include <catch2/catch_test_macros.hpp>

namespace warpgrade {
namespace {

double atomics_of(const std::map<std::string, double>& counters) {
  KernelReport kernel;
  kernel.counters = counters;
  return counter_value(*find_counter("global_atomic_lanes"), {kernel});
}

TEST_CASE("atomics are those of one array, not those of grid.sync() or a queue of work",
          "[counters][formula]") {
  CHECK(atomics_of({{"global_atomic_threads", 35}, {"global_atomic_threads_of_one_array", 32}}) ==
        32);
  CHECK(atomics_of({{"global_atomic_threads", 8}, {"global_atomic_threads_of_one_array", 0}}) == 0);
}

TEST_CASE("where a report does not tell arrays apart, all atomics are counted",
          "[counters][formula]") {
  CHECK(atomics_of({{"global_atomic_threads", 35}}) == 35);
  CHECK(atomics_of({}) == 0);
}

TEST_CASE("loads of constant memory are not loads of global memory", "[counters][formula]") {
  KernelReport kernel;
  kernel.counters = {{"constant_loads", 25},
                     {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 9}};
  CHECK(counter_value(*find_counter("constant_loads"), {kernel}) == 25);
  CHECK(counter_value(*find_counter("global_load_requests"), {kernel}) == 9);
}

}  // namespace
}  // namespace warpgrade
