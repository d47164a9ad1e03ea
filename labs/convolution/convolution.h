#pragma once

/// Convolves an image with a mask: for 0 <= r < height and 0 <= c < width
///
///   result[r][c] = sum over i, j of mask[i][j] * image[r + i - mask_height / 2]
///                                                     [c + j - mask_width / 2]
///
/// with 0 <= i < mask_height and 0 <= j < mask_width. The mask is NOT flipped (the literature also
/// calls this cross-correlation). Pixels outside the image ("ghost cells") count as 0.
///
/// image and result are height x width floats, mask is mask_height x mask_width floats, all
/// row-major without padding. They are DEVICE pointers, aligned to 4 bytes and no more, and do not
/// overlap. Image and mask must be left as they are; every element of the result must be written.
///
/// height and width are from 0 to 100000, their product is below 2^31. If one of them is 0 there is
/// nothing to do and no kernel may be launched. The extents of the mask are odd, from 1 to 31; they
/// may differ, and may be larger than those of the image.
///
/// The caller owns the three buffers. Scratch memory that the function allocates it must free. It
/// need not wait for its kernels.
void convolution(const float* image, const float* mask, float* result, int height, int width,
                 int mask_height, int mask_width);
