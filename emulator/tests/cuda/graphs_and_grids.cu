#include <algorithm>
#include <queue>

#include "emulator/tests/support/program.h"

// Algorithms on graphs and grids: Floyd-Warshall in blocks, breadth-first search with frontier
// queues, Bellman-Ford, PageRank, connected components, k-means, the game of life with a torus's
// halo.

namespace {

constexpr int kFar = 1000000, kTile = 16;

/// The three phases of the blocked algorithm in one kernel: the pivot's tile, its row and column,
/// and the rest.
__global__ void floyd_warshall(int* distance, int n, int pivot, int phase) {
  __shared__ int own[kTile][kTile], row[kTile][kTile], column[kTile][kTile];
  int tile_x = pivot, tile_y = pivot;
  if (phase == 1) {
    if (int(blockIdx.x) == pivot) return;
    (blockIdx.y == 0 ? tile_x : tile_y) = int(blockIdx.x);
  } else if (phase == 2) {
    tile_x = int(blockIdx.x), tile_y = int(blockIdx.y);
    if (tile_x == pivot || tile_y == pivot) return;
  }
  const int tx = int(threadIdx.x), ty = int(threadIdx.y);
  const auto at = [&](int y, int x) -> int {
    y = y * kTile + ty, x = x * kTile + tx;
    return y < n && x < n ? distance[y * n + x] : kFar;
  };
  own[ty][tx] = at(tile_y, tile_x);
  column[ty][tx] = at(tile_y, pivot);
  row[ty][tx] = at(pivot, tile_x);
  __syncthreads();
  for (int k = 0; k < kTile; ++k) {
    // In the first phases the row and the column are the tile itself, as far as it has got.
    const int left = tile_x == pivot ? own[ty][k] : column[ty][k];
    const int up = tile_y == pivot ? own[k][tx] : row[k][tx];
    const int through = left + up;
    __syncthreads();
    own[ty][tx] = min(own[ty][tx], through);
    __syncthreads();
  }
  const int y = tile_y * kTile + ty, x = tile_x * kTile + tx;
  if (y < n && x < n) distance[y * n + x] = own[ty][tx];
}

struct Graph {
  int nodes = 0;
  std::vector<int> starts, ends, weights;  // CSR
};

Graph random_graph(int nodes, int degree, std::uint64_t seed) {
  Graph graph;
  graph.nodes = nodes;
  const auto numbers = testing::random_integers(std::size_t(3 * nodes * degree), 1 << 20, seed);
  std::size_t next = 0;
  for (int i = 0; i < nodes; ++i) {
    graph.starts.push_back(int(graph.ends.size()));
    const int count = numbers[next++] % (2 * degree);
    for (int k = 0; k < count; ++k) {
      graph.ends.push_back(numbers[next++ % numbers.size()] % nodes);
      graph.weights.push_back(1 + numbers[next++ % numbers.size()] % 50);
    }
    next %= numbers.size();
  }
  graph.starts.push_back(int(graph.ends.size()));
  return graph;
}

/// One level. A block gathers its part of the next frontier in shared memory and appends it at
/// once; what does not fit goes to the global queue directly.
__global__ void expand(const int* starts, const int* ends, int* levels, const int* frontier,
                       int size, int* next, int* next_size, int level) {
  constexpr int kRoom = 64;
  __shared__ int found[kRoom];
  __shared__ int count, base;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < size) {
    const int node = frontier[i];
    for (int k = starts[node]; k < starts[node + 1]; ++k) {
      if (atomicCAS(&levels[ends[k]], -1, level) != -1) continue;
      const int place = atomicAdd(&count, 1);
      if (place < kRoom) {
        found[place] = ends[k];
      } else {
        next[atomicAdd(next_size, 1)] = ends[k];
      }
    }
  }
  __syncthreads();
  const int kept = min(count, kRoom);
  if (threadIdx.x == 0) base = atomicAdd(next_size, kept);
  __syncthreads();
  for (int k = int(threadIdx.x); k < kept; k += int(blockDim.x)) next[base + k] = found[k];
}

__global__ void relax(const int* starts, const int* ends, const int* weights, int* distance, int n,
                      int* changed) {
  const int node = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (node >= n) return;
  const int mine = atomicAdd(&distance[node], 0);
  if (mine >= kFar) return;
  for (int k = starts[node]; k < starts[node + 1]; ++k) {
    const int through = mine + weights[k];
    if (atomicMin(&distance[ends[k]], through) > through) atomicOr(changed, 1);
  }
}

