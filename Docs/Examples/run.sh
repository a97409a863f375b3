#!/usr/bin/env bash
# Builds the examples and runs them: each extension under the emulated system, with its app.
#
# Usage: Docs/Examples/run.sh [FOLDER OF THE PROGRAM consumer]     .build/debug by default
set -euo pipefail

examples=$(cd "$(dirname "$0")" && pwd)
package=$(cd "$examples/../.." && pwd)
consumer=$(realpath "${1:-$package/.build/debug}")/consumer
build=(swift build --package-path "$examples" --scratch-path "${EXAMPLES_BUILD:-$package/.build/examples}")

# The plan of an earlier build does not notice when a package it depends on has new files.
"${build[@]}" --disable-build-manifest-caching
programs=$("${build[@]}" --show-bin-path)

memory=/dev/shm
[[ -w $memory ]] || memory=${TMPDIR:-/tmp}
work=$(mktemp -d "$memory/broadcast-examples-XXXXXX")
pids=()
clean_up() {
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  rm -rf "$work"
}
trap clean_up EXIT
export BROADCAST_CONTAINER=$work/container

fail() { echo "run.sh: $1" >&2; cat "$work"/*.log >&2; exit 1; }

# expect CODE WHAT PID: waits for the end of a program.
expect() {
  local status=0
  wait "$3" || status=$?
  (( status == $1 )) || fail "$2 ended with $status, not with $1"
}

# The handler of the article: the app sees whole frames, and ends the broadcast by the flag.
"$programs/ArticleExtension" --info-plist "$examples/Sources/ArticleExtension/Info.plist" \
  --pattern proof --size 320x240 --orientation left --duration 60 >"$work/article.log" 2>&1 &
article=$!
pids+=("$article")
"$consumer" watch --verify --frames 30 --wait 10 --json >"$work/watch.log" || fail "the article's frames did not arrive"
grep -q '"framesTorn":0.*"framesVerified":30' "$work/watch.log" || fail "not all frames were proven whole"
"$consumer" stop --quiet --wait 5 || fail "the article's extension did not stop"
expect 0 "the article's extension" "$article"
echo "ArticleExtension: 30 frames proven whole, stopped by the app"

# The same as it is installed, a bundle as Xcode makes it, launched by the system's picker.
bundle=$work/Extensions/ArticleExtension.appex
mkdir -p "$bundle"
ln -s "$programs/ArticleExtension" "$bundle/ArticleExtension"
sed '0,/<dict>/s//<dict>\
  <key>CFBundleIdentifier<\/key><string>com.example.examples.article<\/string>\
  <key>CFBundleExecutable<\/key><string>ArticleExtension<\/string>/' \
  "$examples/Sources/ArticleExtension/Info.plist" >"$bundle/Info.plist"
"$consumer" start --quiet --extensions "$work/Extensions" --extension com.example.examples.article \
  -- --size 320x240 --duration 60 || fail "the picker did not launch the article's extension"
"$consumer" stop --quiet --wait 5 || fail "the extension of the bundle did not stop"
status=0
"$consumer" start --quiet --extensions "$work/Extensions" --extension com.example.examples.other 2>"$work/picker.log" ||
  status=$?
(( status == 64 )) || fail "an extension that is not installed ended with $status, not with 64"
grep -q "there is 'com.example.examples.article'" "$work/picker.log" || fail "the installed extension was not named"
echo "ArticleExtension.appex: launched by the picker"

# The handler with a socket: the app takes its frames, leaves, and hears the extension end.
"$programs/SocketApp" 30 >"$work/app.log" 2>&1 &
app=$!
pids+=("$app")
for (( look = 0; look < 500; look++ )); do
  grep -q listening "$work/app.log" && break
  sleep 0.02
done
status=0
"$programs/SocketExtension" --info-plist "$examples/Sources/SocketExtension/Info.plist" \
  --size 320x240 --orientation left --duration 60 --json >"$work/socket.log" 2>&1 || status=$?
# Its error is its own, so the emulated system does not take it for an end in order.
(( status == 76 )) || fail "the extension with a socket ended with $status, not with 76"
grep -q '"errorCode":10001,.*"reason":"extensionError"' "$work/socket.log" || fail "its error was not told"
expect 0 "the app with a socket" "$app"
for line in "notification: started" "notification: finished" "30 frames of 320x240, orientation 8"; do
  grep -qx "$line" "$work/app.log" || fail "the app did not say '$line'"
done
echo "SocketExtension: 30 frames over the socket, start and end heard as Darwin notifications"

# started NAME ARGUMENT...: starts an app's program and waits until it is ready. Sets `app`.
started() {
  "$programs/$1" "${@:2}" >"$work/$1.log" 2>&1 &
  app=$!
  pids+=("$app")
  for (( poll = 0; poll < 500; poll++ )); do
    grep -qE "listening|observing" "$work/$1.log" && return
    sleep 0.02
  done
  fail "$1 is not ready"
}

# JPEG in HTTP messages: the app decodes the pictures, finds the test pattern's colour bars, and leaves.
started JPEGApp 20
status=0
"$programs/JPEGExtension" --info-plist "$examples/Sources/JPEGExtension/Info.plist" \
  --size 320x240 --orientation left --duration 60 --json >"$work/jpeg.log" 2>&1 || status=$?
(( status == 76 )) || fail "the extension with JPEG ended with $status, not with 76"
expect 0 "the app with JPEG" "$app"
grep -qx "20 pictures of 160x120, orientation 8" "$work/JPEGApp.log" || fail "the app did not receive all pictures"
grep -q "connected after" "$work/jpeg.log" || fail "the extension's log has no connection"
echo "JPEGExtension: 20 JPEG pictures in HTTP messages, with the right colour bars"

# The app group's defaults: the app reads what the extension counts, and requests its end.
started DefaultsApp 20
"$programs/DefaultsExtension" --info-plist "$examples/Sources/DefaultsExtension/Info.plist" \
  --size 320x240 --duration 60 >"$work/defaults.log" 2>&1 || fail "the extension with defaults ended with an error"
expect 0 "the app with defaults" "$app"
grep -qx "320x240, brightness 191, bundle com.example.DefaultsExtension" "$work/DefaultsApp.log" ||
  fail "the app did not read the extension's values"
echo "DefaultsExtension: values and requests through the app group's defaults"
