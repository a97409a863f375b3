#include "CPixels.h"

#include <string.h>

void cpixels_copy_rows(const uint8_t *source, size_t source_stride, uint8_t *target, size_t target_stride, size_t count,
                       size_t rows) {
  if (source_stride == target_stride && source_stride == count) {
    memcpy(target, source, count * rows);
    return;
  }
  for (size_t row = 0; row < rows; row++) memcpy(target + row * target_stride, source + row * source_stride, count);
}

void cpixels_translate(uint8_t *bytes, size_t count, const uint8_t *table) {
  for (size_t i = 0; i < count; i++) bytes[i] = table[bytes[i]];
}

void cpixels_interleave(const uint8_t *restrict first, const uint8_t *restrict second, uint8_t *restrict pairs, size_t count) {
  for (size_t i = 0; i < count; i++) {
    pairs[2 * i] = first[i];
    pairs[2 * i + 1] = second[i];
  }
}

void cpixels_deinterleave(const uint8_t *restrict pairs, uint8_t *restrict first, uint8_t *restrict second, size_t count) {
  for (size_t i = 0; i < count; i++) {
    first[i] = pairs[2 * i];
    second[i] = pairs[2 * i + 1];
  }
}

uint64_t cpixels_sum(const uint8_t *bytes, size_t stride, size_t count, size_t rows) {
  uint64_t sum = 0;
  for (size_t row = 0; row < rows; row++)
    for (size_t i = 0; i < count; i++) sum += bytes[row * stride + i];
  return sum;
}
