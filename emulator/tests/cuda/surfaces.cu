#include "emulator/tests/support/program.h"

// Surfaces: reads and writes of arrays by coordinates, in every shape, element size and boundary
// mode. The x of a surface function counts bytes.

namespace {

using testing::Buffer;

struct Surface {
  cudaArray_t array = nullptr;
  cudaSurfaceObject_t object = 0;

  template <class T>
  Surface(const std::vector<T>& elements, cudaExtent extent, unsigned flags = 0) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    CUDA_CHECK(cudaMalloc3DArray(&array, &format, extent, flags | cudaArraySurfaceLoadStore));
    const std::size_t rows = extent.height == 0 ? 1 : extent.height;
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(const_cast<T*>(elements.data()), extent.width * sizeof(T),
                                      extent.width, rows);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(extent.width, rows, extent.depth == 0 ? 1 : extent.depth);
    copy.kind = cudaMemcpyHostToDevice;
    CUDA_CHECK(cudaMemcpy3D(&copy));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    CUDA_CHECK(cudaCreateSurfaceObject(&object, &resource));
  }
  ~Surface() {
    cudaDestroySurfaceObject(object);
    cudaFreeArray(array);
  }
  Surface(const Surface&) = delete;
  Surface& operator=(const Surface&) = delete;
};

/// Adds its thread's number to an element in each shape of surface.
template <class T>
__global__ void add(cudaSurfaceObject_t row, cudaSurfaceObject_t plane, cudaSurfaceObject_t box,
                    cudaSurfaceObject_t rows, cudaSurfaceObject_t planes) {
  const int x = int(threadIdx.x), y = int(threadIdx.y), z = int(threadIdx.z);
  const int at = x * int(sizeof(T));
  const T plus = T(1 + x);
  if (y == 0 && z == 0) surf1Dwrite(T(surf1Dread<T>(row, at) + plus), row, at);
  if (z == 0) surf2Dwrite(T(surf2Dread<T>(plane, at, y) + plus), plane, at, y);
  surf3Dwrite(T(surf3Dread<T>(box, at, y, z) + plus), box, at, y, z);
  if (y == 0) surf1DLayeredwrite(T(surf1DLayeredread<T>(rows, at, z) + plus), rows, at, z);
  surf2DLayeredwrite(T(surf2DLayeredread<T>(planes, at, y, z) + plus), planes, at, y, z);
}

template <class T>
void check_contents(const Surface& surface, std::size_t height, std::size_t depth,
                    const std::vector<T>& before) {
  std::vector<T> after(4 * height * depth);
  cudaMemcpy3DParms copy = {};
  copy.srcArray = surface.array;
  copy.dstPtr = make_cudaPitchedPtr(after.data(), 4 * sizeof(T), 4, height);
  copy.extent = make_cudaExtent(4, height, depth);
  copy.kind = cudaMemcpyDeviceToHost;
  CUDA_CHECK(cudaMemcpy3D(&copy));
  for (std::size_t i = 0; i < after.size(); ++i) EXPECT(after[i] == T(before[i] + T(1 + i % 4)));
}

template <class T>
void every_shape() {
  std::vector<T> values;
  for (int i = 0; i < 24; ++i) values.push_back(T(i * 3));
  const Surface row(values, make_cudaExtent(4, 0, 0));
  const Surface plane(values, make_cudaExtent(4, 3, 0));
  const Surface box(values, make_cudaExtent(4, 3, 2));
  const Surface rows(values, make_cudaExtent(4, 0, 2), cudaArrayLayered);
  const Surface planes(values, make_cudaExtent(4, 3, 2), cudaArrayLayered);
  add<T><<<1, dim3(4, 3, 2)>>>(row.object, plane.object, box.object, rows.object, planes.object);
  FINISH_LAUNCH();
  check_contents(row, 1, 1, values);
  check_contents(plane, 3, 1, values);
  check_contents(box, 3, 2, values);
  check_contents(rows, 1, 2, values);
  check_contents(planes, 3, 2, values);
}

