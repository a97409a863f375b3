#ifdef PEERS
#include "CPeers.h"
#include "requirements.h"

#include <libyuv.h>

bool peer_scale(peer_picture source, peer_picture output) {
  return NV12Scale(source.luma, source.luma_stride, source.chroma, source.chroma_stride, source.width, source.height,
                   (uint8_t *)output.luma, output.luma_stride, (uint8_t *)output.chroma, output.chroma_stride,
                   output.width, output.height, kFilterBox) == 0;
}
#endif
