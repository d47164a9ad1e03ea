#include "emulator/libraries/tests/cufft_on_card/statuses.h"

#include <cuda_runtime.h>
#include <cufft.h>
#include <cufftXt.h>

#include <cstdio>
#include <functional>
#include <vector>

#include "emulator/libraries/tests/device_array.h"

namespace cufft_on_card {

void record_statuses() {
  const DeviceArray<cufftDoubleComplex> data(std::vector<cufftDoubleComplex>(1024));
  auto* const single = reinterpret_cast<cufftComplex*>(data.get());
  int sizes[] = {4, 4, 4, 4}, embed[] = {4, 4, 4};
  const auto line = [](const char* name, int status) { std::printf("%s||%d||\n", name, status); };
  const auto planned = [&](const char* name, const std::function<int(cufftHandle*)>& make_plan) {
    cufftHandle plan = CUFFT_PLAN_NULL;
    line(name, make_plan(&plan));
    cufftDestroy(plan);
  };
  const auto one = [&](const char* name, int size, int type, int batch) {
    planned(name, [=](cufftHandle* plan) {
      return cufftPlan1d(plan, size, static_cast<cufftType>(type), batch);
    });
  };
  one("size 0", 0, CUFFT_C2C, 1);
  one("size -1", -1, CUFFT_C2C, 1);
  one("batch 0", 16, CUFFT_C2C, 0);
  one("type 0", 16, 0, 1);
  const auto many = [&](const char* name, int rank, int* in, int stride, int distance, int* out) {
    planned(name, [&](cufftHandle* plan) {
      return cufftPlanMany(plan, rank, sizes, in, stride, distance, out, 1, 16, CUFFT_C2C, 2);
    });
  };
  many("rank 0", 0, nullptr, 1, 0, nullptr);
  many("rank 4", 4, nullptr, 1, 0, nullptr);
  many("basic layout with stride 0", 2, nullptr, 0, 0, nullptr);
  many("stride 0", 2, embed, 0, 16, embed);
  many("distance 0", 2, embed, 1, 0, embed);
  many("distance -1", 2, embed, 1, -1, embed);
  many("only inembed", 2, embed, 1, 16, nullptr);
  many("only onembed", 2, nullptr, 1, 16, embed);
  line("destroy CUFFT_PLAN_NULL", cufftDestroy(CUFFT_PLAN_NULL));
  line("destroy 4711", cufftDestroy(4711));
  std::size_t bytes = 0;
  planned("run before made", [&](cufftHandle* plan) {
    cufftCreate(plan);
    return cufftExecC2C(*plan, single, single, CUFFT_FORWARD);
  });
  planned("size before made", [&](cufftHandle* plan) {
    cufftCreate(plan);
    return cufftGetSize(*plan, &bytes);
  });
  planned("made without workSize", [](cufftHandle* plan) {
    cufftCreate(plan);
    return cufftMakePlan1d(*plan, 16, CUFFT_C2C, 1, nullptr);
  });
  const auto run = [&](const char* name, cufftType type,
                       const std::function<int(cufftHandle)>& call) {
    planned(name, [&](cufftHandle* plan) {
      cufftPlan1d(plan, 16, type, 1);
      return call(*plan);
    });
  };
  run("made twice", CUFFT_C2C,
      [&](cufftHandle plan) { return cufftMakePlan1d(plan, 16, CUFFT_C2C, 1, &bytes); });
  run("direction 0", CUFFT_C2C,
      [&](cufftHandle plan) { return cufftExecC2C(plan, single, single, 0); });
  run("output is null", CUFFT_C2C,
      [&](cufftHandle plan) { return cufftExecC2C(plan, single, nullptr, CUFFT_FORWARD); });
  run("Z2Z of a plan of C2C", CUFFT_C2C,
      [&](cufftHandle plan) { return cufftExecZ2Z(plan, data.get(), data.get(), CUFFT_FORWARD); });
  run("inverse R2C", CUFFT_R2C,
      [&](cufftHandle plan) { return cufftXtExec(plan, single, single, CUFFT_INVERSE); });
  auto* const words = reinterpret_cast<float*>(single);
  run("real numbers at 4 bytes", CUFFT_R2C,
      [&](cufftHandle plan) { return cufftExecR2C(plan, words + 1, single + 64); });
  run("complex numbers at 4 bytes", CUFFT_C2C, [&](cufftHandle plan) {
    return cufftExecC2C(plan, reinterpret_cast<cufftComplex*>(words + 1), single + 64,
                        CUFFT_FORWARD);
  });
}

}  // namespace cufft_on_card
