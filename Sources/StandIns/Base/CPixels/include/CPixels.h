#pragma once
#include <stddef.h>
#include <stdint.h>

// Loops over all pixels of an image. They are in C, because a debug build optimises C too (Package.swift sets the
// flag). The callers check all ranges.

/// Pixels of four bytes each.
typedef struct {
  uint8_t *bytes;
  size_t bytes_per_row;
  int width;
  int height;
} cpixels_bitmap;

/// The planes of a 420f or 420v image.
typedef struct {
  int width;
  int height;
  uint8_t *luma;
  size_t luma_bytes_per_row;
  uint8_t *chroma;
  size_t chroma_bytes_per_row;
} cpixels_planes;

/// Fills a BGRA bitmap from planes. `red` and `blue` are the weights of these colours in luma.
void cpixels_bgra_from_planes(const cpixels_planes *planes, const cpixels_bitmap *bgra, double red, double blue, int is_full);

/// Fills full-range planes from a BGRA bitmap.
void cpixels_planes_from_bgra(const cpixels_bitmap *bgra, const cpixels_planes *planes, double red, double blue);

/// Copies pixels of the same size. Byte `i` of a target pixel is byte `order[i]` of the source pixel, or 255 if
/// `order[i]` is -1.
void cpixels_copy(const cpixels_bitmap *source, const cpixels_bitmap *target, const int order[4]);

/// Draws `source` into the rectangle of `target` from `left`, `top` to `right`, `bottom` (exclusive). `matrix` (a, b,
/// c, d, tx, ty) maps the centre of a pixel at x, y to a position in `source`. If the position is outside, the pixel is
/// kept. Byte `i` of a target pixel is byte `order[i]` of the source pixel, or 255 if `order[i]` is -1. A pixel is the
/// mean of `taps` × `taps` positions, interpolated unless `is_nearest`.
void cpixels_draw(const cpixels_bitmap *source, const cpixels_bitmap *target, int left, int top, int right, int bottom,
                  const double matrix[6], const int order[4], int taps, int is_nearest);

// Rows

void cpixels_copy_rows(const uint8_t *source, size_t source_stride, uint8_t *target, size_t target_stride, size_t count,
                       size_t rows);

/// Replaces each byte by its entry in a table of 256.
void cpixels_translate(uint8_t *bytes, size_t count, const uint8_t *table);

/// Writes `count` pairs of a byte of `first` and a byte of `second`.
void cpixels_interleave(const uint8_t *first, const uint8_t *second, uint8_t *pairs, size_t count);

/// Splits `count` pairs into their first and their second bytes.
void cpixels_deinterleave(const uint8_t *pairs, uint8_t *first, uint8_t *second, size_t count);

/// Returns the sum of all bytes in `rows` rows of `count` bytes.
uint64_t cpixels_sum(const uint8_t *bytes, size_t stride, size_t count, size_t rows);

// Colours

/// The coefficients of a matrix change, per unit of Cb and Cr and in 1/65,536: the change of luma, and the new Cb and Cr.
typedef struct {
  int luma_cb, luma_cr, cb_cb, cb_cr, cr_cb, cr_cr;
} cpixels_change;

/// Changes the matrix of a sample (luma, Cb, Cr).
void cpixels_change_sample(const cpixels_change *change, const uint8_t sample[3], uint8_t changed[3]);

/// Changes the matrix of full-range planes.
void cpixels_change_planes(const cpixels_planes *planes, const cpixels_change *change);

/// Writes luma, Cb and Cr of each pixel of a row, converted to the other matrix.
void cpixels_write_row(const cpixels_planes *planes, const cpixels_change *change, int y, uint8_t *row);

/// Writes red, green and blue of `count` pixels. The first is at x, y; each next one is `step_x`, `step_y` further.
/// `tables` has 256 entries each for luma, red of Cr, green of Cb, green of Cr and blue of Cb, in 1/65,536.
void cpixels_write_rgb(const cpixels_planes *planes, const int *tables, int x, int y, int step_x, int step_y, size_t count,
                       uint8_t *row);

// Rotation and scaling

/// Moves samples of one or two bytes to their positions in a plane that is rotated by right angles. `first` is the
/// offset of the sample for the first target position; `column` and `line` are the steps to the samples of the next
/// target column and row.
void cpixels_turn(const uint8_t *source, ptrdiff_t first, ptrdiff_t column, ptrdiff_t line, uint8_t *target, size_t stride,
                  size_t width, size_t height, size_t sample_bytes, int is_half);

/// The source samples and the weights for each sample of a scaled line. The weights of a sample add up to 256.
typedef struct {
  int taps, groups;
  /// The number of `firsts`, a multiple of four.
  int count;
  const int32_t *firsts;
  /// For each group, four weights for each of the `firsts`.
  const int16_t *weights;
} cpixels_filter;

/// Scales samples of one or two bytes. `line` has room for a source row and the zeros after it.
void cpixels_scale(const uint8_t *source, size_t source_stride, int width, int height, uint8_t *target, size_t target_stride,
                   int target_width, int target_height, int sample_bytes, const cpixels_filter *columns,
                   const cpixels_filter *rows, uint16_t *line);

// The proof pattern

/// The digits 0 to 7 and 8 to 15 of a tag, one per byte.
typedef struct {
  uint64_t low, high;
} cpixels_tag;

/// Returns the tag of a row of plane 0 (luma) or 1 (chroma).
cpixels_tag cpixels_proof_tag(uint32_t frame, int plane, int row);

/// Reads sixteen bytes of a plane. Returns the row, or -1 if they are not a complete tag of that plane.
int cpixels_read_tag(const uint8_t *bytes, int plane, uint32_t *frame);

/// Returns the digit in a byte, or -1 if it has none.
int cpixels_proof_digit(uint8_t byte, int plane);

/// Fills `count` bytes of `rows` rows with their tags, starting at row `row` and byte `column` of the plane. `level` is
/// the level of luma (0 plain, 1 dark, 2 lit).
void cpixels_paint_proof(uint8_t *plane, size_t stride, int row, size_t column, size_t count, int rows, int index,
                         uint32_t frame, int level);

/// Returns the first row that has a byte other than this frame's at its position; `rows` if there is none.
int cpixels_verify_proof(const uint8_t *plane, size_t stride, size_t count, int rows, int index, uint32_t frame);

// PNG

/// A zlib compressor and its output. The output has room for nine bits per byte of input, and for 16 bytes more.
typedef struct {
  uint8_t *output;
  size_t count;
  uint64_t pending;
  int pending_bits;
  uint32_t low, high;
} cpixels_deflate;

/// Compresses a filter byte and `count` bytes. The filter is the difference to the left neighbour or to the row above,
/// whichever has more zeros. `scratch` has room for two rows and their filter bytes.
void cpixels_deflate_row(cpixels_deflate *stream, const uint8_t *row, const uint8_t *above, size_t count, uint8_t *scratch);

void cpixels_deflate_begin(cpixels_deflate *stream, uint8_t *output);
void cpixels_deflate_end(cpixels_deflate *stream);

/// Returns the checksum of ISO 3309.
uint32_t cpixels_checksum(const uint8_t *bytes, size_t count);
