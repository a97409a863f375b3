#include "CPageFiles.h"

// #embed is of C23, and clang has it for older C too.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t actions_js[] = {
#embed "Page/actions.js"
};
static const uint8_t events_js[] = {
#embed "Page/events.js"
};
static const uint8_t figures_js[] = {
#embed "Page/figures.js"
};
static const uint8_t film_js[] = {
#embed "Page/film.js"
};
static const uint8_t picture_js[] = {
#embed "Page/picture.js"
};
static const uint8_t player_css[] = {
#embed "Page/player.css"
};
static const uint8_t player_html[] = {
#embed "Page/player.html"
};
static const uint8_t player_js[] = {
#embed "Page/player.js"
};
static const uint8_t run_js[] = {
#embed "Page/run.js"
};
static const uint8_t burn_in_js[] = {
#embed "Call/burn-in.js"
};
static const uint8_t call_plots_js[] = {
#embed "Call/call-plots.js"
};
static const uint8_t call_js[] = {
#embed "Call/call.js"
};
static const uint8_t calls_js[] = {
#embed "Call/calls.js"
};
static const uint8_t far_end_html[] = {
#embed "Call/far-end.html"
};
static const uint8_t far_end_js[] = {
#embed "Call/far-end.js"
};
static const uint8_t receiver_js[] = {
#embed "Call/receiver.js"
};
static const uint8_t signals_js[] = {
#embed "Call/signals.js"
};

static const embedded_file files[] = {
    EMBEDDED_FILE("actions.js", actions_js),
    EMBEDDED_FILE("events.js", events_js),
    EMBEDDED_FILE("figures.js", figures_js),
    EMBEDDED_FILE("film.js", film_js),
    EMBEDDED_FILE("picture.js", picture_js),
    EMBEDDED_FILE("player.css", player_css),
    EMBEDDED_FILE("player.html", player_html),
    EMBEDDED_FILE("player.js", player_js),
    EMBEDDED_FILE("run.js", run_js),
    EMBEDDED_FILE("burn-in.js", burn_in_js),
    EMBEDDED_FILE("call-plots.js", call_plots_js),
    EMBEDDED_FILE("call.js", call_js),
    EMBEDDED_FILE("calls.js", calls_js),
    EMBEDDED_FILE("far-end.html", far_end_html),
    EMBEDDED_FILE("far-end.js", far_end_js),
    EMBEDDED_FILE("receiver.js", receiver_js),
    EMBEDDED_FILE("signals.js", signals_js),
    {NULL, NULL, 0},
};

const embedded_file *page_files(void) { return files; }