/// Labels sink to the smallest of a component: hooking with atomicMin, then pointer jumping.
__global__ void hook(const int* starts, const int* ends, int* labels, int n, int* changed) {
  const int node = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (node >= n) return;
  for (int k = starts[node]; k < starts[node + 1]; ++k) {
    const int a = atomicAdd(&labels[node], 0), b = atomicAdd(&labels[ends[k]], 0);
    if (a == b) continue;
    if (atomicMin(&labels[max(a, b)], min(a, b)) > min(a, b)) atomicExch(changed, 1);
  }
}

__global__ void jump(int* labels, int n) {
  const int node = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (node >= n) return;
  int label = atomicAdd(&labels[node], 0);
  for (int next; (next = atomicAdd(&labels[label], 0)) != label;) label = next;
  atomicExch(&labels[node], label);
}

/// Push: each node gives its rank to those it points to.
__global__ void page_rank(const int* starts, const int* ends, const float* rank, float* next,
                          int n) {
  const int node = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (node >= n) return;
  const int degree = starts[node + 1] - starts[node];
  for (int k = 0; k < degree; ++k) {
    atomicAdd(&next[ends[starts[node] + k]], 0.85f * rank[node] / float(degree));
  }
}

/// Assigns each point to the nearest centre and gathers the sums in shared memory.
__global__ void assign(const float2* points, const float2* centres, int* owner, float* sums, int n,
                       int k) {
  extern __shared__ float mine[];  // [k][x, y, count]
  for (int i = int(threadIdx.x); i < 3 * k; i += int(blockDim.x)) mine[i] = 0;
  __syncthreads();
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) {
    int nearest = 0;
    float least = INFINITY;
    for (int c = 0; c < k; ++c) {
      const float dx = points[i].x - centres[c].x, dy = points[i].y - centres[c].y;
      const float d = __fadd_rn(__fmul_rn(dx, dx), __fmul_rn(dy, dy));
      if (d < least) least = d, nearest = c;
    }
    owner[i] = nearest;
    atomicAdd(&mine[3 * nearest], points[i].x);
    atomicAdd(&mine[3 * nearest + 1], points[i].y);
    atomicAdd(&mine[3 * nearest + 2], 1.0f);
  }
  __syncthreads();
  for (int c = int(threadIdx.x); c < 3 * k; c += int(blockDim.x)) atomicAdd(&sums[c], mine[c]);
}

__global__ void move_centres(float2* centres, float* sums, int k) {
  const int c = int(threadIdx.x);
  if (c >= k) return;
  if (sums[3 * c + 2] > 0) {
    centres[c] = make_float2(sums[3 * c] / sums[3 * c + 2], sums[3 * c + 1] / sums[3 * c + 2]);
  }
  sums[3 * c] = sums[3 * c + 1] = sums[3 * c + 2] = 0;
}

/// One generation on a torus, with the block's tile and its halo in shared memory.
__global__ void life(const bool* from, bool* to, int width, int height) {
  __shared__ bool cells[10][34];
  const int x0 = int(blockIdx.x) * 32 - 1, y0 = int(blockIdx.y) * 8 - 1;
  for (int i = int(threadIdx.y * 32 + threadIdx.x); i < 340; i += 256) {
    const int x = (x0 + i % 34 + width) % width, y = (y0 + i / 34 + height) % height;
    cells[i / 34][i % 34] = from[y * width + x];
  }
  __syncthreads();
  const int x = x0 + 1 + int(threadIdx.x), y = y0 + 1 + int(threadIdx.y);
  if (x >= width || y >= height) return;
  int alive = 0;
  for (unsigned dy = 0; dy < 3; ++dy) {
    for (unsigned dx = 0; dx < 3; ++dx) alive += cells[threadIdx.y + dy][threadIdx.x + dx];
  }
  const bool self = cells[threadIdx.y + 1][threadIdx.x + 1];
  to[y * width + x] = alive == 3 || (alive == 4 && self);
}

