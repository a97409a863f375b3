#pragma once
#include <CPixels.h>
#include <stddef.h>
#include <stdint.h>

// JPEG by the system's libjpeg, which is loaded with the first picture. In C, because libjpeg leaves a function with an
// error by `longjmp` only. Usable from any thread.

/// Encodes full-range planes by a change to the matrix of BT.601, which JPEG has, with a quality of 1 to 100. On success `*bytes`
/// is memory of `*size` bytes, to be released with `free`. Otherwise the result is a message, which is never released.
const char *cjpeg_encode(
    const cpixels_planes *planes, const cpixels_change *change, int quality, uint8_t **bytes, size_t *size);

/// Reads the size of an encoded picture. The result is a message, or NULL on success.
const char *cjpeg_read_size(const uint8_t *bytes, size_t size, int *width, int *height);

/// Decodes a picture into full-range planes of its size. The result is a message, or NULL on success.
const char *cjpeg_decode(const uint8_t *bytes, size_t size, const cpixels_planes *planes);
