#!/usr/bin/env bash
# Builds the two programs, runs them together, and compares the measured values with the expected ones.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")"

usage() {
  cat <<'TEXT'
Usage: ./run-demo.sh [--seconds N] [--cycles N] [--live-screen]

Builds producer and consumer, and runs:
  1. a broadcast of a verifiable test pattern at 60 fps, which the consumer polls 30 times per second
  2. a stop by the consumer, as an app stops a broadcast
  3. start/stop cycles
  4. a table of expected and measured figures

  --seconds N     Duration of the broadcast in seconds, 2 to 3600. Default: 10.
  --cycles N      Number of start/stop cycles, 0 to 100. Default: 3.
  --live-screen   Broadcast this machine's X display instead of the test pattern. Requires ffmpeg.
  --help          Print this text.

On a Mac the demo runs in a container, of Docker or of Apple's 'container'.

Exit codes: 0 if all figures are as expected, 1 if one is not, 64 for a wrong option, 69 if a requirement is missing.
TEXT
}

fail_usage() { echo "run-demo.sh: $1" >&2; echo "Run './run-demo.sh --help' for the options." >&2; exit 64; }

number() { # NAME VALUE LOWEST HIGHEST
  [[ "$2" =~ ^[0-9]{1,4}$ ]] && (( 10#$2 >= $3 && 10#$2 <= $4 )) \
    || fail_usage "$1 requires a number from $3 to $4, not '$2'."
}

arguments=("$@")
seconds=10 cycles=3 live_screen=no
while (( $# )); do
  case "$1" in
    --seconds) number "$1" "${2-}" 2 3600; seconds=$((10#$2)); shift 2 ;;
    --cycles) number "$1" "${2-}" 0 100; cycles=$((10#$2)); shift 2 ;;
    --live-screen) live_screen=yes; shift ;;
    --help | -h) usage; exit 0 ;;
    *) fail_usage "Unknown option '$1'." ;;
  esac
done

missing() { echo "run-demo.sh: $1" >&2; exit 69; }
if [[ $(uname) == Darwin ]]; then
  [[ $live_screen == no ]] || missing "--live-screen requires Linux: a container has no X display."
  in_container=(-v "$PWD:/src" -w /src swift:6.3 ./run-demo.sh ${arguments[@]+"${arguments[@]}"})
  if command -v docker >/dev/null; then
    docker info >/dev/null 2>&1 || missing "Docker is installed and does not run. Start it."
    exec docker run --rm --shm-size 1g "${in_container[@]}"
  elif command -v container >/dev/null; then
    exec container run --rm --memory 4g "${in_container[@]}"
  fi
  missing "The package builds on Linux. Install Docker or Apple's 'container', in which the demo then runs."
fi
command -v swift >/dev/null || missing "The Swift toolchain is not installed. See https://www.swift.org/install."
if [[ $live_screen == yes ]]; then
  command -v ffmpeg >/dev/null || missing "--live-screen requires ffmpeg. On Debian: apt-get install ffmpeg."
  [[ -n "${DISPLAY-}" ]] || missing "--live-screen requires an X display, and DISPLAY is not set."
  ffmpeg -v error -f x11grab -i "$DISPLAY" -frames:v 1 -f null - 2>/dev/null \
    || missing "ffmpeg cannot read the X display $DISPLAY. Check that it runs and that this user has access."
fi

heading() { printf '\n== %s\n' "$1"; }

heading "Building"
swift build --target Demo
bin=$(swift build --show-bin-path)

# The cleanup ends only processes, and removes only folders, that this script has created.
work=$(mktemp -d "${TMPDIR:-/tmp}/broadcast-demo.XXXXXX")
memory=/dev/shm
[[ -d $memory && -w $memory ]] || memory=$work
container=$(mktemp -d "$memory/broadcast-demo.XXXXXX")
snapshot=.build/demo-snapshot.png
pids=()
cleanup() {
  for pid in "${pids[@]-}"; do [[ -n $pid ]] && kill "$pid" 2>/dev/null || true; done
  "$bin/consumer" stop --container "$container" --quiet --wait 2 2>/dev/null || true
  rm -rf "$work" "$container"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

milliseconds() { echo $(( $(date +%s%N) / 1000000 )); }
# json FILE EVENT KEY prints the value of a key in the last line of FILE with that event.
json() { { grep "\"event\":\"$2\"" "$1" || true; } | tail -n 1 | sed -n "s/.*\"$3\":\"\{0,1\}\([^,\"}]*\).*/\1/p"; }

rows=() passed=yes late=0 judged=yes
check() { # WHAT EXPECTED MEASURED CONDITION(awk)
  local verdict=yes
  awk "BEGIN { exit !($4) }" || { verdict=NO; passed=no; }
  rows+=("$(printf '%-34s %-20s %-14s %s' "$1" "$2" "$3" "$verdict")")
}
# check_time: the same for a value that an overloaded host spoils. It is not judged if the producer's timer was late.
check_time() {
  if (( late > 0 )) && ! awk "BEGIN { exit !($4) }"; then
    judged=no
    rows+=("$(printf '%-34s %-20s %-14s %s' "$1" "$2" "$3" "not judged")")
  else
    check "$@"
  fi
}

if [[ $live_screen == yes ]]; then
  rate=30 verify=()
  heading "A broadcast of the X display $DISPLAY at $rate fps"
  mkfifo "$work/screen"
  ffmpeg -v error -f x11grab -framerate $rate -i "$DISPLAY" -pix_fmt yuv420p -f yuv4mpegpipe - \
    > "$work/screen" 2> "$work/ffmpeg.log" < /dev/null &
  pids+=($!)
  source=(--source "y4m:$work/screen")
else
  rate=60 verify=(--verify)
  heading "A broadcast of the proof pattern at $rate fps"
  source=(--pattern proof)
fi

"$bin/producer" --container "$container" --json "${source[@]}" > "$work/producer.json" &
producer=$!
pids+=("$producer")
"$bin/consumer" --container "$container" --once --json "${verify[@]}" --wait 10 --snapshot "$snapshot" \
  > "$work/consumer.json" &
consumer=$!
pids+=("$consumer")

watched=0
"$bin/consumer" --container "$container" "${verify[@]}" --duration "$seconds" || watched=$?

heading "Stopping the broadcast with the consumer"
start=$(milliseconds)
stopped=0
"$bin/consumer" stop --container "$container" --wait 5 || stopped=$?
latency=$(( $(milliseconds) - start ))
produced=0; wait "$producer" || produced=$?
consumed=0; wait "$consumer" || consumed=$?
pids=("${pids[@]:0:${#pids[@]}-2}")
echo "The producer finished ${latency} ms after the consumer turned the flag off: $(json "$work/producer.json" finished errorDescription)"

done_cycles=0
if (( cycles > 0 )); then
  heading "$cycles start/stop cycles"
  for (( cycle = 1; cycle <= cycles; cycle++ )); do
    if "$bin/consumer" start --container "$container" --quiet -- --pattern proof \
      && "$bin/consumer" --container "$container" --verify --frames 15 --wait 5 --quiet \
      && "$bin/consumer" stop --container "$container" --quiet; then
      done_cycles=$((done_cycles + 1))
      echo "cycle $cycle: started, 15 frames verified, stopped"
    else
      echo "cycle $cycle: failed"
    fi
  done
fi

fps_in=$(printf '%.2f' "$(json "$work/producer.json" finished framesPerSecond)")
late=$(json "$work/producer.json" finished lateTicks)
late=${late:-0}
polls=$(printf '%.2f' "$(json "$work/consumer.json" summary pollsPerSecond)")
torn=$(json "$work/consumer.json" summary framesTorn)
repeated=$(json "$work/consumer.json" summary framesRepeated)
delivered=$(json "$work/consumer.json" summary framesDelivered)
verified=$(json "$work/consumer.json" summary framesVerified)

if [[ $live_screen == yes ]]; then
  check_time "frame rate of the display" "27 to 33 fps" "$fps_in fps" "$fps_in >= 27 && $fps_in <= 33"
else
  check_time "frame rate of the producer" "59.4 to 60.6 fps" "$fps_in fps" "$fps_in >= 59.4 && $fps_in <= 60.6"
  check "verified frames" "all ${delivered:-0}" "${verified:-none}" \
    "${verified:-0} == ${delivered:-0} && ${delivered:-0} > 0"
  check "torn frames" "0" "${torn:-none}" "${torn:-1} == 0"
fi
check_time "poll rate of the consumer" "29.7 to 30.3 Hz" "$polls Hz" "$polls >= 29.7 && $polls <= 30.3"
check "repeated frames" "0" "${repeated:-none}" "${repeated:-1} == 0"
check_time "time until the producer stops" "at most 750 ms" "$latency ms" "$latency <= 750"
check "start/stop cycles" "$cycles" "$done_cycles" "$done_cycles == $cycles"
check "exit codes (producer, consumers)" "0 0 0 0" "$produced $consumed $watched $stopped" \
  "$produced + $consumed + $watched + $stopped == 0"

heading "Expected and measured"
printf '%-34s %-20s %-14s %s\n' what expected measured passed
printf '%s\n' "${rows[@]}"
echo
echo "The last frame is in $snapshot"
[[ $passed == yes ]] || { echo "Some figures are not as expected." >&2; exit 1; }
if [[ $judged == yes ]]; then
  echo "All figures are as expected."
else
  echo "The machine was too slow for some figures: it ran $late ticks of the producer's timer late. The others are as expected."
fi