void all_pairs() {
  constexpr int kNodes = 70;
  std::vector<int> distance(kNodes * kNodes, kFar);
  const auto numbers = testing::random_integers(kNodes * kNodes, 1000, 12);
  for (std::size_t i = 0; i < distance.size(); ++i) {
    if (numbers[i] < 80) distance[i] = numbers[i] + 1;
    if (i % (kNodes + 1) == 0) distance[i] = 0;
  }
  testing::Buffer<int> d(distance);
  constexpr int kTiles = (kNodes + kTile - 1) / kTile;
  const dim3 block(kTile, kTile);
  for (int pivot = 0; pivot < kTiles; ++pivot) {
    floyd_warshall<<<1, block>>>(d.get(), kNodes, pivot, 0);
    floyd_warshall<<<dim3(kTiles, 2), block>>>(d.get(), kNodes, pivot, 1);
    floyd_warshall<<<dim3(kTiles, kTiles), block>>>(d.get(), kNodes, pivot, 2);
  }
  FINISH_LAUNCH();
  for (std::size_t k = 0; k < kNodes; ++k) {
    for (std::size_t i = 0; i < kNodes; ++i) {
      for (std::size_t j = 0; j < kNodes; ++j) {
        int& cell = distance[i * kNodes + j];
        cell = std::min(cell, distance[i * kNodes + k] + distance[k * kNodes + j]);
      }
    }
  }
  testing::expect_equal(d.download(), distance);
}

void searches() {
  const Graph graph = random_graph(3000, 4, 5);
  const auto nodes = std::size_t(graph.nodes);
  std::vector<int> levels(nodes, -1), distance(nodes, kFar);
  levels[0] = distance[0] = 0;
  const testing::Buffer<int> starts(graph.starts), ends(graph.ends), weights(graph.weights);
  testing::Buffer<int> level(levels), shortest(distance), a(nodes), b(nodes), count(1);
  a.fill_bytes(0);
  testing::Buffer<int>*from = &a, *to = &b;
  int size = 1;
  for (int depth = 1; size > 0; ++depth) {
    count.fill_bytes(0);
    expand<<<testing::blocks_for(std::size_t(size), 64), 64>>>(
        starts.get(), ends.get(), level.get(), from->get(), size, to->get(), count.get(), depth);
    FINISH_LAUNCH();
    size = count.download()[0];
    std::swap(from, to);
  }
  for (bool changed = true; changed;) {
    count.fill_bytes(0);
    relax<<<testing::blocks_for(nodes, 128), 128>>>(starts.get(), ends.get(), weights.get(),
                                                    shortest.get(), graph.nodes, count.get());
    FINISH_LAUNCH();
    changed = count.download()[0] != 0;
  }
  std::queue<int> queue({0});
  for (; !queue.empty(); queue.pop()) {
    const auto node = std::size_t(queue.front());
    for (auto k = std::size_t(graph.starts[node]); k < std::size_t(graph.starts[node + 1]); ++k) {
      int& other = levels[std::size_t(graph.ends[k])];
      if (other == -1) other = levels[node] + 1, queue.push(graph.ends[k]);
    }
  }
  testing::expect_equal(level.download(), levels);
  std::priority_queue<std::pair<int, int>> nearest;  // Dijkstra: (-distance, node)
  for (nearest.push({0, 0}); !nearest.empty();) {
    const auto [minus, node] = nearest.top();
    nearest.pop();
    if (-minus > distance[std::size_t(node)]) continue;
    for (auto k = std::size_t(graph.starts[std::size_t(node)]);
         k < std::size_t(graph.starts[std::size_t(node) + 1]); ++k) {
      int& other = distance[std::size_t(graph.ends[k])];
      if (-minus + graph.weights[k] < other) {
        other = -minus + graph.weights[k];
        nearest.push({-other, graph.ends[k]});
      }
    }
  }
  testing::expect_equal(shortest.download(), distance);
}

void components() {
  const Graph graph = random_graph(2000, 1, 6);
  const auto nodes = std::size_t(graph.nodes);
  std::vector<int> labels(nodes);
  for (std::size_t i = 0; i < nodes; ++i) labels[i] = int(i);
  const testing::Buffer<int> starts(graph.starts), ends(graph.ends);
  testing::Buffer<int> label(labels), changed(1);
  for (int more = 1; more != 0;) {
    changed.fill_bytes(0);
    hook<<<16, 128>>>(starts.get(), ends.get(), label.get(), graph.nodes, changed.get());
    jump<<<16, 128>>>(label.get(), graph.nodes);
    FINISH_LAUNCH();
    more = changed.download()[0];
  }
  for (bool again = true; again;) {
    again = false;
    for (std::size_t i = 0; i < nodes; ++i) {
      for (auto k = std::size_t(graph.starts[i]); k < std::size_t(graph.starts[i + 1]); ++k) {
        int &a = labels[i], &b = labels[std::size_t(graph.ends[k])];
        if (a != b) a = b = std::min(a, b), again = true;
      }
    }
  }
  testing::expect_equal(label.download(), labels);
}

