#include "reference/gpu_bench/cudnn.h"

#include <memory>
#include <stdexcept>

#if __has_include(<cudnn.h>)
#include <cudnn.h>
#include <dlfcn.h>
#define AGAINST_HAS_CUDNN 1
#define AGAINST_QUOTED(text) #text
#define AGAINST_TEXT(macro) AGAINST_QUOTED(macro)
#endif

namespace against {

#ifdef AGAINST_HAS_CUDNN
namespace {

/// The library's functions, by name. Loaded, not linked: the program starts without cuDNN too.
class Library {
 public:
  static const Library& get() {
    static const Library library;
    return library;
  }

#define AGAINST_FUNCTION(name) decltype(&::name) name = load<decltype(&::name)>(#name)
  AGAINST_FUNCTION(cudnnGetErrorString);
  AGAINST_FUNCTION(cudnnCreate);
  AGAINST_FUNCTION(cudnnCreateTensorDescriptor);
  AGAINST_FUNCTION(cudnnSetTensor4dDescriptor);
  AGAINST_FUNCTION(cudnnCreateFilterDescriptor);
  AGAINST_FUNCTION(cudnnSetFilter4dDescriptor);
  AGAINST_FUNCTION(cudnnCreateConvolutionDescriptor);
  AGAINST_FUNCTION(cudnnSetConvolution2dDescriptor);
  AGAINST_FUNCTION(cudnnSetConvolutionMathType);
  AGAINST_FUNCTION(cudnnFindConvolutionForwardAlgorithm);
  AGAINST_FUNCTION(cudnnConvolutionForward);
  AGAINST_FUNCTION(cudnnSoftmaxForward);
#undef AGAINST_FUNCTION

  void check(cudnnStatus_t status, const char* what) const {
    if (status == CUDNN_STATUS_SUCCESS) return;
    throw std::runtime_error(std::string(what) + ": " + this->cudnnGetErrorString(status));
  }

 private:
  template <class Function>
  static Function load(const char* name) {
    static void* const file = dlopen("libcudnn.so." AGAINST_TEXT(CUDNN_MAJOR), RTLD_NOW);
    void* const found = file != nullptr ? dlsym(file, name) : nullptr;
    if (found == nullptr) {
      const char* const reason = dlerror();
      throw std::runtime_error(std::string("cuDNN: ") + (reason != nullptr ? reason : name));
    }
    return reinterpret_cast<Function>(found);
  }
};

struct Plan {
  cudnnHandle_t handle = nullptr;
  cudnnTensorDescriptor_t image = nullptr;
  cudnnFilterDescriptor_t mask = nullptr;
  cudnnConvolutionDescriptor_t convolution = nullptr;
  cudnnConvolutionFwdAlgoPerf_t best{};
  Scratch scratch;

  Plan(int height, int width, int extent) {
    const Library& dnn = Library::get();
    dnn.check(dnn.cudnnCreate(&handle), "cudnnCreate");
    dnn.check(dnn.cudnnCreateTensorDescriptor(&image), "a tensor's descriptor");
    dnn.check(dnn.cudnnSetTensor4dDescriptor(image, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 1,
                                             height, width),
              "a tensor's descriptor");
    dnn.check(dnn.cudnnCreateFilterDescriptor(&mask), "a filter's descriptor");
    dnn.check(dnn.cudnnSetFilter4dDescriptor(mask, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 1, 1,
                                             extent, extent),
              "a filter's descriptor");
    dnn.check(dnn.cudnnCreateConvolutionDescriptor(&convolution), "a convolution's descriptor");
    dnn.check(dnn.cudnnSetConvolution2dDescriptor(convolution, extent / 2, extent / 2, 1, 1, 1, 1,
                                                  CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT),
              "a convolution's descriptor");
    dnn.check(dnn.cudnnSetConvolutionMathType(convolution, CUDNN_FMA_MATH), "choosing float");
    int found = 0;
    dnn.check(dnn.cudnnFindConvolutionForwardAlgorithm(handle, image, mask, convolution, image, 1,
                                                       &found, &best),
              "looking for the fastest algorithm");
    dnn.check(found > 0 ? best.status : CUDNN_STATUS_NOT_SUPPORTED, "the fastest algorithm");
  }

  void run(const float* from, const float* factors, float* to) {
    const Library& dnn = Library::get();
    const float one = 1;
    const float zero = 0;
    dnn.check(dnn.cudnnConvolutionForward(handle, &one, image, from, mask, factors, convolution,
                                          best.algo, scratch.get(best.memory), best.memory, &zero,
                                          image, to),
              "cudnnConvolutionForward");
  }
};

struct Softmax {
  cudnnHandle_t handle = nullptr;
  cudnnTensorDescriptor_t matrix = nullptr;

  Softmax(int rows, int columns) {
    const Library& dnn = Library::get();
    dnn.check(dnn.cudnnCreate(&handle), "cudnnCreate");
    dnn.check(dnn.cudnnCreateTensorDescriptor(&matrix), "a tensor's descriptor");
    dnn.check(dnn.cudnnSetTensor4dDescriptor(matrix, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, rows,
                                             columns, 1, 1),
              "a tensor's descriptor");
  }

  void run(const float* from, float* to) {
    const Library& dnn = Library::get();
    const float one = 1;
    const float zero = 0;
    dnn.check(dnn.cudnnSoftmaxForward(handle, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_INSTANCE,
                                      &one, matrix, from, &zero, matrix, to),
              "cudnnSoftmaxForward");
  }
};

}  // namespace

bool cudnn_found(std::string& why_not) {
  try {
    (void)Library::get();
    return true;
  } catch (const std::exception& e) {
    why_not = e.what();
    return false;
  }
}

Contender cudnn_convolution(int height, int width, int mask) {
  const auto plan = std::make_shared<std::unique_ptr<Plan>>();
  return {"cuDNN", [=](const Buffers& b) {
            if (*plan == nullptr) *plan = std::make_unique<Plan>(height, width, mask);
            (*plan)->run(b.input<float>(0), b.input<float>(1), b.output<float>());
          }};
}

Contender cudnn_softmax(int rows, int columns) {
  const auto softmax = std::make_shared<std::unique_ptr<Softmax>>();
  return {"cuDNN", [=](const Buffers& b) {
            if (*softmax == nullptr) *softmax = std::make_unique<Softmax>(rows, columns);
            (*softmax)->run(b.input<float>(0), b.output<float>());
          }};
}
#else
bool cudnn_found(std::string& why_not) {
  why_not = "built without cuDNN's headers";
  return false;
}

Contender cudnn_convolution(int, int, int) {
  return {"cuDNN", [](const Buffers&) { throw std::runtime_error("built without cuDNN"); }};
}

Contender cudnn_softmax(int, int) {
  return {"cuDNN", [](const Buffers&) { throw std::runtime_error("built without cuDNN"); }};
}
#endif

}  // namespace against
