#ifdef PEERS
#define _GNU_SOURCE
#include "CPeers.h"
#include "requirements.h"

#include <gst/gst.h>
#include <string.h>
#include <time.h>

// Buffers are pushed into shmsink's pad and taken from shmsrc's directly: no element, queue or thread in between.

/// What lies before the pixels of each frame. A time of 0 is the mark of the end.
typedef struct {
  uint64_t publish_time;
  char padding[56];
} header;

struct peer_sender {
  GstElement *sink;
  GstPad *pad;
  GstAllocator *allocator; // of shmsink's memory; NULL when frames are copied there
  size_t count;
  guint64 number;
};

static gboolean drop_event(GstPad *pad, GstObject *parent, GstEvent *event) {
  (void)pad, (void)parent;
  gst_event_unref(event);
  return TRUE;
}

peer_sender *peer_sender_open(const char *path, int width, int height, size_t count, bool zero_copy) {
  gst_init(NULL, NULL);
  GstElement *sink = gst_element_factory_make("shmsink", NULL);
  if (sink == NULL) return NULL;
  peer_sender *sender = g_new0(peer_sender, 1);
  sender->sink = sink;
  sender->count = sizeof(header) + count;
  g_object_set(sink, "socket-path", path, "shm-size", (guint)(4 * (sender->count + 65536)), "wait-for-connection", TRUE,
               "sync", FALSE, "async", FALSE, "perms", 0600u, NULL);
  sender->pad = gst_pad_new("src", GST_PAD_SRC);
  gst_pad_set_active(sender->pad, TRUE);
  GstPad *peer = gst_element_get_static_pad(sink, "sink");
  bool linked = gst_pad_link(sender->pad, peer) == GST_PAD_LINK_OK;
  gst_object_unref(peer);
  if (!linked || gst_element_set_state(sink, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE) {
    peer_sender_close(sender);
    return NULL;
  }
  GstCaps *caps = gst_caps_new_simple("video/x-raw", "format", G_TYPE_STRING, "NV12", "width", G_TYPE_INT, width,
                                      "height", G_TYPE_INT, height, "framerate", GST_TYPE_FRACTION, 60, 1, NULL);
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_TIME);
  gst_pad_push_event(sender->pad, gst_event_new_stream_start("frames"));
  gst_pad_push_event(sender->pad, gst_event_new_caps(caps));
  gst_pad_push_event(sender->pad, gst_event_new_segment(&segment));
  if (zero_copy) {
    GstQuery *query = gst_query_new_allocation(caps, FALSE);
    if (gst_pad_peer_query(sender->pad, query) && gst_query_get_n_allocation_params(query) > 0)
      gst_query_parse_nth_allocation_param(query, 0, &sender->allocator, NULL);
    gst_query_unref(query);
  }
  gst_caps_unref(caps);
  if (zero_copy && sender->allocator == NULL) {
    peer_sender_close(sender);
    return NULL;
  }
  return sender;
}

/// Memory of shmsink's own; when all of it is with the receiver, waits for some.
static GstMemory *shared_memory(peer_sender *sender) {
  GstMemory *memory;
  while ((memory = gst_allocator_alloc(sender->allocator, sender->count, NULL)) == NULL) {
    struct timespec pause = {.tv_nsec = 20000};
    nanosleep(&pause, NULL);
  }
  return memory;
}

static bool push(peer_sender *sender, GstBuffer *buffer) {
  GST_BUFFER_PTS(buffer) = sender->number++ * GST_SECOND / 60;
  return gst_pad_push(sender->pad, buffer) == GST_FLOW_OK;
}

