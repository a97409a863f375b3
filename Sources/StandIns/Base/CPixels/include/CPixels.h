#pragma once
#include <stddef.h>
#include <stdint.h>

// Loops over all pixels of a picture. In C, because a build without optimisation runs them several times faster than Swift.

/// Pixels of four bytes.
typedef struct {
  uint8_t *bytes;
  size_t bytes_per_row;
  int width;
  int height;
} cpixels_bitmap;

/// The planes of 420f or 420v.
typedef struct {
  int width;
  int height;
  uint8_t *luma;
  size_t luma_bytes_per_row;
  uint8_t *chroma;
  size_t chroma_bytes_per_row;
} cpixels_planes;

/// Fills a bitmap of blue, green, red and alpha from planes. `red` and `blue` are their parts in luma.
void cpixels_bgra_from_planes(const cpixels_planes *planes, const cpixels_bitmap *bgra, double red, double blue, int is_full);

/// Fills full-range planes from a bitmap of blue, green, red and alpha.
void cpixels_planes_from_bgra(const cpixels_bitmap *bgra, const cpixels_planes *planes, double red, double blue);

/// Copies pixels of the same size; byte `order[i]` of a source pixel becomes byte `i`, and 255 for -1.
void cpixels_copy(const cpixels_bitmap *source, const cpixels_bitmap *target, const int order[4]);

/// Draws `source` into the rectangle of `target` from `left`, `top` to before `right`, `bottom`. The centre of a pixel at x, y is
/// taken from `matrix` (a, b, c, d, tx, ty) in `source`, and kept where that is outside. Byte `order[i]` of a source pixel
/// becomes byte `i`, and 255 for -1. A pixel is the mean of `taps` × `taps` places, which are interpolated unless `is_nearest`.
void cpixels_draw(const cpixels_bitmap *source, const cpixels_bitmap *target, int left, int top, int right, int bottom,
                  const double matrix[6], const int order[4], int taps, int is_nearest);
