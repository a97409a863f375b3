#include "CPixels.h"

#include <string.h>

/// Eight rows of eight bytes.
typedef uint64_t words __attribute__((vector_size(64)));
typedef uint64_t half_words __attribute__((vector_size(32)));

static uint64_t load(const uint8_t *bytes) {
  uint64_t word;
  memcpy(&word, bytes, 8);
  return word;
}

/// Reverses the order of eight samples of one byte, or of four samples of two bytes.
static inline uint64_t reversed(uint64_t word, size_t sample_bytes) {
  const uint64_t swapped = __builtin_bswap64(word), mask = 0x00FF00FF00FF00FF;
  return sample_bytes == 1 ? swapped : (swapped >> 8 & mask) | (swapped & mask) << 8;
}

/// Exchanges halves of squares between the words of the lower and the upper half. Then shuffles the words, so that
/// three exchanges restore their order.
static inline void exchange(words *all, int shift, uint64_t mask) {
  half_words low = __builtin_shufflevector(*all, *all, 0, 1, 2, 3), high = __builtin_shufflevector(*all, *all, 4, 5, 6, 7);
  const half_words difference = (low >> shift ^ high) & mask;
  high ^= difference;
  low ^= difference << shift;
  *all = __builtin_shufflevector(low, high, 0, 4, 1, 5, 2, 6, 3, 7);
}

/// Transposes a square of 8 × 8 bytes, or two squares of 4 × 4 pairs of bytes.
static inline void transpose(words *all, size_t sample_bytes) {
  // For pairs of bytes, the first exchange only shuffles.
  if (sample_bytes == 2) exchange(all, 0, 0);
  exchange(all, 32, 0x00000000FFFFFFFF);
  exchange(all, 16, 0x0000FFFF0000FFFF);
  if (sample_bytes == 1) exchange(all, 8, 0x00FF00FF00FF00FF);
}

static size_t limited(size_t value, size_t end) { return value < end ? value : end; }

/// Inlined for a constant number of bytes. The last words and blocks end at the edge of the plane, and overlap the previous ones.
static inline __attribute__((always_inline)) void turn(const uint8_t *source, ptrdiff_t first, ptrdiff_t column, ptrdiff_t line,
                                                       uint8_t *target, size_t stride, size_t width, size_t height,
                                                       const size_t sample_bytes, int is_half) {
  // The number of samples in a word.
  const size_t side = 8 / sample_bytes;
  if (width < 8 || height < side) {
    for (size_t y = 0; y < height; y++)
      for (size_t x = 0; x < width; x++)
        memcpy(target + y * stride + x * sample_bytes, source + first + (ptrdiff_t)y * line + (ptrdiff_t)x * column,
               sample_bytes);
    return;
  }
  if (is_half) {
    for (size_t y = 0; y < height; y++)
      for (size_t next = 0; next < width; next += side) {
        const size_t x = limited(next, width - side);
        const uint64_t word = reversed(
            load(source + first + (ptrdiff_t)y * line + (ptrdiff_t)(x + side - 1) * column), sample_bytes);
        memcpy(target + y * stride + x * sample_bytes, &word, 8);
      }
    return;
  }
  // A block of a quarter turn: words become rows.
  for (size_t next_row = 0; next_row < height; next_row += side) {
    const size_t y = limited(next_row, height - side);
    for (size_t next = 0; next < width; next += 8) {
      const size_t x = limited(next, width - 8);
      // The words are in the order of the source. If the step is negative, their last sample is the first.
      const uint8_t *start = source + first + (ptrdiff_t)x * column + (ptrdiff_t)(line > 0 ? y : y + side - 1) * line;
      words all;
      for (int i = 0; i < 8; i++) all[i] = load(start + i * column);
      transpose(&all, sample_bytes);
      for (size_t i = 0; i < 8; i++) {
        const size_t row = y + (line > 0 ? i % side : side - 1 - i % side);
        const uint64_t word = all[i];
        memcpy(target + row * stride + (x + i / side * side) * sample_bytes, &word, 8);
      }
    }
  }
}

void cpixels_turn(const uint8_t *source, ptrdiff_t first, ptrdiff_t column, ptrdiff_t line, uint8_t *target, size_t stride,
                  size_t width, size_t height, size_t sample_bytes, int is_half) {
  if (sample_bytes == 1) return turn(source, first, column, line, target, stride, width, height, 1, is_half);
  turn(source, first, column, line, target, stride, width, height, 2, is_half);
}
