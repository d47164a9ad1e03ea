#include <cuda.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <numeric>
#include <vector>

// Arrays, and textures and surfaces of them.

namespace {

constexpr const char* kTexturePtx = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry read_2d(.param .u64 out, .param .u64 texture, .param .f32 x, .param .f32 y) {
  .reg .b64 %rd<4>;
  .reg .f32 %f<7>;
  ld.param.u64 %rd1, [out];
  ld.param.u64 %rd2, [texture];
  ld.param.f32 %f5, [x];
  ld.param.f32 %f6, [y];
  tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd2, {%f5, %f6}];
  cvta.to.global.u64 %rd3, %rd1;
  st.global.f32 [%rd3], %f1;
  ret;
}
.visible .entry read_int(.param .u64 out, .param .u64 texture, .param .s32 x) {
  .reg .b64 %rd<4>;
  .reg .b32 %r<6>;
  ld.param.u64 %rd1, [out];
  ld.param.u64 %rd2, [texture];
  ld.param.s32 %r5, [x];
  tex.1d.v4.s32.s32 {%r1, %r2, %r3, %r4}, [%rd2, {%r5}];
  cvta.to.global.u64 %rd3, %rd1;
  st.global.s32 [%rd3], %r1;
  ret;
}
.visible .entry read_cube(.param .u64 out, .param .u64 texture, .param .u32 layer, .param .f32 x,
    .param .f32 y, .param .f32 z) {
  .reg .b64 %rd<4>;
  .reg .b32 %r<2>;
  .reg .f32 %f<12>;
  ld.param.u64 %rd1, [out];
  ld.param.u64 %rd2, [texture];
  ld.param.u32 %r1, [layer];
  ld.param.f32 %f9, [x];
  ld.param.f32 %f10, [y];
  ld.param.f32 %f11, [z];
  tex.cube.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd2, {%f9, %f10, %f11, %f11}];
  tex.acube.v4.f32.f32 {%f5, %f6, %f7, %f8}, [%rd2, {%r1, %f9, %f10, %f11}];
  cvta.to.global.u64 %rd3, %rd1;
  st.global.f32 [%rd3], %f1;
  st.global.f32 [%rd3+4], %f5;
  ret;
}
.visible .entry write_2d(.param .u64 surface) {
  .reg .b64 %rd<2>;
  .reg .b32 %r<6>;
  ld.param.u64 %rd1, [surface];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %tid.y;
  shl.b32 %r3, %r1, 2;
  mad.lo.u32 %r4, %r2, 100, %r1;
  sust.b.2d.b32.trap [%rd1, {%r3, %r2}], {%r4};
  ret;
}
)";

#define DONE(call) REQUIRE((call) == CUDA_SUCCESS)

struct ArraySession {
  ArraySession() {
    DONE(cuInit(0));
    CUcontext context = nullptr;
    DONE(cuDevicePrimaryCtxRetain(&context, 0));
    DONE(cuCtxSetCurrent(context));
    DONE(cuModuleLoadData(&module, kTexturePtx));
    DONE(cuMemAlloc(&out, 64));
  }
  ~ArraySession() {
    cuMemFree(out);
    cuModuleUnload(module);
    cuCtxSetCurrent(nullptr);
    cuDevicePrimaryCtxRelease(0);
  }
  ArraySession(const ArraySession&) = delete;
  ArraySession& operator=(const ArraySession&) = delete;

  void launch(const char* name, void** parameters, unsigned x = 1, unsigned y = 1) const {
    CUfunction function = nullptr;
    DONE(cuModuleGetFunction(&function, module, name));
    DONE(cuLaunchKernel(function, 1, 1, 1, x, y, 1, 0, nullptr, parameters, nullptr));
  }
  /// The texture's value at a point.
  [[nodiscard]] float read(CUtexObject texture, float x, float y) const {
    CUdeviceptr to = out;
    void* parameters[] = {&to, &texture, &x, &y};
    launch("read_2d", parameters);
    float value = -1;
    DONE(cuMemcpyDtoH(&value, out, 4));
    return value;
  }
  [[nodiscard]] int read(CUtexObject texture, int x) const {
    CUdeviceptr to = out;
    void* parameters[] = {&to, &texture, &x};
    launch("read_int", parameters);
    int value = -1;
    DONE(cuMemcpyDtoH(&value, out, 4));
    return value;
  }

