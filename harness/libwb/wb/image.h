#pragma once

#include "base.h"

/// Floats from 0 to 1, row by row, `channels` of them per pixel.
struct st_wbImage_t {
  int width;
  int height;
  int channels;
  int pitch;
  float* data;
};
typedef struct st_wbImage_t* wbImage_t;

#define wbImage_channels 3

#define wbImage_getWidth(image) ((image)->width)
#define wbImage_getHeight(image) ((image)->height)
#define wbImage_getChannels(image) ((image)->channels)
#define wbImage_getPitch(image) ((image)->pitch)
#define wbImage_getData(image) ((image)->data)
#define wbImage_setWidth(image, value) (wbImage_getWidth(image) = value)
#define wbImage_setHeight(image, value) (wbImage_getHeight(image) = value)
#define wbImage_setChannels(image, value) (wbImage_getChannels(image) = value)
#define wbImage_setPitch(image, value) (wbImage_getPitch(image) = value)
#define wbImage_setData(image, value) (wbImage_getData(image) = value)

/// @param data  taken over; to be freed by wbImage_delete()
inline wbImage_t wbImage_new(int width, int height, int channels, float* data) {
  wbImage_t image = static_cast<wbImage_t>(malloc(sizeof(struct st_wbImage_t)));
  image->width = width;
  image->height = height;
  image->channels = channels;
  image->pitch = width * channels;
  image->data = data;
  return image;
}

inline wbImage_t wbImage_new(int width, int height, int channels = wbImage_channels) {
  const size_t count =
      static_cast<size_t>(width) * static_cast<size_t>(height) * static_cast<size_t>(channels);
  return wbImage_new(width, height, channels,
                     static_cast<float*>(calloc(count > 0 ? count : 1, sizeof(float))));
}

inline void wbImage_delete(wbImage_t image) {
  if (image) free(image->data);
  free(image);
}

inline wbBool wbImage_sameQ(wbImage_t a, wbImage_t b) {
  if (!a || !b || a->width != b->width || a->height != b->height || a->channels != b->channels) {
    return wbFalse;
  }
  const size_t count = static_cast<size_t>(a->width) * static_cast<size_t>(a->height) *
                       static_cast<size_t>(a->channels);
  for (size_t i = 0; i < count; ++i) {
    const float error = a->data[i] - b->data[i];
    // Two of the 255 levels that a file has.
    if (!(error <= 2.0f / 255 && -error <= 2.0f / 255)) return wbFalse;
  }
  return wbTrue;
}
