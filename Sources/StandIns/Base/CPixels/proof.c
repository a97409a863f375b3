#include "CPixels.h"

#include <string.h>

// `ProofTag` describes the tag. Words are little-endian, as on all CPUs that the package is built for.

static const uint64_t ones = 0x0101010101010101, digit_mask = 0x0F0F0F0F0F0F0F0F;
static const uint64_t levels[] = {0x4040404040404040, 0x1212121212121212, 0xA1A1A1A1A1A1A1A1}, chroma_base = 0x7070707070707070;

/// Returns the row and the plane in the low half, and in the high half a checksum against accidental matches.
static uint32_t row_field(int plane, int row) {
  const uint32_t field = ((uint32_t)row & 0x7FFF) | (plane == 0 ? 0 : 0x8000), mixed = (field + 0x5A17) * 0x9E3779B1;
  return field | (mixed >> 16 ^ mixed) << 16;
}

/// Returns the eight digits of a number, one per byte.
static uint64_t spread(uint32_t number) {
  uint64_t word = number;
  word = (word | word << 16) & 0x0000FFFF0000FFFF;
  word = (word | word << 8) & 0x00FF00FF00FF00FF;
  return (word | word << 4) & digit_mask;
}

/// The inverse of `spread`.
static uint32_t gather(uint64_t digits) {
  digits = (digits | digits >> 4) & 0x00FF00FF00FF00FF;
  digits = (digits | digits >> 8) & 0x0000FFFF0000FFFF;
  return (uint32_t)(digits | digits >> 16);
}

cpixels_tag cpixels_proof_tag(uint32_t frame, int plane, int row) {
  const uint64_t shift = (frame & 0xF) * ones;
  return (cpixels_tag){(spread(frame >> 4) + shift) & digit_mask, (spread(row_field(plane, row)) + shift) & digit_mask};
}

/// Returns the bytes of a tag in memory order.
static cpixels_tag bytes_of(cpixels_tag tag, int plane, int level) {
  return plane == 0 ? (cpixels_tag){(tag.low << 2) + levels[level], (tag.high << 2) + levels[level]}
                    : (cpixels_tag){(tag.low << 1) + chroma_base, (tag.high << 1) + chroma_base};
}

int cpixels_proof_digit(uint8_t byte, int plane) {
  if (plane == 1) return byte >= 112 && byte <= 142 && !(byte & 1) ? (byte - 112) >> 1 : -1;
  if ((byte & 3) == 3) return -1;
  const int base = (const int[]){64, 161, 18}[byte & 3];
  return byte >= base && byte - base <= 60 ? (byte - base) >> 2 : -1;
}

int cpixels_read_tag(const uint8_t *bytes, int plane, uint32_t *frame) {
  uint64_t words[2] = {0, 0};
  for (int i = 0; i < 16; i++) {
    const int digit = cpixels_proof_digit(bytes[i], plane);
    if (digit < 0) return -1;
    words[i / 8] |= (uint64_t)digit << i % 8 * 8;
  }
  const uint64_t unit = words[0] >> 56, shift = unit * ones;
  // The added bit stops a borrow from the next byte.
  *frame = gather(((words[0] | 0x1010101010101010) - shift) & digit_mask) << 4 | (uint32_t)unit;
  const uint32_t field = gather(((words[1] | 0x1010101010101010) - shift) & digit_mask);
  const int row = field & 0x7FFF;
  return field == row_field(plane, row) ? row : -1;
}

void cpixels_paint_proof(uint8_t *plane, size_t stride, int row, size_t column, size_t count, int rows, int index,
                         uint32_t frame, int level) {
  for (int y = row; y < row + rows; y++) {
    const cpixels_tag tag = bytes_of(cpixels_proof_tag(frame, index, y), index, level), twice[2] = {tag, tag};
    uint8_t *start = plane + (size_t)y * stride + column;
    size_t filled = count < 16 ? count : 16;
    memcpy(start, (const uint8_t *)twice + column % 16, filled);
    // Each step doubles the filled bytes, so there are only a few calls per row.
    while (filled < count) {
      const size_t length = filled < count - filled ? filled : count - filled;
      memcpy(start + filled, start, length);
      filled += length;
    }
  }
}

static int is_repeated(const uint8_t *row, cpixels_tag bytes, size_t count) {
  const size_t head = count < 16 ? count : 16;
  // If a row starts with the tag and equals itself sixteen bytes later, it is the repeated tag.
  return memcmp(row, &bytes, head) == 0 && memcmp(row, row + head, count - head) == 0;
}

/// Returns a word with the highest bit set in each byte in which `word` is zero.
static uint64_t zero_bytes(uint64_t word) {
  const uint64_t low = 0x7F7F7F7F7F7F7F7F;
  return ~(((word & low) + low) | word | low);
}

/// Whether a row of luma is the repeated tag, with each byte at one of the three levels.
static int is_repeated_at_any_level(const uint8_t *row, cpixels_tag tag, size_t count) {
  const uint64_t digits[2] = {tag.low << 2, tag.high << 2};
  uint64_t deviation = 0;
  size_t start = 0;
  for (; start + 8 <= count; start += 8) {
    uint64_t word, zeros = 0;
    memcpy(&word, row + start, 8);
    for (int level = 0; level < 3; level++) zeros |= zero_bytes(word ^ (digits[start / 8 % 2] + levels[level]));
    deviation |= ~zeros;
  }
  if (deviation & 0x8080808080808080) return 0;
  for (; start < count; start++) {
    const int digit = (start / 8 % 2 ? tag.high : tag.low) >> start % 8 * 8 & 0xFF;
    if (cpixels_proof_digit(row[start], 0) != digit) return 0;
  }
  return 1;
}

int cpixels_verify_proof(const uint8_t *plane, size_t stride, size_t count, int rows, int index, uint32_t frame) {
  for (int row = 0; row < rows; row++) {
    const uint8_t *start = plane + (size_t)row * stride;
    const cpixels_tag tag = cpixels_proof_tag(frame, index, row);
    if (is_repeated(start, bytes_of(tag, index, 0), count)) continue;
    if (index != 0 || !is_repeated_at_any_level(start, tag, count)) return row;
  }
  return rows;
}
