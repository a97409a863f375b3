#define _GNU_SOURCE
#include "CJPEG.h"

#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// The start of libjpeg's structures. It is the same in the interfaces 62 and 80 on 64-bit machines. The library
// compares the version and the size of a structure with its own; `load` tries both.

typedef struct {
  void *err, *mem, *progress, *client_data;
  int is_decompressor, global_state;
} common;

typedef struct {
  common common;
  void *dest;
  unsigned image_width, image_height;
  int input_components, in_color_space;
  uint64_t rest[80];
} compressor;

typedef struct {
  common common;
  void *src;
  unsigned image_width, image_height;
  int num_components, jpeg_color_space, out_color_space;
  unsigned scale_num, scale_denom;
  double output_gamma;
  int options[12];
  unsigned output_width, output_height;
  int numbers[4];
  void *colormap;
  unsigned output_scanline;
  int input_scan_number;
  uint64_t rest[80];
} decompressor;

typedef struct {
  void (*monitor)(common *);
  long counter, limit;
  int passes[2];
} progress_manager;

typedef struct {
  void (*error_exit)(common *);
  void (*emit_message)(common *, int);
  void (*output_message)(common *);
  uint64_t rest[32];
  jmp_buf escape;
} error_manager;

enum { grey = 1, rgb = 2, ycbcr = 3, cmyk = 4, ycck = 5 };

static struct {
  const char *failure;
  int version;
  size_t compressor_size, decompressor_size;
  void *(*std_error)(void *);
  void (*create_compress)(void *, int, size_t);
  void (*mem_dest)(void *, unsigned char **, unsigned long *);
  void (*set_defaults)(void *);
  void (*set_quality)(void *, int, int);
  void (*start_compress)(void *, int);
  unsigned (*write_scanlines)(void *, unsigned char **, unsigned);
  void (*finish_compress)(void *);
  void (*create_decompress)(void *, int, size_t);
  void (*mem_src)(void *, const unsigned char *, unsigned long);
  int (*read_header)(void *, int);
  int (*start_decompress)(void *);
  unsigned (*read_scanlines)(void *, unsigned char **, unsigned);
  void (*destroy)(void *);
} library;

static bool has_our_interface(void);

static void load(void) {
  void *handle = dlopen("libjpeg.so.62", RTLD_NOW | RTLD_LOCAL);
  library.version = 62;
  library.compressor_size = 520;
  library.decompressor_size = 632;
  if (!handle) {
    handle = dlopen("libjpeg.so.8", RTLD_NOW | RTLD_LOCAL);
    library.version = 80;
    library.compressor_size = 584;
    library.decompressor_size = 656;
  }
  if (!handle) {
    library.failure = "JPEG needs libjpeg, which is not installed; install libjpeg62-turbo (Debian), libjpeg-turbo8 "
                      "(Ubuntu) or libjpeg-turbo (Fedora)";
    return;
  }
  const struct { const char *name; void *function; } functions[] = {
    {"jpeg_std_error", &library.std_error},
    {"jpeg_CreateCompress", &library.create_compress},
    {"jpeg_mem_dest", &library.mem_dest},
    {"jpeg_set_defaults", &library.set_defaults},
    {"jpeg_set_quality", &library.set_quality},
    {"jpeg_start_compress", &library.start_compress},
    {"jpeg_write_scanlines", &library.write_scanlines},
    {"jpeg_finish_compress", &library.finish_compress},
    {"jpeg_CreateDecompress", &library.create_decompress},
    {"jpeg_mem_src", &library.mem_src},
    {"jpeg_read_header", &library.read_header},
    {"jpeg_start_decompress", &library.start_decompress},
    {"jpeg_read_scanlines", &library.read_scanlines},
    {"jpeg_destroy", &library.destroy},
  };
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    void *address = dlsym(handle, functions[i].name);
    if (!address) library.failure = "the installed libjpeg lacks functions for memory; install libjpeg-turbo";
    memcpy(functions[i].function, &address, sizeof address);
  }
  if (!library.failure && !has_our_interface())
    library.failure = "the installed libjpeg has an interface other than 62 or 80; install libjpeg-turbo";
}

