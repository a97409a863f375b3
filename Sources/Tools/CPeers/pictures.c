#ifdef PEERS
#include "CPeers.h"

#include <libyuv.h>
#include <stdlib.h>
#include <turbojpeg.h>

enum { QUALITY = 75 };

bool peer_scale(peer_picture source, peer_picture output) {
  return NV12Scale(source.luma, source.luma_stride, source.chroma, source.chroma_stride, source.width, source.height,
                   output.luma, output.luma_stride, output.chroma, output.chroma_stride, output.width, output.height,
                   kFilterBox) == 0;
}

/// The planes Y, U and V, as libjpeg takes and returns them.
struct peer_jpeg {
  tjhandle compressor, decompressor;
  int width, height;
  int strides[3];
  unsigned char *planes[3];
  unsigned char *bytes;
  unsigned long capacity;
};

peer_jpeg *peer_jpeg_open(int width, int height) {
  peer_jpeg *jpeg = calloc(1, sizeof *jpeg);
  if (jpeg == NULL) return NULL;
  jpeg->compressor = tjInitCompress();
  jpeg->decompressor = tjInitDecompress();
  jpeg->width = width;
  jpeg->height = height;
  jpeg->capacity = tjBufSize(width, height, TJSAMP_420);
  jpeg->bytes = malloc(jpeg->capacity);
  bool is_complete = jpeg->compressor != NULL && jpeg->decompressor != NULL && jpeg->bytes != NULL;
  for (int plane = 0; plane < 3; plane++) {
    jpeg->strides[plane] = tjPlaneWidth(plane, width, TJSAMP_420);
    jpeg->planes[plane] = malloc(tjPlaneSizeYUV(plane, width, jpeg->strides[plane], height, TJSAMP_420));
    is_complete = is_complete && jpeg->planes[plane] != NULL;
  }
  if (is_complete) return jpeg;
  peer_jpeg_close(jpeg);
  return NULL;
}

const uint8_t *peer_jpeg_compress(peer_jpeg *jpeg, peer_picture picture, size_t *count) {
  NV12ToI420(picture.luma, picture.luma_stride, picture.chroma, picture.chroma_stride, jpeg->planes[0],
             jpeg->strides[0], jpeg->planes[1], jpeg->strides[1], jpeg->planes[2], jpeg->strides[2], jpeg->width,
             jpeg->height);
  unsigned long length = jpeg->capacity;
  if (tjCompressFromYUVPlanes(jpeg->compressor, (const unsigned char **)jpeg->planes, jpeg->width, jpeg->strides,
                              jpeg->height, TJSAMP_420, &jpeg->bytes, &length, QUALITY,
                              TJFLAG_FASTDCT | TJFLAG_NOREALLOC) != 0)
    return NULL;
  *count = length;
  return jpeg->bytes;
}

bool peer_jpeg_decompress(peer_jpeg *jpeg, const uint8_t *bytes, size_t count, peer_picture picture) {
  if (tjDecompressToYUVPlanes(jpeg->decompressor, bytes, count, jpeg->planes, jpeg->width, jpeg->strides, jpeg->height,
                              TJFLAG_FASTDCT) != 0)
    return false;
  return I420ToNV12(jpeg->planes[0], jpeg->strides[0], jpeg->planes[1], jpeg->strides[1], jpeg->planes[2],
                    jpeg->strides[2], picture.luma, picture.luma_stride, picture.chroma, picture.chroma_stride,
                    jpeg->width, jpeg->height) == 0;
}

void peer_jpeg_close(peer_jpeg *jpeg) {
  tjDestroy(jpeg->compressor);
  tjDestroy(jpeg->decompressor);
  for (int plane = 0; plane < 3; plane++) free(jpeg->planes[plane]);
  free(jpeg->bytes);
  free(jpeg);
}
#endif
