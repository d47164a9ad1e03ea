#pragma once

/// Gray values of a picture: gray(i, j) = (3 * red + 6 * green + blue) / 10, a division of integers
/// that rounds down. `rgb` has height * width pixels of three bytes each (red, green, blue), row
/// after row; `gray` has a byte per pixel in the same order.
///
/// Both are DEVICE pointers, without alignment, to arrays that do not overlap. Extents are from 0
/// up, and height * width is below 2^29; if one of them is 0 there is nothing to do. Only `gray`
/// may be written. The function need not wait for its kernels.
void to_gray(const unsigned char* rgb, unsigned char* gray, int height, int width);

/// Mean of a square window: blurred(i, j) is the sum of all image(k, l) with |k - i| <= radius and
/// |l - j| <= radius that exist, divided by the number of those that exist, rounded down. Pixels
/// outside the image do not exist: they count neither in the sum nor in the number.
///
/// `image` and `blurred` have height * width bytes, row after row. They are DEVICE pointers,
/// without alignment, to arrays that do not overlap. Extents are as above, `radius` is from 0 to 8
/// and may be larger than the image. Only `blurred` may be written. The function need not wait for
/// its kernels.
void box_blur(const unsigned char* image, unsigned char* blurred, int height, int width,
              int radius);
