// One of several separately compiled units.
extern __device__ int elsewhere(int);
extern __device__ int external_value;
extern __constant__ float external_weights[];
__device__ int defined_here = 4;
__device__ int exported(int a) {
  return a + 1;
}

__global__ void separate(int* out, const float4* in) {
  const float4 v = in[threadIdx.x];
  out[0] = elsewhere(out[1]) + external_value + (int)external_weights[2] + exported(3) +
           defined_here + (int)(v.x * v.y + v.z / v.w);
}
