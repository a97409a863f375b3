#include "CScenarioFiles.h"

// #embed is of C23, and clang has it for older C too.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t after_the_end_jsonl[] = {
#embed "Scenarios/after-the-end.jsonl"
};
static const uint8_t annotation_jsonl[] = {
#embed "Scenarios/annotation.jsonl"
};
static const uint8_t app_dies_jsonl[] = {
#embed "Scenarios/app-dies.jsonl"
};
static const uint8_t app_stops_jsonl[] = {
#embed "Scenarios/app-stops.jsonl"
};
static const uint8_t app_suspended_jsonl[] = {
#embed "Scenarios/app-suspended.jsonl"
};
static const uint8_t audio_ends_jsonl[] = {
#embed "Scenarios/audio-ends.jsonl"
};
static const uint8_t audio_packets_jsonl[] = {
#embed "Scenarios/audio-packets.jsonl"
};
static const uint8_t call_jsonl[] = {
#embed "Scenarios/call.jsonl"
};
static const uint8_t captures_jsonl[] = {
#embed "Scenarios/captures.jsonl"
};
static const uint8_t cycles_jsonl[] = {
#embed "Scenarios/cycles.jsonl"
};
static const uint8_t errors_jsonl[] = {
#embed "Scenarios/errors.jsonl"
};
static const uint8_t finish_while_starting_jsonl[] = {
#embed "Scenarios/finish-while-starting.jsonl"
};
static const uint8_t finish_without_error_jsonl[] = {
#embed "Scenarios/finish-without-error.jsonl"
};
static const uint8_t handler_time_jsonl[] = {
#embed "Scenarios/handler-time.jsonl"
};
static const uint8_t indicator_stop_jsonl[] = {
#embed "Scenarios/indicator-stop.jsonl"
};
static const uint8_t lock_pause_jsonl[] = {
#embed "Scenarios/lock-pause.jsonl"
};
static const uint8_t lock_jsonl[] = {
#embed "Scenarios/lock.jsonl"
};
static const uint8_t memory_jsonl[] = {
#embed "Scenarios/memory.jsonl"
};
static const uint8_t microphone_jsonl[] = {
#embed "Scenarios/microphone.jsonl"
};
static const uint8_t misuse_jsonl[] = {
#embed "Scenarios/misuse.jsonl"
};
static const uint8_t notifications_late_jsonl[] = {
#embed "Scenarios/notifications-late.jsonl"
};
static const uint8_t notifications_lost_jsonl[] = {
#embed "Scenarios/notifications-lost.jsonl"
};
static const uint8_t orientations_jsonl[] = {
#embed "Scenarios/orientations.jsonl"
};
static const uint8_t overlap_jsonl[] = {
#embed "Scenarios/overlap.jsonl"
};
static const uint8_t pace_jsonl[] = {
#embed "Scenarios/pace.jsonl"
};
static const uint8_t pause_resume_jsonl[] = {
#embed "Scenarios/pause-resume.jsonl"
};
static const uint8_t pictures_jsonl[] = {
#embed "Scenarios/pictures.jsonl"
};
static const uint8_t resize_jsonl[] = {
#embed "Scenarios/resize.jsonl"
};
static const uint8_t rests_jsonl[] = {
#embed "Scenarios/rests.jsonl"
};
static const uint8_t route_jsonl[] = {
#embed "Scenarios/route.jsonl"
};
static const uint8_t second_start_crash_jsonl[] = {
#embed "Scenarios/second-start-crash.jsonl"
};
static const uint8_t shapes_jsonl[] = {
#embed "Scenarios/shapes.jsonl"
};
static const uint8_t socket_reset_jsonl[] = {
#embed "Scenarios/socket-reset.jsonl"
};
static const uint8_t socket_sliced_jsonl[] = {
#embed "Scenarios/socket-sliced.jsonl"
};
static const uint8_t socket_slow_jsonl[] = {
#embed "Scenarios/socket-slow.jsonl"
};
static const uint8_t start_finish_jsonl[] = {
#embed "Scenarios/start-finish.jsonl"
};
static const uint8_t storage_jsonl[] = {
#embed "Scenarios/storage.jsonl"
};

static const embedded_file files[] = {
    EMBEDDED_FILE("after-the-end.jsonl", after_the_end_jsonl),
    EMBEDDED_FILE("annotation.jsonl", annotation_jsonl),
    EMBEDDED_FILE("app-dies.jsonl", app_dies_jsonl),
    EMBEDDED_FILE("app-stops.jsonl", app_stops_jsonl),
    EMBEDDED_FILE("app-suspended.jsonl", app_suspended_jsonl),
    EMBEDDED_FILE("audio-ends.jsonl", audio_ends_jsonl),
    EMBEDDED_FILE("audio-packets.jsonl", audio_packets_jsonl),
    EMBEDDED_FILE("call.jsonl", call_jsonl),
    EMBEDDED_FILE("captures.jsonl", captures_jsonl),
    EMBEDDED_FILE("cycles.jsonl", cycles_jsonl),
    EMBEDDED_FILE("errors.jsonl", errors_jsonl),
    EMBEDDED_FILE("finish-while-starting.jsonl", finish_while_starting_jsonl),
    EMBEDDED_FILE("finish-without-error.jsonl", finish_without_error_jsonl),
    EMBEDDED_FILE("handler-time.jsonl", handler_time_jsonl),
    EMBEDDED_FILE("indicator-stop.jsonl", indicator_stop_jsonl),
    EMBEDDED_FILE("lock-pause.jsonl", lock_pause_jsonl),
    EMBEDDED_FILE("lock.jsonl", lock_jsonl),
    EMBEDDED_FILE("memory.jsonl", memory_jsonl),
    EMBEDDED_FILE("microphone.jsonl", microphone_jsonl),
    EMBEDDED_FILE("misuse.jsonl", misuse_jsonl),
    EMBEDDED_FILE("notifications-late.jsonl", notifications_late_jsonl),
    EMBEDDED_FILE("notifications-lost.jsonl", notifications_lost_jsonl),
    EMBEDDED_FILE("orientations.jsonl", orientations_jsonl),
    EMBEDDED_FILE("overlap.jsonl", overlap_jsonl),
    EMBEDDED_FILE("pace.jsonl", pace_jsonl),
    EMBEDDED_FILE("pause-resume.jsonl", pause_resume_jsonl),
    EMBEDDED_FILE("pictures.jsonl", pictures_jsonl),
    EMBEDDED_FILE("resize.jsonl", resize_jsonl),
    EMBEDDED_FILE("rests.jsonl", rests_jsonl),
    EMBEDDED_FILE("route.jsonl", route_jsonl),
    EMBEDDED_FILE("second-start-crash.jsonl", second_start_crash_jsonl),
    EMBEDDED_FILE("shapes.jsonl", shapes_jsonl),
    EMBEDDED_FILE("socket-reset.jsonl", socket_reset_jsonl),
    EMBEDDED_FILE("socket-sliced.jsonl", socket_sliced_jsonl),
    EMBEDDED_FILE("socket-slow.jsonl", socket_slow_jsonl),
    EMBEDDED_FILE("start-finish.jsonl", start_finish_jsonl),
    EMBEDDED_FILE("storage.jsonl", storage_jsonl),
    {NULL, NULL, 0},
};

const embedded_file *scenario_files(void) { return files; }