static const char *failure_of_library(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return library.failure;
}

static void leave(common *codec) { longjmp(((error_manager *)codec->err)->escape, 1); }
static void ignore_text(common *codec) { (void)codec; }

/// Whether the image has more scans than any encoder writes. Each scan costs time for every pixel.
static bool has_too_many_scans(const decompressor *codec) { return codec->input_scan_number > 100; }

static void check_scans(common *codec) {
  if (has_too_many_scans((decompressor *)codec)) leave(codec);
}

static void prepare(error_manager *errors, common *codec) {
  codec->err = library.std_error(errors);
  errors->error_exit = leave;
  errors->output_message = ignore_text;
}

/// Whether the library accepts structures of our version and size. It reports an error for others.
static bool has_our_interface(void) {
  compressor encoder;
  decompressor decoder;
  error_manager errors;
  memset(&encoder, 0, sizeof encoder);
  memset(&decoder, 0, sizeof decoder);
  memset(&errors, 0, sizeof errors);
  prepare(&errors, &encoder.common);
  decoder.common.err = encoder.common.err;
  if (setjmp(errors.escape)) return false;
  library.create_compress(&encoder, library.version, library.compressor_size);
  library.destroy(&encoder);
  library.create_decompress(&decoder, library.version, library.decompressor_size);
  library.destroy(&decoder);
  return true;
}

static unsigned char byte_of(double value) {
  return value < 0 ? 0 : value > 255 ? 255 : (unsigned char)(value + 0.5);
}

const char *cjpeg_encode(
    const cpixels_planes *planes, const cpixels_change *change, int quality, uint8_t **bytes, size_t *size) {
  const char *failure = failure_of_library();
  if (failure) return failure;
  compressor codec;
  error_manager errors;
  memset(&codec, 0, sizeof codec);
  memset(&errors, 0, sizeof errors);
  unsigned char *volatile row = malloc((size_t)planes->width * 3);
  // libjpeg keeps these addresses until it has finished.
  unsigned char *output = NULL;
  unsigned long output_size = 0;
  // After the start, libjpeg may have released the first memory, and it sets the address of the last memory only at the end.
  volatile bool has_begun = false;
  prepare(&errors, &codec.common);
  if (!row || setjmp(errors.escape)) {
    if (codec.common.mem) library.destroy(&codec);
    free(row);
    if (!has_begun) free(output);
    return "libjpeg cannot encode the picture";
  }
  library.create_compress(&codec, library.version, library.compressor_size);
  library.mem_dest(&codec, &output, &output_size);
  codec.image_width = (unsigned)planes->width;
  codec.image_height = (unsigned)planes->height;
  codec.input_components = 3;
  codec.in_color_space = ycbcr;
  library.set_defaults(&codec);
  library.set_quality(&codec, quality, 1);
  library.start_compress(&codec, 1);
  has_begun = true;
  for (int y = 0; y < planes->height; y++) {
    cpixels_write_row(planes, change, y, row);
    unsigned char *rows[] = {row};
    library.write_scanlines(&codec, rows, 1);
  }
  library.finish_compress(&codec);
  library.destroy(&codec);
  free(row);
  *bytes = output;
  *size = output_size;
  return NULL;
}

/// Converts a row of another colour space to YCbCr. Adobe's programs store inverted CMYK.
static void convert(const unsigned char *from, unsigned char *to, int width, int space, bool is_inverse) {
  for (int x = 0; x < width; x++, to += 3) {
    if (space == grey) {
      to[0] = from[x];
      to[1] = to[2] = 128;
      continue;
    }
    const unsigned char *pixel = from + (size_t)x * (space == cmyk ? 4 : 3);
    double colours[3];
    for (int c = 0; c < 3; c++) {
      const double key = space == rgb ? 255 : is_inverse ? pixel[3] : 255 - pixel[3];
      colours[c] = (space == rgb || is_inverse ? pixel[c] : 255 - pixel[c]) * key / 255;
    }
    const double luma = 0.299 * colours[0] + 0.587 * colours[1] + 0.114 * colours[2];
    to[0] = byte_of(luma);
    to[1] = byte_of(128 + (colours[2] - luma) / 1.772);
    to[2] = byte_of(128 + (colours[0] - luma) / 1.402);
  }
}

