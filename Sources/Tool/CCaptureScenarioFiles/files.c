#include "CCaptureScenarioFiles.h"

// #embed is of C23, and clang has it for older C too.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t background_jsonl[] = {
#embed "Scenarios/background.jsonl"
};
static const uint8_t call_jsonl[] = {
#embed "Scenarios/call.jsonl"
};
static const uint8_t idle_jsonl[] = {
#embed "Scenarios/idle.jsonl"
};
static const uint8_t lock_jsonl[] = {
#embed "Scenarios/lock.jsonl"
};
static const uint8_t pace_jsonl[] = {
#embed "Scenarios/pace.jsonl"
};
static const uint8_t picker_cancel_jsonl[] = {
#embed "Scenarios/picker-cancel.jsonl"
};
static const uint8_t picker_declined_jsonl[] = {
#embed "Scenarios/picker-declined.jsonl"
};
static const uint8_t picker_fails_jsonl[] = {
#embed "Scenarios/picker-fails.jsonl"
};
static const uint8_t protected_jsonl[] = {
#embed "Scenarios/protected.jsonl"
};
static const uint8_t recorder_background_jsonl[] = {
#embed "Scenarios/recorder-background.jsonl"
};
static const uint8_t recorder_call_jsonl[] = {
#embed "Scenarios/recorder-call.jsonl"
};
static const uint8_t recorder_declined_jsonl[] = {
#embed "Scenarios/recorder-declined.jsonl"
};
static const uint8_t recorder_disabled_jsonl[] = {
#embed "Scenarios/recorder-disabled.jsonl"
};
static const uint8_t recorder_fails_jsonl[] = {
#embed "Scenarios/recorder-fails.jsonl"
};
static const uint8_t recorder_interrupted_jsonl[] = {
#embed "Scenarios/recorder-interrupted.jsonl"
};
static const uint8_t recorder_pace_jsonl[] = {
#embed "Scenarios/recorder-pace.jsonl"
};
static const uint8_t recorder_second_start_jsonl[] = {
#embed "Scenarios/recorder-second-start.jsonl"
};
static const uint8_t recorder_start_jsonl[] = {
#embed "Scenarios/recorder-start.jsonl"
};
static const uint8_t recorder_unanswered_jsonl[] = {
#embed "Scenarios/recorder-unanswered.jsonl"
};
static const uint8_t recorder_without_microphone_jsonl[] = {
#embed "Scenarios/recorder-without-microphone.jsonl"
};
static const uint8_t rotation_jsonl[] = {
#embed "Scenarios/rotation.jsonl"
};
static const uint8_t second_start_jsonl[] = {
#embed "Scenarios/second-start.jsonl"
};
static const uint8_t start_jsonl[] = {
#embed "Scenarios/start.jsonl"
};
static const uint8_t system_stop_jsonl[] = {
#embed "Scenarios/system-stop.jsonl"
};
static const uint8_t user_stop_jsonl[] = {
#embed "Scenarios/user-stop.jsonl"
};

static const embedded_file files[] = {
    EMBEDDED_FILE("background.jsonl", background_jsonl),
    EMBEDDED_FILE("call.jsonl", call_jsonl),
    EMBEDDED_FILE("idle.jsonl", idle_jsonl),
    EMBEDDED_FILE("lock.jsonl", lock_jsonl),
    EMBEDDED_FILE("pace.jsonl", pace_jsonl),
    EMBEDDED_FILE("picker-cancel.jsonl", picker_cancel_jsonl),
    EMBEDDED_FILE("picker-declined.jsonl", picker_declined_jsonl),
    EMBEDDED_FILE("picker-fails.jsonl", picker_fails_jsonl),
    EMBEDDED_FILE("protected.jsonl", protected_jsonl),
    EMBEDDED_FILE("recorder-background.jsonl", recorder_background_jsonl),
    EMBEDDED_FILE("recorder-call.jsonl", recorder_call_jsonl),
    EMBEDDED_FILE("recorder-declined.jsonl", recorder_declined_jsonl),
    EMBEDDED_FILE("recorder-disabled.jsonl", recorder_disabled_jsonl),
    EMBEDDED_FILE("recorder-fails.jsonl", recorder_fails_jsonl),
    EMBEDDED_FILE("recorder-interrupted.jsonl", recorder_interrupted_jsonl),
    EMBEDDED_FILE("recorder-pace.jsonl", recorder_pace_jsonl),
    EMBEDDED_FILE("recorder-second-start.jsonl", recorder_second_start_jsonl),
    EMBEDDED_FILE("recorder-start.jsonl", recorder_start_jsonl),
    EMBEDDED_FILE("recorder-unanswered.jsonl", recorder_unanswered_jsonl),
    EMBEDDED_FILE("recorder-without-microphone.jsonl", recorder_without_microphone_jsonl),
    EMBEDDED_FILE("rotation.jsonl", rotation_jsonl),
    EMBEDDED_FILE("second-start.jsonl", second_start_jsonl),
    EMBEDDED_FILE("start.jsonl", start_jsonl),
    EMBEDDED_FILE("system-stop.jsonl", system_stop_jsonl),
    EMBEDDED_FILE("user-stop.jsonl", user_stop_jsonl),
    {NULL, NULL, 0},
};

const embedded_file *capture_scenario_files(void) { return files; }
