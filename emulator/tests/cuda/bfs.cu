#include <deque>

#include "emulator/tests/support/program.h"

// Breadth-first search: one launch a level with all vertices, and with a queue of the frontier that
// threads fill through atomics. The host reads back a flag between launches.

namespace {

struct Graph {
  int vertices;
  std::vector<int> starts, neighbours;
};

__global__ void visit_level(int vertices, const int* starts, const int* neighbours, int* levels,
                            int level, int* changed) {
  const int v = int(blockIdx.x * blockDim.x + threadIdx.x);
  // Others may be updating it: a plain read would be a race, though a harmless one.
  volatile const int* const seen = levels;
  if (v >= vertices || seen[v] != level) return;
  for (int i = starts[v]; i < starts[v + 1]; ++i) {
    if (atomicCAS(&levels[neighbours[i]], -1, level + 1) == -1) atomicExch(changed, 1);
  }
}

__global__ void visit_frontier(const int* frontier, int size, const int* starts,
                               const int* neighbours, int* levels, int level, int* next,
                               int* next_size) {
  const int at = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (at >= size) return;
  const int v = frontier[at];
  for (int i = starts[v]; i < starts[v + 1]; ++i) {
    if (atomicCAS(&levels[neighbours[i]], -1, level + 1) == -1) {
      next[atomicAdd(next_size, 1)] = neighbours[i];
    }
  }
}

/// A long path, a dense part and a part that cannot be reached.
Graph make_graph() {
  Graph g{1000, {0}, {}};
  const std::vector<int> random = testing::random_integers(4000, 500, 11);
  for (int v = 0; v < g.vertices; ++v) {
    if (v < 500) {
      for (int i = 0; i < v % 8; ++i) g.neighbours.push_back(random[std::size_t(8 * v + i)]);
      if (v % 20 == 0) g.neighbours.push_back(500);
    } else if (v < 560) {
      g.neighbours.push_back(v + 1);
    } else if (v > 600) {
      g.neighbours.push_back(v - 1);
    }
    g.starts.push_back(int(g.neighbours.size()));
  }
  return g;
}

void run() {
  const Graph g = make_graph();
  std::vector<int> want(std::size_t(g.vertices), -1);
  std::deque<int> queue{7};
  want[7] = 0;
  while (!queue.empty()) {
    const auto v = std::size_t(queue.front());
    queue.pop_front();
    for (int i = g.starts[v]; i < g.starts[v + 1]; ++i) {
      const int to = g.neighbours[std::size_t(i)];
      if (want[std::size_t(to)] != -1) continue;
      want[std::size_t(to)] = want[v] + 1;
      queue.push_back(to);
    }
  }
  EXPECT(want[560] > 40 && want[999] == -1);

  const testing::Buffer<int> starts(g.starts), neighbours(g.neighbours);
  std::vector<int> unvisited(std::size_t(g.vertices), -1);
  unvisited[7] = 0;
  testing::Buffer<int> levels(unvisited), flag(1);
  int changed = 1;
  for (int level = 0; changed != 0; ++level) {
    flag.fill_bytes(0);
    visit_level<<<8, 128>>>(g.vertices, starts.get(), neighbours.get(), levels.get(), level,
                            flag.get());
    FINISH_LAUNCH();
    changed = flag.download()[0];
  }
  testing::expect_equal(levels.download(), want);

  levels.upload(unvisited);
  testing::Buffer<int> queues[2] = {testing::Buffer<int>(std::size_t(g.vertices)),
                                    testing::Buffer<int>(std::size_t(g.vertices))};
  const int first = 7;
  CUDA_CHECK(cudaMemcpy(queues[0].get(), &first, sizeof first, cudaMemcpyHostToDevice));
  int size = 1;
  for (int level = 0; size > 0; ++level) {
    flag.fill_bytes(0);
    visit_frontier<<<testing::blocks_for(std::size_t(size), 64), 64>>>(
        queues[level % 2].get(), size, starts.get(), neighbours.get(), levels.get(), level,
        queues[1 - level % 2].get(), flag.get());
    FINISH_LAUNCH();
    size = flag.download()[0];
  }
  testing::expect_equal(levels.download(), want);
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