void ranks() {
  const Graph graph = random_graph(500, 5, 7);
  const std::size_t nodes = 500;
  std::vector<double> want(nodes, 1.0 / 500);
  const testing::Buffer<int> starts(graph.starts), ends(graph.ends);
  testing::Buffer<float> rank(std::vector<float>(nodes, 1.0f / 500)), next(nodes);
  const std::vector<float> base(nodes, 0.15f / 500);
  for (int round = 0; round < 8; ++round) {
    next.upload(base);
    page_rank<<<4, 128>>>(starts.get(), ends.get(), rank.get(), next.get(), graph.nodes);
    CUDA_CHECK(cudaMemcpy(rank.get(), next.get(), nodes * sizeof(float), cudaMemcpyDeviceToDevice));
    std::vector<double> sums(nodes, 0.15 / 500);
    for (std::size_t i = 0; i < nodes; ++i) {
      const int degree = graph.starts[i + 1] - graph.starts[i];
      for (auto k = std::size_t(graph.starts[i]); k < std::size_t(graph.starts[i + 1]); ++k) {
        sums[std::size_t(graph.ends[k])] += 0.85 * want[i] / degree;
      }
    }
    want = sums;
  }
  FINISH_LAUNCH();
  testing::expect_close(rank.download(), want, 1e-6);
}

void clusters() {
  constexpr int kPoints = 1000, kCentres = 6;
  const auto parts = testing::random_floats(2 * kPoints, 9);
  std::vector<float2> points;
  for (std::size_t i = 0; i < kPoints; ++i) {
    // Around the corners of a hexagon, tight enough that the sums' order changes no assignment.
    const double angle = double(i % kCentres) * 1.0472;
    points.push_back(
        {float(5 * std::cos(angle)) + parts[2 * i], float(5 * std::sin(angle)) + parts[2 * i + 1]});
  }
  const std::vector<float2> first(points.begin(), points.begin() + kCentres);
  const testing::Buffer<float2> in(points);
  testing::Buffer<float2> centres(first);
  testing::Buffer<int> owner(kPoints);
  testing::Buffer<float> sums(3 * kCentres);
  sums.fill_bytes(0);
  for (int round = 0; round < 5; ++round) {
    assign<<<8, 128, 3 * kCentres * sizeof(float)>>>(in.get(), centres.get(), owner.get(),
                                                     sums.get(), kPoints, kCentres);
    move_centres<<<1, 32>>>(centres.get(), sums.get(), kCentres);
  }
  FINISH_LAUNCH();
  std::vector<int> want;
  for (int i = 0; i < kPoints; ++i) want.push_back(i % kCentres);
  testing::expect_equal(owner.download(), want);
}

void generations() {
  constexpr int kWidth = 75, kHeight = 41;
  std::vector<char> cells;
  for (const int x : testing::random_integers(kWidth * kHeight, 3)) cells.push_back(x == 0);
  testing::Buffer<bool> a(cells.size()), b(cells.size());
  CUDA_CHECK(cudaMemcpy(a.get(), cells.data(), cells.size(), cudaMemcpyHostToDevice));
  for (int round = 0; round < 6; ++round) {
    life<<<dim3(3, 6), dim3(32, 8)>>>(round % 2 == 0 ? a.get() : b.get(),
                                      round % 2 == 0 ? b.get() : a.get(), kWidth, kHeight);
    const std::vector<char> old = cells;
    for (int y = 0; y < kHeight; ++y) {
      for (int x = 0; x < kWidth; ++x) {
        int around = 0;
        for (int d = 0; d < 9; ++d) {
          const int u = (x + d % 3 - 1 + kWidth) % kWidth, v = (y + d / 3 - 1 + kHeight) % kHeight;
          if (d != 4) around += old[std::size_t(v * kWidth + u)];
        }
        char& cell = cells[std::size_t(y * kWidth + x)];
        cell = around == 3 || (around == 2 && cell != 0);
      }
    }
  }
  FINISH_LAUNCH();
  std::vector<char> got(cells.size());
  CUDA_CHECK(cudaMemcpy(got.data(), a.get(), got.size(), cudaMemcpyDeviceToHost));
  EXPECT(got == cells);
}

void run() {
  all_pairs();
  searches();
  components();
  ranks();
  clusters();
  generations();
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
