#ifdef PEERS
#include "CPeers.h"

#include <gst/gst.h>
#include <semaphore.h>
#include <string.h>

// Buffers are pushed into shmsink's pad and taken from shmsrc's directly: no element, queue or thread in between.

/// Precedes the pixels of each frame. A time of 0 is the mark of the end.
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

peer_sender *peer_sender_open(const char *path, size_t count, bool zero_copy) {
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
  bool is_open = gst_pad_link(sender->pad, peer) == GST_PAD_LINK_OK &&
                 gst_element_set_state(sink, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE;
  gst_object_unref(peer);
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_TIME);
  gst_pad_push_event(sender->pad, gst_event_new_stream_start("frames"));
  gst_pad_push_event(sender->pad, gst_event_new_segment(&segment));
  if (zero_copy) {
    GstQuery *query = gst_query_new_allocation(NULL, FALSE);
    if (gst_pad_peer_query(sender->pad, query) && gst_query_get_n_allocation_params(query) > 0)
      gst_query_parse_nth_allocation_param(query, 0, &sender->allocator, NULL);
    gst_query_unref(query);
    is_open = is_open && sender->allocator != NULL;
  }
  if (is_open) return sender;
  peer_sender_close(sender);
  return NULL;
}

static bool push(peer_sender *sender, GstBuffer *buffer) {
  GST_BUFFER_PTS(buffer) = sender->number++ * GST_SECOND / 60;
  return gst_pad_push(sender->pad, buffer) == GST_FLOW_OK;
}

bool peer_sender_send(peer_sender *sender, const void *bytes, uint64_t (*now)(void)) {
  header header = {0};
  GstBuffer *buffer = gst_buffer_new();
  if (sender->allocator != NULL) {
    // The receiver may hold all of the memory for a moment.
    GstMemory *memory;
    while ((memory = gst_allocator_alloc(sender->allocator, sender->count, NULL)) == NULL) g_usleep(20);
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
  gst_object_unref(sender->pad);
  gst_object_unref(sender->sink);
  g_free(sender);
}

struct peer_receiver {
  GstElement *source;
  GstPad *pad;
  size_t count;
  sem_t ended;
  peer_frame frame;
  void *context;
};

static GstFlowReturn take(GstPad *pad, GstObject *parent, GstBuffer *buffer) {
  (void)parent;
  peer_receiver *receiver = g_object_get_data(G_OBJECT(pad), "receiver");
  GstMapInfo map;
  if (gst_buffer_map(buffer, &map, GST_MAP_READ)) {
    header header = {0};
    if (map.size >= sizeof header) memcpy(&header, map.data, sizeof header);
    if (header.publish_time == 0) {
      sem_post(&receiver->ended);
    } else if (map.size >= receiver->count) {
      receiver->frame(receiver->context, header.publish_time, map.data + sizeof header);
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
  sem_init(&receiver->ended, 0, 0);
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
  while (sem_wait(&receiver->ended) != 0) continue;
}

void peer_receiver_close(peer_receiver *receiver) {
  gst_element_set_state(receiver->source, GST_STATE_NULL);
  gst_object_unref(receiver->pad);
  gst_object_unref(receiver->source);
  g_free(receiver);
}
#endif
