import Platform
import SharedMemory

/// The first frame of a new ring compared with its hundredth.
struct StartGroup: Measurement {
  let rows = [
    Row("start.hundredth", "frame 100 of a fresh ring, filled and published", .microseconds),
    Row(
      "start.first", "frame 1 of a fresh ring, filled and published", .microseconds,
      beside: "start.hundredth",
      bar: .ratioAtMost(1.5)),
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
    let begin = clock.now
    let ring = try FrameRingWriter(
      path: context.path("start"), slotCount: Context.slotCount, payloadCapacity: picture.byteCount,
      startTime: begin)
    var times = ["start.ring": clock.now - begin]
    for number in 1...100 {
      let time = try clock.measure { try ring.publish(byteCount: picture.byteCount, picture.copy(to:)) }
      if number == 1 { times["start.first"] = time }
      if number == 100 { times["start.hundredth"] = time }
    }
    try ring.finish()
    return times
  }
}
