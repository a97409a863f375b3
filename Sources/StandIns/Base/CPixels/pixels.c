#include "CPixels.h"

#include <math.h>

static uint8_t byte_of(int value) { return value < 0 ? 0 : value > 255 ? 255 : (uint8_t)value; }

void cpixels_bgra_from_planes(const cpixels_planes *planes, const cpixels_bitmap *bgra, double red, double blue, int is_full) {
  const double luma_scale = is_full ? 1 : 255.0 / 219, chroma_scale = is_full ? 1 : 255.0 / 224;
  const double green = 1 - red - blue, one = 65536;
  const int y_scale = (int)lround(luma_scale * one), y_offset = is_full ? 0 : 16;
  const int cr_red = (int)lround(2 * (1 - red) * chroma_scale * one);
  const int cb_blue = (int)lround(2 * (1 - blue) * chroma_scale * one);
  const int cr_green = (int)lround(2 * (1 - red) * red / green * chroma_scale * one);
  const int cb_green = (int)lround(2 * (1 - blue) * blue / green * chroma_scale * one);
  for (int y = 0; y < bgra->height; y++) {
    const uint8_t *luma = planes->luma + (size_t)y * planes->luma_bytes_per_row;
    const uint8_t *chroma = planes->chroma + (size_t)(y / 2) * planes->chroma_bytes_per_row;
    uint8_t *pixel = bgra->bytes + (size_t)y * bgra->bytes_per_row;
    for (int x = 0; x < bgra->width; x++, pixel += 4) {
      const int light = (luma[x] - y_offset) * y_scale + 32768;
      const int cb = chroma[x / 2 * 2] - 128, cr = chroma[x / 2 * 2 + 1] - 128;
      pixel[0] = byte_of((light + cb * cb_blue) >> 16);
      pixel[1] = byte_of((light - cb * cb_green - cr * cr_green) >> 16);
      pixel[2] = byte_of((light + cr * cr_red) >> 16);
      pixel[3] = 255;
    }
  }
}

void cpixels_planes_from_bgra(const cpixels_bitmap *bgra, const cpixels_planes *planes, double red, double blue) {
  const double one = 65536;
  const int r = (int)lround(red * one), b = (int)lround(blue * one), g = 65536 - r - b;
  // The scale includes a factor of 1/4, because chroma comes from the mean of four pixels.
  const double cb = one / (8 * (1 - blue)), cr = one / (8 * (1 - red));
  for (int y = 0; y < bgra->height; y += 2) {
    const int rows = y + 1 < bgra->height ? 2 : 1;
    uint8_t *chroma = planes->chroma + (size_t)(y / 2) * planes->chroma_bytes_per_row;
    for (int x = 0; x < bgra->width; x += 2) {
      int blues = 0, reds = 0, lights = 0;
      for (int place = 0; place < 4; place++) {
        const int row = y + (place / 2 < rows ? place / 2 : 0);
        const int column = x + (place % 2 && x + 1 < bgra->width ? 1 : 0);
        const uint8_t *pixel = bgra->bytes + (size_t)row * bgra->bytes_per_row + (size_t)column * 4;
        const int light = (pixel[0] * b + pixel[1] * g + pixel[2] * r + 32768) >> 16;
        planes->luma[(size_t)row * planes->luma_bytes_per_row + (size_t)column] = byte_of(light);
        lights += light;
        blues += pixel[0];
        reds += pixel[2];
      }
      chroma[x] = byte_of((int)floor((blues - lights) * cb / one + 128.5));
      chroma[x + 1] = byte_of((int)floor((reds - lights) * cr / one + 128.5));
    }
  }
}

static uint8_t changed(int start, int cb, int cr, const uint8_t *sample) {
  return byte_of((start * 65536 + cb * (sample[1] - 128) + cr * (sample[2] - 128) + 32768) >> 16);
}

void cpixels_change_sample(const cpixels_change *change, const uint8_t sample[3], uint8_t result[3]) {
  result[0] = changed(sample[0], change->luma_cb, change->luma_cr, sample);
  result[1] = changed(128, change->cb_cb, change->cb_cr, sample);
  result[2] = changed(128, change->cr_cb, change->cr_cr, sample);
}

void cpixels_write_row(const cpixels_planes *planes, const cpixels_change *change, int y, uint8_t *row) {
  const uint8_t *luma = planes->luma + (size_t)y * planes->luma_bytes_per_row;
  const uint8_t *chroma = planes->chroma + (size_t)(y / 2) * planes->chroma_bytes_per_row;
  for (int x = 0; x < planes->width; x++, row += 3) {
    const uint8_t sample[3] = {luma[x], chroma[x & ~1], chroma[x | 1]};
    cpixels_change_sample(change, sample, row);
  }
}

