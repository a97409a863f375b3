#pragma once
#include <CPixels.h>
#include <stddef.h>
#include <stdint.h>

// JPEG with the system's libjpeg, loaded at the first image. Written in C, because libjpeg reports errors by `longjmp`
// only. May be used on any thread.

/// Encodes full-range planes with a quality of 1 to 100. `change` converts them to BT.601, the matrix of JPEG. On success,
/// `*bytes` is memory of `*size` bytes, to be released with `free`. Otherwise returns a message that is never released.
const char *cjpeg_encode(
    const cpixels_planes *planes, const cpixels_change *change, int quality, uint8_t **bytes, size_t *size);

/// Reads the size of an encoded image. Returns a message, or NULL on success.
const char *cjpeg_read_size(const uint8_t *bytes, size_t size, int *width, int *height);

/// Decodes an image into full-range planes of its size. Returns a message, or NULL on success.
const char *cjpeg_decode(const uint8_t *bytes, size_t size, const cpixels_planes *planes);
