#include "CPixels.h"

#include <string.h>

typedef int16_t shorts __attribute__((vector_size(16)));
typedef int32_t ints __attribute__((vector_size(32)));
typedef int32_t half_ints __attribute__((vector_size(16)));

#define inlined static inline __attribute__((always_inline))

/// Adds the products of four rows and their weights to a line, or sets the line to them. The sums are at most 255 *
/// 256, which fit into 16 bits. `shift` halves the sums on request, for the signed numbers of `products`. The callers
/// pass constants, so the compiler creates a vectorised loop for each case.
inlined void add(uint16_t *restrict line, const uint8_t *const rows[4], const uint16_t weights[4], int count, const int used,
                 const int adds, int shift) {
  for (int x = 0; x < count; x++) {
    uint16_t sum = adds ? line[x] : 0;
    for (int row = 0; row < used; row++) sum = (uint16_t)(sum + rows[row][x] * weights[row]);
    line[x] = (uint16_t)(sum >> shift);
  }
}

static void mix(uint16_t *line, const uint8_t *const rows[4], const int16_t *weights, int count, int is_first, int shift) {
  const uint16_t all[4] = {(uint16_t)weights[0], (uint16_t)weights[1], (uint16_t)weights[2], (uint16_t)weights[3]};
  const int used = all[3] ? 4 : all[2] ? 3 : 2;
  if (!is_first) return used == 2 ? add(line, rows, all, count, 2, 1, shift) : add(line, rows, all, count, 4, 1, shift);
  if (used == 2) return add(line, rows, all, count, 2, 0, shift);
  used == 3 ? add(line, rows, all, count, 3, 0, shift) : add(line, rows, all, count, 4, 0, shift);
}

/// Writes an output row from pairs of samples.
inlined void blend(const uint16_t *line, const cpixels_filter *columns, uint8_t *target, int width, const int sample_bytes) {
  for (int x = 0; x < width; x++) {
    const uint16_t *first = line + columns->firsts[x] * sample_bytes;
    const uint32_t weight = (uint32_t)columns->weights[4 * x + 1];
    for (int byte = 0; byte < sample_bytes; byte++) {
      // One multiplication instead of two. The sum is at most 255 * 65,536 and a half.
      const uint32_t left = first[byte], right = first[byte + sample_bytes];
      target[x * sample_bytes + byte] = (uint8_t)(((left << 8) + (right - left) * weight + 32768) >> 16);
    }
  }
}

/// Returns the sums of adjacent products. This is a single CPU instruction.
inlined half_ints products(shorts numbers, shorts weights) {
  const ints all = __builtin_convertvector(numbers, ints) * __builtin_convertvector(weights, ints);
  return __builtin_shufflevector(all, all, 0, 2, 4, 6) + __builtin_shufflevector(all, all, 1, 3, 5, 7);
}

inlined shorts eight(const int16_t *first, const int16_t *second) {
  shorts all;
  memcpy(&all, first, 8);
  memcpy((int16_t *)&all + 4, second, 8);
  return all;
}

/// Returns two partial sums for an output byte, and two for the next one.
inlined half_ints sums(const int16_t *line, const cpixels_filter *columns, int byte, const int groups, const int sample_bytes) {
  half_ints sums = {0, 0, 0, 0};
  for (int group = 0; group < groups; group++) {
    const int16_t *weights = columns->weights + 4 * (group * columns->count + byte / sample_bytes);
    const int32_t *firsts = columns->firsts + byte / sample_bytes;
    if (sample_bytes == 1) {
      sums += products(eight(line + firsts[0] + 4 * group, line + firsts[1] + 4 * group), eight(weights, weights + 4));
    } else {
      const int16_t *pairs = line + 2 * (firsts[0] + 4 * group);
      const shorts all = eight(pairs, pairs + 4);
      sums += products(__builtin_shufflevector(all, all, 0, 2, 4, 6, 1, 3, 5, 7), eight(weights, weights));
    }
  }
  return sums;
}

/// Writes an output row from more than two samples each, four bytes at a time.
inlined void average(const uint16_t *line, const cpixels_filter *columns, uint8_t *target, int width, const int groups,
                     const int sample_bytes) {
  const int16_t *samples = (const int16_t *)line;
  const int count = width * sample_bytes;
  for (int byte = 0; byte < count; byte += 4) {
    const half_ints left = sums(samples, columns, byte, groups, sample_bytes);
    const half_ints right = sums(samples, columns, byte + 2, groups, sample_bytes);
    // At most 255 * 32,768 and a half.
    const half_ints sum = (__builtin_shufflevector(left, right, 0, 2, 4, 6) + __builtin_shufflevector(left, right, 1, 3, 5, 7)
                           + 16384) >> 15;
    for (int i = 0; i < 4 && byte + i < count; i++) target[byte + i] = (uint8_t)sum[i];
  }
}

static void write_row(const uint16_t *line, const cpixels_filter *columns, uint8_t *target, int width, int sample_bytes) {
  const int groups = columns->groups, is_byte = sample_bytes == 1;
  if (columns->taps <= 2) return is_byte ? blend(line, columns, target, width, 1) : blend(line, columns, target, width, 2);
  if (groups > 1 && is_byte) return average(line, columns, target, width, groups, 1);
  if (groups > 1) return average(line, columns, target, width, groups, 2);
  is_byte ? average(line, columns, target, width, 1, 1) : average(line, columns, target, width, 1, 2);
}

void cpixels_scale(const uint8_t *source, size_t source_stride, int width, int height, uint8_t *target, size_t target_stride,
                   int target_width, int target_height, int sample_bytes, const cpixels_filter *columns,
                   const cpixels_filter *rows, uint16_t *line) {
  for (int y = 0; y < target_height; y++) {
    // The rows are mixed first, into a line of numbers with 7 or 8 fractional bits. Then the columns of the line become
    // the output row.
    for (int group = 0; group < rows->groups; group++) {
      const uint8_t *four[4];
      for (int i = 0; i < 4; i++) {
        // Below the last row, weights are zero.
        const int row = rows->firsts[y] + 4 * group + i;
        four[i] = source + (size_t)(row < height ? row : height - 1) * source_stride;
      }
      const int shift = columns->taps > 2 && group == rows->groups - 1;
      mix(line, four, rows->weights + 4 * (group * rows->count + y), width * sample_bytes, group == 0, shift);
    }
    write_row(line, columns, target + (size_t)y * target_stride, target_width, sample_bytes);
  }
}