  /// What lies in a direction of a cubemap's first cube, and of this layer's.
  [[nodiscard]] std::array<float, 2> read_cube(CUtexObject texture, unsigned layer,
                                               std::array<float, 3> direction) const {
    CUdeviceptr to = out;
    void* parameters[] = {&to, &texture, &layer, &direction[0], &direction[1], &direction[2]};
    launch("read_cube", parameters);
    std::array<float, 2> values = {};
    DONE(cuMemcpyDtoH(values.data(), out, sizeof values));
    return values;
  }

  CUmodule module = nullptr;
  CUdeviceptr out = 0;
};

CUarray make_array(size_t width, size_t height, size_t depth = 0, unsigned flags = 0) {
  CUDA_ARRAY3D_DESCRIPTOR descriptor = {};
  descriptor.Width = width;
  descriptor.Height = height;
  descriptor.Depth = depth;
  descriptor.Format = CU_AD_FORMAT_FLOAT;
  descriptor.NumChannels = 1;
  descriptor.Flags = flags;
  CUarray array = nullptr;
  DONE(cuArray3DCreate(&array, &descriptor));
  return array;
}

std::vector<float> counted(size_t size) {
  std::vector<float> values(size);
  std::iota(values.begin(), values.end(), 0.0F);
  return values;
}

/// Fills an array of this width and height.
void fill(CUarray array, const std::vector<float>& values, size_t width, size_t height) {
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = values.data();
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  copy.WidthInBytes = 4 * width;
  copy.Height = height;
  DONE(cuMemcpy2D(&copy));
}

CUDA_RESOURCE_DESC resource_of(CUarray array) {
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  return resource;
}

}  // namespace

