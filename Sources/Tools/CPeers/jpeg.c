#ifdef PEERS
#include "CPeers.h"
#include "requirements.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <libyuv.h>

enum { QUALITY = 75, BLOCK = 16 };

/// Three planes, padded to whole blocks, as libjpeg takes and gives them.
struct peer_jpeg {
  int width, height;
  int luma_stride, chroma_stride;
  int rows; // of luma, padded
  uint8_t *planes[3];
  unsigned char *bytes;
  unsigned long capacity;
};

static int padded(int length, int to) { return (length + to - 1) / to * to; }

peer_jpeg *peer_jpeg_open(int width, int height) {
  peer_jpeg *jpeg = calloc(1, sizeof *jpeg);
  if (jpeg == NULL) return NULL;
  jpeg->width = width;
  jpeg->height = height;
  jpeg->luma_stride = padded(width, BLOCK);
  jpeg->chroma_stride = jpeg->luma_stride / 2;
  jpeg->rows = padded(height, BLOCK);
  // A picture at this quality never takes more than its pixels.
  jpeg->capacity = (unsigned long)jpeg->luma_stride * (unsigned long)jpeg->rows * 2;
  jpeg->bytes = malloc(jpeg->capacity);
  for (int plane = 0; plane < 3; plane++)
    jpeg->planes[plane] = calloc((size_t)(plane == 0 ? jpeg->luma_stride : jpeg->chroma_stride),
                                 (size_t)(plane == 0 ? jpeg->rows : jpeg->rows / 2));
  if (jpeg->bytes == NULL || jpeg->planes[0] == NULL || jpeg->planes[1] == NULL || jpeg->planes[2] == NULL) {
    peer_jpeg_close(jpeg);
    return NULL;
  }
  return jpeg;
}

/// The rows of one band of blocks.
static void band(peer_jpeg *jpeg, int top, JSAMPROW luma[BLOCK], JSAMPROW u[BLOCK / 2], JSAMPROW v[BLOCK / 2]) {
  for (int row = 0; row < BLOCK; row++) luma[row] = jpeg->planes[0] + (size_t)(top + row) * (size_t)jpeg->luma_stride;
  for (int row = 0; row < BLOCK / 2; row++) {
    u[row] = jpeg->planes[1] + (size_t)(top / 2 + row) * (size_t)jpeg->chroma_stride;
    v[row] = jpeg->planes[2] + (size_t)(top / 2 + row) * (size_t)jpeg->chroma_stride;
  }
}

const void *peer_jpeg_compress(peer_jpeg *jpeg, peer_picture picture, size_t *count) {
  NV12ToI420(picture.luma, picture.luma_stride, picture.chroma, picture.chroma_stride, jpeg->planes[0],
             jpeg->luma_stride, jpeg->planes[1], jpeg->chroma_stride, jpeg->planes[2], jpeg->chroma_stride,
             picture.width, picture.height);
  struct jpeg_error_mgr errors;
  struct jpeg_compress_struct compress = {.err = jpeg_std_error(&errors)};
  jpeg_create_compress(&compress);
  unsigned char *bytes = jpeg->bytes;
  unsigned long length = jpeg->capacity;
  jpeg_mem_dest(&compress, &bytes, &length);
  compress.image_width = (JDIMENSION)jpeg->width;
  compress.image_height = (JDIMENSION)jpeg->height;
  compress.input_components = 3;
  compress.in_color_space = JCS_YCbCr;
  jpeg_set_defaults(&compress);
  jpeg_set_quality(&compress, QUALITY, TRUE);
  compress.raw_data_in = TRUE;
  compress.dct_method = JDCT_IFAST;
  jpeg_start_compress(&compress, TRUE);
  for (int top = 0; top < jpeg->rows; top += BLOCK) {
    JSAMPROW luma[BLOCK], u[BLOCK / 2], v[BLOCK / 2];
    band(jpeg, top, luma, u, v);
    jpeg_write_raw_data(&compress, (JSAMPARRAY[]){luma, u, v}, BLOCK);
  }
  jpeg_finish_compress(&compress);
  jpeg_destroy_compress(&compress);
  if (bytes != jpeg->bytes) {
    // It was too little room after all: libjpeg made more, which is ours from here on.
    free(jpeg->bytes);
    jpeg->bytes = bytes;
    jpeg->capacity = length;
  }
  *count = length;
  return bytes;
}

bool peer_jpeg_decompress(peer_jpeg *jpeg, const void *bytes, size_t count, peer_picture picture) {
  struct jpeg_error_mgr errors;
  struct jpeg_decompress_struct decompress = {.err = jpeg_std_error(&errors)};
  jpeg_create_decompress(&decompress);
  jpeg_mem_src(&decompress, bytes, count);
  jpeg_read_header(&decompress, TRUE);
  bool fits = (int)decompress.image_width == jpeg->width && (int)decompress.image_height == jpeg->height;
  if (fits) {
    decompress.raw_data_out = TRUE;
    decompress.dct_method = JDCT_IFAST;
    jpeg_start_decompress(&decompress);
    for (int top = 0; top < jpeg->rows && decompress.output_scanline < decompress.output_height; top += BLOCK) {
      JSAMPROW luma[BLOCK], u[BLOCK / 2], v[BLOCK / 2];
      band(jpeg, top, luma, u, v);
      jpeg_read_raw_data(&decompress, (JSAMPARRAY[]){luma, u, v}, BLOCK);
    }
    jpeg_finish_decompress(&decompress);
    I420ToNV12(jpeg->planes[0], jpeg->luma_stride, jpeg->planes[1], jpeg->chroma_stride, jpeg->planes[2],
               jpeg->chroma_stride, (uint8_t *)picture.luma, picture.luma_stride, (uint8_t *)picture.chroma,
               picture.chroma_stride, picture.width, picture.height);
  }
  jpeg_destroy_decompress(&decompress);
  return fits;
}

void peer_jpeg_close(peer_jpeg *jpeg) {
  for (int plane = 0; plane < 3; plane++) free(jpeg->planes[plane]);
  free(jpeg->bytes);
  free(jpeg);
}
#endif
