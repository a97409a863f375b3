#!/usr/bin/env bash
# Builds the examples and runs them: each extension under the emulated system, with its app.
#
# Usage: Docs/Examples/run.sh [FOLDER OF THE PROGRAMS consumer AND broadcast]     .build/debug by default
set -euo pipefail

examples=$(cd "$(dirname "$0")" && pwd)
package=$(cd "$examples/../.." && pwd)
tools=$(realpath "${1:-$package/.build/debug}")
consumer=$tools/consumer
build=(swift build --package-path "$examples" --scratch-path "${EXAMPLES_BUILD:-$package/.build/examples}")

# An incremental build plan does not notice new files of a package dependency.
"${build[@]}" --disable-build-manifest-caching
programs=$("${build[@]}" --show-bin-path)

memory=/dev/shm
[[ -w $memory ]] || memory=${TMPDIR:-/tmp}
# A short name, because the address of a socket below it has at most 107 bytes.
work=$(mktemp -d "$memory/ex-XXXXXX")
pids=()
clean_up() {
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  rm -rf "$work"
}
trap clean_up EXIT
export BROADCAST_CONTAINER=$work/container

fail() { echo "run.sh: $1" >&2; tail -n 20 "$work"/*.log >&2; exit 1; }

# printed NAME REGULAR-EXPRESSION: waits until a program has printed a line that matches.
printed() {
  for (( poll = 0; poll < 1500; poll++ )); do
    grep -qE -- "$2" "$work/$1.log" && return
    sleep 0.02
  done
  fail "$1 did not print a line like '$2'"
}

# start NAME ARGUMENT...: starts an app's program and waits until it is ready. Sets `app`.
start() {
  # Before the start, because the log may be from an earlier run.
  : >"$work/$1.log"
  "$programs/$1" "${@:2}" >>"$work/$1.log" 2>&1 &
  app=$!
  pids+=("$app")
  printed "$1" "listening|observing"
}

# run CODE NAME ARGUMENT...: runs an extension, which must exit with CODE.
run() {
  local status=0
  "$programs/$2" --info-plist "$examples/Sources/$2/Info.plist" --json --size 320x240 --duration 60 "${@:3}" \
    >"$work/$2.log" 2>&1 || status=$?
  (( status == $1 )) || fail "$2 exited with $status, not with $1"
}

# expect CODE WHAT PID: waits for the end of a program.
expect() {
  local status=0
  wait "$3" || status=$?
  (( status == $1 )) || fail "$2 exited with $status, not with $1"
}

# logged NAME LINE: a program printed exactly this line.
logged() { grep -qxF -- "$2" "$work/$1.log" || fail "$1 did not print '$2'"; }

# no_misuse NAME: the emulated system reported no misuse of samples by the extension.
no_misuse() { if grep -q '"event":"misuse"' "$work/$1.log"; then fail "$1 misuses its samples"; fi; }

# The handler of the article: the app receives intact frames, and ends the broadcast with the flag.
"$programs/ArticleExtension" --info-plist "$examples/Sources/ArticleExtension/Info.plist" \
  --pattern proof --size 320x240 --orientation left --duration 60 >"$work/article.log" 2>&1 &
article=$!
pids+=("$article")
"$consumer" watch --verify --frames 30 --wait 10 --json >"$work/watch.log" || fail "the article's frames did not arrive"
grep -q '"framesTorn":0.*"framesVerified":30' "$work/watch.log" || fail "not all frames were proven whole"
"$consumer" stop --quiet --wait 5 || fail "the article's extension did not stop"
expect 0 "the article's extension" "$article"
echo "ArticleExtension: 30 frames proven whole, stopped by the app"

# The same handler, launched by the app.
"$consumer" start --quiet --producer "$programs/ArticleExtension" -- --size 320x240 --duration 60 ||
  fail "the app did not launch the article's extension"
"$consumer" stop --quiet --wait 5 || fail "the extension that the app launched did not stop"
echo "ArticleExtension: launched by the app"

# The handler with a socket: the app receives its frames, leaves, and observes its end.
start SocketApp 30
# The error is the handler's own, so the emulated system does not count it as an ordinary end.
run 76 SocketExtension --orientation left
grep -q '"errorCode":10001,.*"reason":"extensionError"' "$work/SocketExtension.log" || fail "its error was not reported"
expect 0 SocketApp "$app"
logged SocketApp "notification: started"
logged SocketApp "30 frames of 320x240, orientation 8"
echo "SocketExtension: 30 right frames over the socket, start and end observed as Darwin notifications"

# A check of the pair: the app's socket does not count as left by a broadcast, and the app is there at each start.
printf '#!/bin/sh\nexec "%s" 0\n' "$programs/SocketApp" >"$work/SocketApp"
chmod +x "$work/SocketApp"
"$tools/broadcast" check "$programs/SocketExtension" --info-plist "$examples/Sources/SocketExtension/Info.plist" --app "$work/SocketApp" \
  --only cycles --only route --container "$work" >"$work/check.log" 2>&1 || fail "the check of the pair failed"
echo "SocketExtension: its check beside its app passes"

# The checks of the apps find a wrong picture.
start SocketApp 30
run 76 SocketExtension --pattern noise
expect 1 "the app of a wrong picture" "$app"
grep -q "it is mirrored, turned or wrong" "$work/SocketApp.log" || fail "the app did not report the wrong picture"
echo "SocketApp: a wrong picture is reported"

# JPEG in HTTP messages: the app decodes the pictures, checks the test pattern, and leaves.
if PATH=$PATH:/sbin ldconfig -p | grep -E 'libjpeg\.so\.(62|8) ' >/dev/null; then
  start JPEGApp 20
  run 76 JPEGExtension --orientation left
  expect 0 JPEGApp "$app"
  logged JPEGApp "20 pictures of 160x120, orientation 8"
  grep -q "connected after" "$work/JPEGExtension.log" || fail "the extension's log has no connection"
  echo "JPEGExtension: 20 JPEG pictures in HTTP messages, with the right colour bars"
else
  echo "JPEGExtension: not run; install libjpeg, which encodes and decodes"
fi

# An SDK in the same package as the app and the extension that use it.
start SDKApp 20
run 0 SDKExtension --orientation left
expect 0 SDKApp "$app"
logged SDKApp "20 frames of 320x240, rotation 90"
echo "SDKExtension: 20 right frames of an SDK in a track of WebRTC"

# Mapped memory and a notification for each frame.
start MappedApp 20
run 0 MappedExtension --orientation left
expect 0 MappedApp "$app"
logged MappedApp "20 frames of 320x240, orientation 8"
echo "MappedExtension: 20 whole frames read at their notifications"

# Notifications only: the system pauses the broadcast, then the app does.
start NotificationApp
run 0 NotificationExtension &
extension=$!
printed NotificationApp "step 2: framesReceived"
"$programs/NotificationExtension" control pause >>"$work/control.log" || fail "the broadcast cannot be paused"
printed NotificationApp "step 3: paused"
"$programs/NotificationExtension" control resume >>"$work/control.log" || fail "the broadcast cannot be resumed"
expect 0 NotificationExtension "$extension"
expect 0 NotificationApp "$app"
logged NotificationApp "step 9: finished"
echo "NotificationExtension: start, pauses and end by notifications in both directions"

# The app group's defaults: the app reads what the extension counts, and requests its end.
start DefaultsApp 20
run 0 DefaultsExtension
expect 0 DefaultsApp "$app"
logged DefaultsApp "320x240, brightness 191, bundle com.example.DefaultsExtension"
no_misuse DefaultsExtension
echo "DefaultsExtension: values and requests through the app group's defaults"

# A log of all calls and samples equals the trace that the emulated system recorded, except for the times of arrival. It is
# replayed with the same result.
run 0 LoggingExtension --orientation left --app-audio tone --mic tone --fps 30 \
  --at 1s pause --at 1500ms resume --at 2s resize:160x120 --at 3s stop --record-trace "$work/recorded.jsonl"
trace=$work/container/group.com.example.screenshare.dev/trace.jsonl
without_arrivals() { sed 's/"arrival":[0-9]*,//' "$1"; }
diff <(without_arrivals "$work/recorded.jsonl") <(without_arrivals "$trace") >"$work/diff.log" ||
  fail "the log of the handler is not the trace that was recorded"
mv "$trace" "$work/trace.jsonl"
# Without the options of 'run': the trace has the size and the end of the broadcast.
"$programs/LoggingExtension" --quiet --trace "$work/trace.jsonl" --record-trace "$work/replayed.jsonl" 2>"$work/replay.log" ||
  fail "the log cannot be replayed"
without_times() { sed 's/"\(arrival\|presentation\)":[0-9]*,//g' "$1"; }
diff <(without_times "$work/trace.jsonl") <(without_times "$work/replayed.jsonl") >"$work/diff.log" ||
  fail "the replay of the log differs from the log"
echo "LoggingExtension: $(wc -l <"$work/trace.jsonl") calls logged as they were recorded, and replayed"

# The check of the workflow, for the example instead of MyExtension.
mkdir -p "$work/team/.build/debug" "$work/team/results"
ln -s "$examples/Sources" "$work/team/Sources"
ln -s "$programs/LoggingExtension" "$tools/broadcast" "$work/team/.build/debug"
check=$(sed -n 's/^ *run: \(\.build.* check .*\)/\1/p' "$examples/github-actions.yml")
[[ -n $check ]] || fail "the workflow has no check"
(cd "$work/team" && bash -ec "${check//MyExtension/LoggingExtension} --only life") >"$work/workflow.log" 2>&1 ||
  fail "the check of the workflow failed"
grep -q "<h1>" "$work/team/results/check.html" && grep -q "<testsuite" "$work/team/results/check.xml" ||
  fail "the check of the workflow left no report"
echo "github-actions.yml: its check passes, and leaves its reports"

# Held samples: a picture that is sent later is the one that arrived. The app of the socket example receives it.
start SocketApp 12
run 0 AsynchronousExtension --orientation left
expect 0 "the app of held samples" "$app"
logged SocketApp "12 frames of 320x240, orientation 8"
no_misuse AsynchronousExtension
echo "AsynchronousExtension: 12 held samples kept their pictures"

# H.264, with a lock of the device that pauses and invalidates the encoder's session.
if command -v ffmpeg >/dev/null; then
  start EncodedApp 20
  run 0 EncodedExtension &
  extension=$!
  printed EncodedApp "receiving"
  "$programs/EncodedExtension" control lock:pause >>"$work/control.log" || fail "the device cannot be locked"
  "$programs/EncodedExtension" control unlock >>"$work/control.log" || fail "the device cannot be unlocked"
  expect 0 EncodedExtension "$extension"
  expect 0 EncodedApp "$app"
  logged EncodedApp "all frames of 320x240 show the screen, 2 key frames"
  grep -q "The session is invalid (-12903)" "$work/EncodedExtension.log" || fail "the lock did not invalidate the session"
  echo "EncodedExtension: H.264 decodes to the right pictures, also after a lock"
else
  echo "EncodedExtension: not run; install ffmpeg, which encodes and decodes"
fi

# The tests of a handler with BroadcastTesting: an hour on a virtual clock, and a process.
swift test --package-path "$examples" --scratch-path "${EXAMPLES_BUILD:-$package/.build/examples}" \
  --disable-build-manifest-caching >"$work/tests.log" 2>&1 || fail "the tests of the handler failed"
echo "HandlerTests: $(grep -oE '[0-9]+ tests? .*passed' "$work/tests.log" | tail -n 1)"

# The app without an extension: one source, built for iOS 26 and for iOS 27.
"$programs/SharingApp" --framework replaykit --size 320x240 --duration 2 >"$work/SharingApp.log" 2>&1 ||
  fail "the app by RPScreenRecorder failed"
logged SharingApp "30 frames by RPScreenRecorder"
if [[ -n ${LONG_TESTS:-} ]]; then
  # A separate build, because the modules of both would be in one folder.
  build27=(env IOS=27 swift build --package-path "$examples" --scratch-path "${EXAMPLES_BUILD:-$package/.build/examples}-27")
  "${build27[@]}" --product SharingApp >/dev/null || fail "the app does not build for iOS 27"
  "$("${build27[@]}" --show-bin-path)/SharingApp" --size 320x240 --duration 2 >"$work/SharingApp.log" 2>&1 ||
    fail "the app by SCStream failed"
  logged SharingApp "30 frames by SCStream"
  echo "SharingApp: one source, by RPScreenRecorder and by SCStream"
else
  echo "SharingApp: by RPScreenRecorder; its build for iOS 27 takes minutes, set LONG_TESTS=1"
fi