bool peer_sender_send(peer_sender *sender, const void *bytes, uint64_t (*now)(void)) {
  header header = {0};
  GstBuffer *buffer = gst_buffer_new();
  if (sender->allocator != NULL) {
    GstMemory *memory = shared_memory(sender);
    GstMapInfo map;
    if (!gst_memory_map(memory, &map, GST_MAP_WRITE)) return false;
    memcpy(map.data + sizeof header, bytes, sender->count - sizeof header);
    header.publish_time = now();
    memcpy(map.data, &header, sizeof header);
    gst_memory_unmap(memory, &map);
    gst_buffer_append_memory(buffer, memory);
  } else {
    // The pixels stay where they are until shmsink copies them.
    size_t count = sender->count - sizeof header;
    header.publish_time = now();
    gst_buffer_append_memory(buffer, gst_allocator_alloc(NULL, sizeof header, NULL));
    gst_buffer_fill(buffer, 0, &header, sizeof header);
    gst_buffer_append_memory(
        buffer, gst_memory_new_wrapped(GST_MEMORY_FLAG_READONLY, (gpointer)bytes, count, 0, count, NULL, NULL));
  }
  return push(sender, buffer);
}

bool peer_sender_end(peer_sender *sender) {
  return push(sender, gst_buffer_new_memdup(&(header){0}, sizeof(header)));
}

void peer_sender_close(peer_sender *sender) {
  gst_element_set_state(sender->sink, GST_STATE_NULL);
  if (sender->allocator != NULL) gst_object_unref(sender->allocator);
  if (sender->pad != NULL) gst_object_unref(sender->pad);
  gst_object_unref(sender->sink);
  g_free(sender);
}

struct peer_receiver {
  GstElement *source;
  GstPad *pad;
  size_t count;
  GMutex mutex;
  GCond ended;
  bool is_over;
  peer_frame frame;
  void *context;
};

static GstFlowReturn take(GstPad *pad, GstObject *parent, GstBuffer *buffer) {
  (void)parent;
  peer_receiver *receiver = g_object_get_data(G_OBJECT(pad), "receiver");
  GstMapInfo map;
  if (gst_buffer_map(buffer, &map, GST_MAP_READ)) {
    header header;
    if (map.size >= sizeof header) {
      memcpy(&header, map.data, sizeof header);
      if (header.publish_time == 0) {
        g_mutex_lock(&receiver->mutex);
        receiver->is_over = true;
        g_cond_signal(&receiver->ended);
        g_mutex_unlock(&receiver->mutex);
      } else if (map.size >= receiver->count) {
        receiver->frame(receiver->context, header.publish_time, map.data + sizeof header);
      }
    }
    gst_buffer_unmap(buffer, &map);
  }
  gst_buffer_unref(buffer);
  return GST_FLOW_OK;
}

peer_receiver *peer_receiver_open(const char *path, size_t count) {
  gst_init(NULL, NULL);
  GstElement *source = gst_element_factory_make("shmsrc", NULL);
  if (source == NULL) return NULL;
  peer_receiver *receiver = g_new0(peer_receiver, 1);
  receiver->source = source;
  receiver->count = sizeof(header) + count;
  g_mutex_init(&receiver->mutex);
  g_cond_init(&receiver->ended);
  g_object_set(source, "socket-path", path, NULL);
  receiver->pad = gst_pad_new("sink", GST_PAD_SINK);
  g_object_set_data(G_OBJECT(receiver->pad), "receiver", receiver);
  gst_pad_set_chain_function(receiver->pad, take);
  gst_pad_set_event_function(receiver->pad, drop_event);
  gst_pad_set_active(receiver->pad, TRUE);
  GstPad *peer = gst_element_get_static_pad(source, "src");
  gst_pad_link(peer, receiver->pad);
  gst_object_unref(peer);
  return receiver;
}

void peer_receiver_run(peer_receiver *receiver, peer_frame frame, void *context) {
  receiver->frame = frame;
  receiver->context = context;
  if (gst_element_set_state(receiver->source, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE) return;
  g_mutex_lock(&receiver->mutex);
  while (!receiver->is_over) g_cond_wait(&receiver->ended, &receiver->mutex);
  g_mutex_unlock(&receiver->mutex);
}

void peer_receiver_close(peer_receiver *receiver) {
  gst_element_set_state(receiver->source, GST_STATE_NULL);
  gst_object_unref(receiver->pad);
  gst_object_unref(receiver->source);
  g_free(receiver);
}
#endif
