import Platform
import SharedMemory

/// The first frame of a new ring compared with the first copy into new memory, and with the hundredth frame.
struct StartGroup: Measurement {
  let rows = [
    Row("start.hundredth", "frame 100 of a fresh ring, filled and published", .microseconds),
    Row(
      "start.memcpy", "the first memcpy into fresh slots: the limit", .microseconds, beside: "start.hundredth"
    ),
    Row(
      "start.first", "frame 1 of a fresh ring, filled and published", .microseconds, beside: "start.memcpy",
      bar: .atMost(1.3)),
    Row(
      "start.ring", "making the ring, its memory reserved and touched", .microseconds,
      beside: "start.hundredth"),
  ]
  let obstacle: String? = nil
  let context: Context

  func run() throws -> [String: Double] {
    var times: [String: [Double]] = [:]
    for _ in 0..<context.pace.starts {
      for (id, time) in try start() { times[id, default: []].append(Row.Unit.microseconds.figure(of: time)) }
    }
    return times.compactMapValues { Summary($0)?.median }
  }

  private func start() throws -> [String: Duration] {
    let (picture, clock) = (context.picture, SystemClock())
    let path = context.path("start-slots")
    let slots = try BareMapping(
      path: path, slotCount: Context.slotCount, slotByteCount: picture.byteCount, creates: true)
    try System.remove(path)
    // UNSAFE: the slot has room for the picture's bytes.
    let firstCopy = clock.measure { unsafe picture.copy(to: slots.slot(0)) }
    let begin = clock.now
    let ring = try FrameRingWriter(
      path: context.path("start"), slotCount: Context.slotCount, payloadCapacity: picture.byteCount,
      startTime: begin)
    var times = ["start.memcpy": firstCopy, "start.ring": clock.now - begin]
    for number in 1...100 {
      let time = try clock.measure { try ring.publish(byteCount: picture.byteCount, picture.copy(to:)) }
      if number == 1 { times["start.first"] = time }
      if number == 100 { times["start.hundredth"] = time }
    }
    try ring.finish()
    return times
  }
}
