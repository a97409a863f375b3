#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(PEERS) && !(__has_include(<gst/gst.h>) && __has_include(<libyuv.h>) && __has_include(<turbojpeg.h>))
#error "--traits Peers needs libraries of the system: apt-get install pkg-config libgstreamer1.0-dev gstreamer1.0-plugins-bad libyuv-dev libturbojpeg0-dev"
#endif

/// The peers that need libraries of the system: GStreamer's shared memory elements, libyuv and libjpeg.
///
/// In C, because GStreamer's interface is macros and variadic functions. Empty without the trait `Peers`.

/// The end of GStreamer's shmsink.
typedef struct peer_sender peer_sender;
/// The end of GStreamer's shmsrc.
typedef struct peer_receiver peer_receiver;
/// Called with each frame: its publish time, and its bytes, which are valid during the call.
typedef void (*peer_frame)(void *context, uint64_t publish_time, const void *bytes);

/// A shmsink that listens at `path` and takes frames of `count` bytes; NULL when an element is missing.
///
/// With `zero_copy` frames are created in its memory; without, they are copied there.
peer_sender *peer_sender_open(const char *path, size_t count, bool zero_copy);
/// Sends the frame at `bytes`; waits for the first receiver, and for free memory.
bool peer_sender_send(peer_sender *sender, const void *bytes, uint64_t (*now)(void));
/// Sends the mark of the end.
bool peer_sender_end(peer_sender *sender);
void peer_sender_close(peer_sender *sender);

/// A shmsrc connected to `path`; NULL when an element is missing.
peer_receiver *peer_receiver_open(const char *path, size_t count);
/// Calls `frame` with each frame until the mark of the end.
void peer_receiver_run(peer_receiver *receiver, peer_frame frame, void *context);
void peer_receiver_close(peer_receiver *receiver);

/// A part of a picture of 8-bit 4:2:0 in two planes.
typedef struct {
  uint8_t *luma;
  int luma_stride;
  uint8_t *chroma;
  int chroma_stride;
  int width, height;
} peer_picture;

/// libyuv's scaling with its box filter.
bool peer_scale(peer_picture source, peer_picture output);

/// Memory for JPEG images of one size, and for their planes.
typedef struct peer_jpeg peer_jpeg;
peer_jpeg *peer_jpeg_open(int width, int height);
/// Compresses a picture; returns the bytes, valid until the next call, or NULL.
const uint8_t *peer_jpeg_compress(peer_jpeg *jpeg, peer_picture picture, size_t *count);
/// Decompresses into a picture's planes.
bool peer_jpeg_decompress(peer_jpeg *jpeg, const uint8_t *bytes, size_t count, peer_picture picture);
void peer_jpeg_close(peer_jpeg *jpeg);