void cpixels_change_planes(const cpixels_planes *planes, const cpixels_change *change) {
  for (int y = 0; y < planes->height; y++) {
    uint8_t *luma = planes->luma + (size_t)y * planes->luma_bytes_per_row;
    const uint8_t *chroma = planes->chroma + (size_t)(y / 2) * planes->chroma_bytes_per_row;
    for (int x = 0; x < planes->width; x++) {
      const uint8_t sample[3] = {luma[x], chroma[x & ~1], chroma[x | 1]};
      luma[x] = changed(sample[0], change->luma_cb, change->luma_cr, sample);
    }
  }
  for (int y = 0; y < (planes->height + 1) / 2; y++) {
    uint8_t *chroma = planes->chroma + (size_t)y * planes->chroma_bytes_per_row;
    for (int x = 0; x < planes->width; x += 2) {
      const uint8_t sample[3] = {0, chroma[x], chroma[x + 1]};
      uint8_t result[3];
      cpixels_change_sample(change, sample, result);
      chroma[x] = result[1];
      chroma[x + 1] = result[2];
    }
  }
}

void cpixels_write_rgb(const cpixels_planes *planes, const int *tables, int x, int y, int step_x, int step_y, size_t count,
                       uint8_t *row) {
  for (size_t i = 0; i < count; i++, x += step_x, y += step_y, row += 3) {
    const uint8_t *pair = planes->chroma + (size_t)(y / 2) * planes->chroma_bytes_per_row + x / 2 * 2;
    const int light = tables[planes->luma[(size_t)y * planes->luma_bytes_per_row + (size_t)x]] + 32768;
    row[0] = byte_of((light + tables[256 + pair[1]]) >> 16);
    row[1] = byte_of((light + tables[512 + pair[0]] + tables[768 + pair[1]]) >> 16);
    row[2] = byte_of((light + tables[1024 + pair[0]]) >> 16);
  }
}

void cpixels_copy(const cpixels_bitmap *source, const cpixels_bitmap *target, const int order[4]) {
  for (int y = 0; y < target->height; y++) {
    const uint8_t *from = source->bytes + (size_t)y * source->bytes_per_row;
    uint8_t *to = target->bytes + (size_t)y * target->bytes_per_row;
    for (int x = 0; x < target->width; x++, from += 4, to += 4)
      for (int i = 0; i < 4; i++) to[i] = order[i] < 0 ? 255 : from[order[i]];
  }
}

static int limited(int value, int end) { return value < 0 ? 0 : value >= end ? end - 1 : value; }

void cpixels_draw(const cpixels_bitmap *source, const cpixels_bitmap *target, int left, int top, int right, int bottom,
                  const double matrix[6], const int order[4], int taps, int is_nearest) {
  for (int y = top; y < bottom; y++) {
    uint8_t *to = target->bytes + (size_t)y * target->bytes_per_row + (size_t)left * 4;
    for (int x = left; x < right; x++, to += 4) {
      const double cx = x + 0.5, cy = y + 0.5;
      const double sx = matrix[0] * cx + matrix[2] * cy + matrix[4], sy = matrix[1] * cx + matrix[3] * cy + matrix[5];
      if (sx < 0 || sy < 0 || sx >= source->width || sy >= source->height) continue;
      double sums[4] = {0, 0, 0, 0};
      for (int tap = 0; tap < taps * taps; tap++) {
        const double dx = (tap % taps + 0.5) / taps - 0.5, dy = (tap / taps + 0.5) / taps - 0.5;
        const double px = sx + matrix[0] * dx + matrix[2] * dy, py = sy + matrix[1] * dx + matrix[3] * dy;
        if (is_nearest) {
          const uint8_t *from = source->bytes + (size_t)limited((int)floor(py), source->height) * source->bytes_per_row
                                + (size_t)limited((int)floor(px), source->width) * 4;
          for (int i = 0; i < 4; i++) sums[i] += from[i];
          continue;
        }
        const double fx = floor(px - 0.5), fy = floor(py - 0.5), wx = px - 0.5 - fx, wy = py - 0.5 - fy;
        const size_t x0 = (size_t)limited((int)fx, source->width) * 4, x1 = (size_t)limited((int)fx + 1, source->width) * 4;
        const uint8_t *row0 = source->bytes + (size_t)limited((int)fy, source->height) * source->bytes_per_row;
        const uint8_t *row1 = source->bytes + (size_t)limited((int)fy + 1, source->height) * source->bytes_per_row;
        for (int i = 0; i < 4; i++)
          sums[i] += (row0[x0 + i] * (1 - wx) + row0[x1 + i] * wx) * (1 - wy) + (row1[x0 + i] * (1 - wx) + row1[x1 + i] * wx) * wy;
      }
      for (int i = 0; i < 4; i++) to[i] = order[i] < 0 ? 255 : byte_of((int)floor(sums[order[i]] / (taps * taps) + 0.5));
    }
  }
}