// -- vectors and places outside -----------------------------------------------------------------

__global__ void vectors(cudaSurfaceObject_t fours, cudaSurfaceObject_t twos, float4* four,
                        short2* two) {
  const int x = int(threadIdx.x);
  four[x] = surf2Dread<float4>(fours, x * 16, 0);
  two[x] = surf1Dread<short2>(twos, x * 4);
  surf2Dwrite(make_float4(1, 2, 3, float(x)), fours, x * 16, 1);
  // Another view of the same bytes: elements of 8.
  surf1Dwrite(make_uint2(unsigned(x), 7u), twos, x * 8 + 32);
}

void check_vectors() {
  std::vector<float4> fours;
  std::vector<short2> twos;
  for (int i = 0; i < 8; ++i) fours.push_back(make_float4(float(i), 0.5f, -1, float(2 * i)));
  for (int i = 0; i < 16; ++i) twos.push_back(make_short2(short(i), short(-i)));
  const Surface wide(fours, make_cudaExtent(4, 2, 0));
  const Surface narrow(twos, make_cudaExtent(16, 0, 0));
  Buffer<float4> four(4);
  Buffer<short2> two(4);
  vectors<<<1, 4>>>(wide.object, narrow.object, four.get(), two.get());
  FINISH_LAUNCH();
  const auto got_four = four.download();
  const auto got_two = two.download();
  std::vector<float4> second(4);
  CUDA_CHECK(
      cudaMemcpy2DFromArray(second.data(), 64, wide.array, 0, 1, 64, 1, cudaMemcpyDeviceToHost));
  std::vector<unsigned> words(8);
  CUDA_CHECK(
      cudaMemcpy2DFromArray(words.data(), 32, narrow.array, 32, 0, 32, 1, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 4; ++i) {
    const auto at = std::size_t(i);
    EXPECT(got_four[at].x == float(i) && got_four[at].y == 0.5f && got_four[at].w == float(2 * i));
    EXPECT(got_two[at].x == i && got_two[at].y == -i);
    EXPECT(second[at].x == 1 && second[at].w == float(i));
    EXPECT(words[2 * at] == unsigned(i) && words[2 * at + 1] == 7);
  }
}

__global__ void outside(cudaSurfaceObject_t surface, int* zero, int* clamp) {
  const int i = int(threadIdx.x);
  zero[i] = surf2Dread<int>(surface, (i - 2) * 4, 1, cudaBoundaryModeZero);
  clamp[i] = surf2Dread<int>(surface, (i - 2) * 4, 5, cudaBoundaryModeClamp);
  __syncwarp();
  surf2Dwrite(100 + i, surface, (i + 2) * 4, 0, cudaBoundaryModeZero);
}

void check_outside() {
  std::vector<int> values = {1, 2, 3, 4, 5, 6, 7, 8};
  const Surface surface(values, make_cudaExtent(4, 2, 0));
  Buffer<int> zero(8);
  Buffer<int> clamp(8);
  outside<<<1, 8>>>(surface.object, zero.get(), clamp.get());
  FINISH_LAUNCH();
  testing::expect_equal(zero.download(), std::vector<int>{0, 0, 5, 6, 7, 8, 0, 0});
  testing::expect_equal(clamp.download(), std::vector<int>{5, 5, 5, 6, 7, 8, 8, 8});
  std::vector<int> after(8);
  CUDA_CHECK(
      cudaMemcpy2DFromArray(after.data(), 16, surface.array, 0, 0, 16, 2, cudaMemcpyDeviceToHost));
  testing::expect_equal(after, std::vector<int>{1, 2, 100, 101, 5, 6, 7, 8});
}

void run() {
  every_shape<unsigned char>();
  every_shape<short>();
  every_shape<int>();
  every_shape<float>();
  check_vectors();
  check_outside();
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