TEST_CASE("an array has the description that it was created with", "[driver]") {
  const ArraySession session;
  CUarray array = make_array(5, 4, 3, CUDA_ARRAY3D_SURFACE_LDST);
  CUDA_ARRAY3D_DESCRIPTOR all = {};
  DONE(cuArray3DGetDescriptor(&all, array));
  CHECK(all.Width == 5);
  CHECK(all.Height == 4);
  CHECK(all.Depth == 3);
  CHECK(all.Format == CU_AD_FORMAT_FLOAT);
  CHECK(all.NumChannels == 1);
  CHECK(all.Flags == CUDA_ARRAY3D_SURFACE_LDST);
  DONE(cuArrayDestroy(array));
  CHECK(cuArray3DGetDescriptor(&all, array) == CUDA_ERROR_INVALID_HANDLE);
  CHECK(cuArrayDestroy(nullptr) == CUDA_ERROR_INVALID_HANDLE);

  CUDA_ARRAY_DESCRIPTOR descriptor = {
      .Width = 7, .Height = 0, .Format = CU_AD_FORMAT_SIGNED_INT16, .NumChannels = 4};
  DONE(cuArrayCreate(&array, &descriptor));
  CUDA_ARRAY_DESCRIPTOR read = {};
  DONE(cuArrayGetDescriptor(&read, array));
  CHECK(read.Width == 7);
  CHECK(read.Height == 0);
  CHECK(read.Format == CU_AD_FORMAT_SIGNED_INT16);
  CHECK(read.NumChannels == 4);
  DONE(cuArrayDestroy(array));
  descriptor.NumChannels = 3;
  CHECK(cuArrayCreate(&array, &descriptor) == CUDA_ERROR_INVALID_VALUE);
  descriptor.NumChannels = 1;
  descriptor.Width = 0;
  CHECK(cuArrayCreate(&array, &descriptor) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("bytes are copied between host, device and one-dimensional arrays", "[driver]") {
  const ArraySession session;
  const std::vector<float> from = {1, 2, 3, 4};
  CUarray first = make_array(4, 0);
  CUarray second = make_array(4, 0);
  DONE(cuMemcpyHtoA(first, 0, from.data(), 16));
  DONE(cuMemcpyAtoA(second, 4, first, 0, 12));
  DONE(cuMemcpyAtoD(session.out, second, 4, 12));
  std::array<float, 3> values = {};
  DONE(cuMemcpyDtoH(values.data(), session.out, 12));
  CHECK(values == std::array<float, 3>{1, 2, 3});
  DONE(cuMemcpyDtoA(first, 8, session.out, 8));
  DONE(cuMemcpyAtoH(values.data(), first, 4, 12));
  CHECK(values == std::array<float, 3>{2, 1, 2});
  DONE(cuMemcpyHtoAAsync(first, 12, from.data() + 3, 4, nullptr));
  DONE(cuMemcpyAtoHAsync(values.data(), first, 12, 4, nullptr));
  DONE(cuCtxSynchronize());
  CHECK(values[0] == 4);
  // The last byte, and one past it.
  CHECK(cuMemcpyHtoA(first, 15, from.data(), 1) == CUDA_SUCCESS);
  CHECK(cuMemcpyHtoA(first, 15, from.data(), 2) == CUDA_ERROR_INVALID_VALUE);
  DONE(cuArrayDestroy(first));
  DONE(cuArrayDestroy(second));
}

TEST_CASE("a box is copied from host to an array and, in part, to the device", "[driver]") {
  const ArraySession session;
  constexpr size_t kWidth = 4;
  constexpr size_t kHeight = 3;
  constexpr size_t kDepth = 2;
  const std::vector<float> from = counted(kWidth * kHeight * kDepth);
  CUarray array = make_array(kWidth, kHeight, kDepth);
  CUDA_MEMCPY3D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = from.data();
  copy.srcPitch = 4 * kWidth;
  copy.srcHeight = kHeight;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  copy.WidthInBytes = 4 * kWidth;
  copy.Height = kHeight;
  copy.Depth = kDepth;
  DONE(cuMemcpy3D(&copy));
  CUDA_MEMCPY3D part = {};
  part.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  part.srcArray = array;
  part.srcXInBytes = 8;
  part.srcY = 1;
  part.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  part.dstDevice = session.out;
  part.dstXInBytes = 4;
  part.dstPitch = 12;
  part.dstHeight = 2;
  part.WidthInBytes = 8;
  part.Height = 2;
  part.Depth = 2;
  DONE(cuMemcpy3D(&part));
  std::array<float, 12> values = {};
  DONE(cuMemcpyDtoH(values.data() + 1, session.out + 4, 8));
  CHECK(values[1] == 6);
  CHECK(values[2] == 7);
  DONE(cuMemcpyDtoH(values.data() + 10, session.out + 40, 8));
  CHECK(values[10] == 22);
  CHECK(values[11] == 23);
  part.srcXInBytes = 6;  // not whole elements
  CHECK(cuMemcpy3D(&part) == CUDA_ERROR_INVALID_VALUE);
  part.srcXInBytes = 12;  // one column too many
  CHECK(cuMemcpy3D(&part) == CUDA_ERROR_INVALID_VALUE);
  part.srcXInBytes = 8;
  part.srcLOD = 1;
  CHECK(cuMemcpy3D(&part) == CUDA_ERROR_INVALID_VALUE);
  DONE(cuArrayDestroy(array));
}

TEST_CASE("a texture of an array is read with its filter and its address mode", "[driver]") {
  const ArraySession session;
  CUarray array = make_array(4, 2);
  fill(array, counted(8), 4, 2);
  const CUDA_RESOURCE_DESC resource = resource_of(array);
  CUDA_TEXTURE_DESC description = {};
  for (CUaddress_mode& mode : description.addressMode) mode = CU_TR_ADDRESS_MODE_CLAMP;
  CUtexObject points = 0;
  DONE(cuTexObjectCreate(&points, &resource, &description, nullptr));
  CHECK(session.read(points, 1.9F, 1.2F) == 5);
  CHECK(session.read(points, 9.0F, 0.5F) == 3);
  description.filterMode = CU_TR_FILTER_MODE_LINEAR;
  description.flags = CU_TRSF_NORMALIZED_COORDINATES;
  CUtexObject linear = 0;
  DONE(cuTexObjectCreate(&linear, &resource, &description, nullptr));
  CHECK(session.read(linear, 0.25F, 0.25F) == 0.5F);
  CUDA_TEXTURE_DESC kept = {};
  DONE(cuTexObjectGetTextureDesc(&kept, linear));
  CHECK(kept.filterMode == CU_TR_FILTER_MODE_LINEAR);
  CHECK(kept.addressMode[1] == CU_TR_ADDRESS_MODE_CLAMP);
  CHECK(kept.flags == CU_TRSF_NORMALIZED_COORDINATES);
  CUDA_RESOURCE_DESC from = {};
  DONE(cuTexObjectGetResourceDesc(&from, linear));
  CHECK(from.resType == CU_RESOURCE_TYPE_ARRAY);
  CHECK(from.res.array.hArray == array);
  DONE(cuTexObjectDestroy(points));
  DONE(cuTexObjectDestroy(linear));
  CHECK(cuTexObjectGetTextureDesc(&kept, linear) == CUDA_ERROR_INVALID_VALUE);
  DONE(cuArrayDestroy(array));
}

TEST_CASE("small integers are read as fractions, or as integers where the flag says so",
          "[driver]") {
  const ArraySession session;
  CUdeviceptr memory = 0;
  size_t pitch = 0;
  DONE(cuMemAllocPitch(&memory, &pitch, 4, 2, 4));
  DONE(cuMemsetD8(memory, 51, 4));
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_PITCH2D;
  resource.res.pitch2D.devPtr = memory;
  resource.res.pitch2D.format = CU_AD_FORMAT_UNSIGNED_INT8;
  resource.res.pitch2D.numChannels = 1;
  resource.res.pitch2D.width = 4;
  resource.res.pitch2D.height = 2;
  resource.res.pitch2D.pitchInBytes = pitch;
  CUDA_TEXTURE_DESC description = {};
  CUtexObject fractions = 0;
  DONE(cuTexObjectCreate(&fractions, &resource, &description, nullptr));
  CHECK(session.read(fractions, 1.0F, 0.0F) == 0.2F);
  DONE(cuTexObjectDestroy(fractions));

  resource = {};
  resource.resType = CU_RESOURCE_TYPE_LINEAR;
  resource.res.linear.devPtr = memory;
  resource.res.linear.format = CU_AD_FORMAT_UNSIGNED_INT8;
  resource.res.linear.numChannels = 1;
  resource.res.linear.sizeInBytes = 4;
  description.flags = CU_TRSF_READ_AS_INTEGER;
  CUtexObject integers = 0;
  DONE(cuTexObjectCreate(&integers, &resource, &description, nullptr));
  CHECK(session.read(integers, 3) == 51);
  CUDA_RESOURCE_DESC kept = {};
  DONE(cuTexObjectGetResourceDesc(&kept, integers));
  CHECK(kept.resType == CU_RESOURCE_TYPE_LINEAR);
  CHECK(kept.res.linear.format == CU_AD_FORMAT_UNSIGNED_INT8);
  CHECK(kept.res.linear.sizeInBytes == 4);
  DONE(cuTexObjectDestroy(integers));
  resource.res.linear.devPtr = memory + 4;  // not aligned
  CHECK(cuTexObjectCreate(&integers, &resource, &description, nullptr) == CUDA_ERROR_INVALID_VALUE);
  resource.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
  CHECK(cuTexObjectCreate(&integers, &resource, &description, nullptr) == CUDA_ERROR_INVALID_VALUE);
  DONE(cuMemFree(memory));
}

TEST_CASE("a surface is written by a kernel and copied from its array", "[driver]") {
  const ArraySession session;
  CUarray array = make_array(4, 2, 0, CUDA_ARRAY3D_SURFACE_LDST);
  const CUDA_RESOURCE_DESC resource = resource_of(array);
  CUsurfObject surface = 0;
  DONE(cuSurfObjectCreate(&surface, &resource));
  void* parameters[] = {&surface};
  session.launch("write_2d", parameters, 4, 2);
  std::array<unsigned, 8> values = {};
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.srcArray = array;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = values.data();
  copy.WidthInBytes = 16;
  copy.Height = 2;
  DONE(cuMemcpy2D(&copy));
  CHECK(values == std::array<unsigned, 8>{0, 1, 2, 3, 100, 101, 102, 103});
  CUDA_RESOURCE_DESC kept = {};
  DONE(cuSurfObjectGetResourceDesc(&kept, surface));
  CHECK(kept.res.array.hArray == array);
  CHECK(cuTexObjectGetResourceDesc(&kept, surface) == CUDA_ERROR_INVALID_VALUE);
  DONE(cuSurfObjectDestroy(surface));
  DONE(cuArrayDestroy(array));
}

TEST_CASE("arrays are freed with their context", "[driver]") {
  DONE(cuInit(0));
  CUcontext context = nullptr;
#if CUDA_VERSION >= 13000
  DONE(cuCtxCreate(&context, nullptr, 0, 0));
#else
  DONE(cuCtxCreate(&context, 0, 0));
#endif
  size_t before = 0;
  size_t after = 0;
  size_t total = 0;
  DONE(cuMemGetInfo(&before, &total));
  (void)make_array(1024, 1024);
  DONE(cuMemGetInfo(&after, &total));
  CHECK(after < before);
  DONE(cuCtxDestroy(context));
  const ArraySession session;
  DONE(cuMemFree(session.out));
  DONE(cuMemGetInfo(&after, &total));
  CHECK(after == before);
}

TEST_CASE("a cubemap has square faces, six for each layer", "[driver]") {
  const ArraySession session;
  CUDA_ARRAY3D_DESCRIPTOR descriptor = {};
  descriptor.Width = descriptor.Height = 2;
  descriptor.Depth = 5;
  descriptor.Format = CU_AD_FORMAT_FLOAT;
  descriptor.NumChannels = 1;
  descriptor.Flags = CUDA_ARRAY3D_CUBEMAP;
  CUarray array = nullptr;
  CHECK(cuArray3DCreate(&array, &descriptor) == CUDA_ERROR_INVALID_VALUE);

  array = make_array(2, 2, 12, CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_LAYERED);
  const std::vector<float> numbers = counted(48);
  CUDA_MEMCPY3D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = numbers.data();
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  copy.WidthInBytes = 8;
  copy.Height = 2;
  copy.Depth = 12;
  DONE(cuMemcpy3D(&copy));
  const CUDA_RESOURCE_DESC resource = resource_of(array);
  CUDA_TEXTURE_DESC description = {};
  for (CUaddress_mode& mode : description.addressMode) mode = CU_TR_ADDRESS_MODE_CLAMP;
  description.flags = CU_TRSF_NORMALIZED_COORDINATES;
  CUtexObject texture = 0;
  DONE(cuTexObjectCreate(&texture, &resource, &description, nullptr));
  // Each face has four texels: -x and +y, their first column and second row.
  CHECK(session.read_cube(texture, 1, {-2, -1, -1}) == std::array<float, 2>{6, 30});
  CHECK(session.read_cube(texture, 0, {-1, 2, 1}) == std::array<float, 2>{10, 10});
  DONE(cuTexObjectDestroy(texture));
  description.filterMode = CU_TR_FILTER_MODE_LINEAR;
  description.flags |= CU_TRSF_SEAMLESS_CUBEMAP;
  DONE(cuTexObjectCreate(&texture, &resource, &description, nullptr));
  // At their edge, halfway between texel 2 of -x and texel 2 of -y.
  CHECK(session.read_cube(texture, 1, {-1, -1, -0.5F}) == std::array<float, 2>{10, 34});
  DONE(cuTexObjectDestroy(texture));
  DONE(cuArrayDestroy(array));
}
