#pragma once

/// A layer of a convolutional network for a batch of images: convolution, average over windows of
/// 2 x 2, bias and sigmoid.
///
/// With H = height - mask + 1 and W = width - mask + 1, output map m of image b has before pooling
///
///   y(b, m, r, c) = sum over k, p, q of weights(m, k, p, q) * images(b, k, r + p, c + q)
///
/// for r < H, c < W, all k < channels and all p, q < mask: the mask is not flipped, and only
/// positions are used at which it lies within the image. Pooling takes the mean a(b, m, i, j) of
/// y(b, m, r, c) for r = 2 i, 2 i + 1 and c = 2 j, 2 j + 1; where H or W is odd, the last window is
/// cut off at the edge, and the mean is that of the two values, or one, which exist. Finally
///
///   out(b, m, i, j) = 1 / (1 + exp(-(a(b, m, i, j) + bias(m)))).
///
/// All arrays are dense, with the last index fastest: `images` is [batch][channels][height][width],
/// `weights` [maps][channels][mask][mask], `bias` [maps], and `out`
/// [batch][maps][ceil(H / 2)][ceil(W / 2)]. They are DEVICE pointers, aligned to 4 bytes and no
/// more, and do not overlap. `batch` is from 0 up, and with 0 there is nothing to do. `channels`
/// and `maps` are from 1 to 4096, `mask` is from 1 to 31 and no larger than height and width. Each
/// of the arrays, and the values before pooling, have fewer than 2^31 elements. No value is NaN,
/// and only `bias` may have infinite ones. Sums may be formed in any order. Only `out` may be
/// written. The function may allocate device memory, which it frees before it returns; it need not
/// wait for its kernels.
void network_layer(const float* images, const float* weights, const float* bias, float* out,
                   int batch, int channels, int height, int width, int maps, int mask);
