#include "CPixels.h"

// One block of fixed Huffman codes (RFC 1950 and 1951), in which matches are only runs of one byte. That suits filtered
// rows of screens, because they are mostly runs of zeros. Data that does not compress grows by less than one eighth.

static void put(cpixels_deflate *stream, uint64_t bits, int count) {
  stream->pending |= bits << stream->pending_bits;
  stream->pending_bits += count;
  for (; stream->pending_bits >= 8; stream->pending_bits -= 8, stream->pending >>= 8)
    stream->output[stream->count++] = (uint8_t)stream->pending;
}

/// Writes the fixed code of a symbol, with its first bit in the lowest position.
static void put_symbol(cpixels_deflate *stream, int symbol) {
  const int code = symbol < 144 ? 0x30 + symbol : symbol < 256 ? 0x190 + symbol - 144 : symbol < 280 ? symbol - 256
                                                                                                    : 0xC0 + symbol - 280;
  const int count = symbol < 144 || symbol >= 280 ? 8 : symbol < 256 ? 9 : 7;
  uint64_t bits = 0;
  for (int i = 0; i < count; i++) bits = bits << 1 | (code >> i & 1);
  put(stream, bits, count);
}

static void put_run(cpixels_deflate *stream, size_t count, uint8_t byte) {
  while (count >= 3) {
    const int length = count < 258 ? (int)count : 258, offset = length - 3;
    // Each group of four symbols has the same number of extra bits. From the third group on, each group has one more.
    const int extra = offset < 8 ? 0 : 29 - __builtin_clz((unsigned)offset);
    put_symbol(stream, length == 258 ? 285 : 257 + extra * 4 + (offset >> extra));
    if (length < 258) put(stream, (uint64_t)offset & ((1u << extra) - 1), extra);
    // Five zero bits are the code of distance 1.
    put(stream, 0, 5);
    count -= (size_t)length;
  }
  for (; count > 0; count--) put_symbol(stream, byte);
}

static void append(cpixels_deflate *stream, const uint8_t *bytes, size_t count) {
  for (size_t start = 0, end; start < count; start = end) {
    for (end = start + 1; end < count && bytes[end] == bytes[start];) end++;
    put_symbol(stream, bytes[start]);
    put_run(stream, end - start - 1, bytes[start]);
  }
  // The sums must be reduced after at most 5552 bytes.
  for (size_t i = 0; i < count;) {
    for (const size_t end = i + 5552 < count ? i + 5552 : count; i < end; i++) {
      stream->low += bytes[i];
      stream->high += stream->low;
    }
    stream->low %= 65521;
    stream->high %= 65521;
  }
}

void cpixels_deflate_begin(cpixels_deflate *stream, uint8_t *output) {
  *stream = (cpixels_deflate){output, 2, 0, 0, 1, 0};
  output[0] = 0x78;
  output[1] = 0x01;
  put(stream, 3, 3);
}

void cpixels_deflate_row(cpixels_deflate *stream, const uint8_t *row, const uint8_t *above, size_t count, uint8_t *scratch) {
  uint8_t *left = scratch, *up = scratch + count + 1;
  left[0] = 1;
  up[0] = 2;
  ptrdiff_t zeros = 0;
  for (size_t i = 0; i < count; i++) {
    left[i + 1] = (uint8_t)(row[i] - (i >= 3 ? row[i - 3] : 0));
    up[i + 1] = (uint8_t)(row[i] - above[i]);
    zeros += (left[i + 1] == 0) - (up[i + 1] == 0);
  }
  append(stream, zeros > 0 ? left : up, count + 1);
}

void cpixels_deflate_end(cpixels_deflate *stream) {
  put_symbol(stream, 256);
  put(stream, 0, -stream->pending_bits & 7);
  for (int i = 0; i < 4; i++) stream->output[stream->count++] = (uint8_t)((i < 2 ? stream->high : stream->low) >> (1 - i % 2) * 8);
}

uint32_t cpixels_checksum(const uint8_t *bytes, size_t count) {
  uint32_t value = ~0u;
  for (size_t i = 0; i < count; i++) {
    value ^= bytes[i];
    for (int bit = 0; bit < 8; bit++) value = (value & 1) ? 0xEDB88320 ^ value >> 1 : value >> 1;
  }
  return ~value;
}
