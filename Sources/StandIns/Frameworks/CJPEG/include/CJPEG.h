#pragma once
#include <CPixels.h>
#include <stddef.h>
#include <stdint.h>

// JPEG by the system's libjpeg, which is loaded with the first picture. In C, because libjpeg leaves a function with an
// error by `longjmp` only. Usable from any thread.

/// Writes row `y` of a picture: Y, Cb and Cr of each pixel, full range, by the matrix of BT.601, which JPEG has.
typedef void (*cjpeg_row)(const void *context, int y, uint8_t *row);

/// Encodes the rows that `row_of` writes, with a quality of 1 to 100. On success `*bytes` is memory of `*size` bytes, to be
/// released with `free`. Otherwise the result is a message, which is never released.
const char *cjpeg_encode(
    int width, int height, cjpeg_row row_of, const void *context, int quality, uint8_t **bytes, size_t *size);

/// Reads the size of an encoded picture. The result is a message, or NULL on success.
const char *cjpeg_read_size(const uint8_t *bytes, size_t size, int *width, int *height);

/// Decodes a picture into full-range planes of its size. The result is a message, or NULL on success.
const char *cjpeg_decode(const uint8_t *bytes, size_t size, const cpixels_planes *planes);