/// Reads the header, and also the pixels if there are `planes`.
static const char *decode(
    const uint8_t *bytes, size_t size, int *width, int *height, const cpixels_planes *planes) {
  const char *failure = failure_of_library();
  if (failure) return failure;
  decompressor codec;
  error_manager errors;
  progress_manager progress = {.monitor = check_scans};
  memset(&codec, 0, sizeof codec);
  memset(&errors, 0, sizeof errors);
  // Memory for two rows, because chroma is the mean of four pixels, and for one row in the library's format.
  unsigned char *volatile memory = NULL;
  prepare(&errors, &codec.common);
  if (setjmp(errors.escape)) {
    if (codec.common.mem) library.destroy(&codec);
    free(memory);
    return has_too_many_scans(&codec) ? "a JPEG has more than 100 scans"
                                      : "the picture is not a JPEG that libjpeg can decode";
  }
  library.create_decompress(&codec, library.version, library.decompressor_size);
  codec.common.progress = &progress;
  library.mem_src(&codec, bytes, size);
  library.read_header(&codec, 1);
  if (width) *width = (int)codec.image_width;
  if (height) *height = (int)codec.image_height;
  // A block of 64 pixels takes at least one bit. The library invents missing data.
  if ((size_t)codec.image_width * codec.image_height / 1000 > size) {
    library.destroy(&codec);
    return "a JPEG states more pixels than its bytes can hold";
  }
  if (!planes || codec.image_width != (unsigned)planes->width || codec.image_height != (unsigned)planes->height) {
    library.destroy(&codec);
    return planes ? "the size of the picture does not match its memory" : NULL;
  }
  // The library converts only between some colour spaces, and has no names for colour spaces of five components.
  if (codec.jpeg_color_space < grey || codec.jpeg_color_space > ycck) longjmp(errors.escape, 1);
  if (codec.jpeg_color_space == ycck) codec.out_color_space = cmyk;
  else codec.out_color_space = codec.jpeg_color_space;
  const int space = codec.out_color_space;
  const bool is_inverse = memmem(bytes, size, "\xFF\xEE\0\x0E" "Adobe", 9) != NULL;
  const size_t row_size = (size_t)planes->width * 3;
  memory = malloc(2 * row_size + (size_t)planes->width * 4);
  if (!memory) longjmp(errors.escape, 1);
  library.start_decompress(&codec);
  for (int y = 0; y < planes->height; y += 2) {
    const int count = y + 1 < planes->height ? 2 : 1;
    for (int i = 0; i < count; i++) {
      unsigned char *row = memory + (size_t)i * row_size;
      unsigned char *rows[] = {space == ycbcr ? row : memory + 2 * row_size};
      library.read_scanlines(&codec, rows, 1);
      if (space != ycbcr) convert(rows[0], row, planes->width, space, is_inverse);
      uint8_t *luma = planes->luma + (size_t)(y + i) * planes->luma_bytes_per_row;
      for (int x = 0; x < planes->width; x++) luma[x] = row[x * 3];
    }
    const unsigned char *first = memory;
    const unsigned char *second = count == 2 ? memory + row_size : memory;
    uint8_t *chroma = planes->chroma + (size_t)(y / 2) * planes->chroma_bytes_per_row;
    for (int x = 0; x < planes->width; x += 2) {
      const int left = x * 3, right = (x + 1 < planes->width ? x + 1 : x) * 3;
      for (int c = 1; c <= 2; c++)
        chroma[x + c - 1] = (uint8_t)((first[left + c] + first[right + c] + second[left + c] + second[right + c] + 2) / 4);
    }
  }
  library.destroy(&codec);
  free(memory);
  return NULL;
}

const char *cjpeg_read_size(const uint8_t *bytes, size_t size, int *width, int *height) {
  return decode(bytes, size, width, height, NULL);
}

const char *cjpeg_decode(const uint8_t *bytes, size_t size, const cpixels_planes *planes) {
  return decode(bytes, size, NULL, NULL, planes);
}
