import Platform
import SharedMemory

/// The first frame of a new ring compared with its hundredth.
struct StartGroup: Measurement {
  let rows = [
    Row(id: "start.hundredth", title: "frame 100 of a fresh ring, filled and published", unit: .microseconds),
    Row(
      id: "start.first", title: "frame 1 of a fresh ring, filled and published", unit: .microseconds,
      beside: "start.hundredth", bar: .ratioAtMost(1.5)),
    Row(
      id: "start.ring", title: "making the ring, its memory reserved and touched", unit: .microseconds,
      beside: "start.hundredth"),
  ]
  private let context: Context

  init(_ context: Context) { self.context = context }

  func run(round: Int) throws -> [String: Double] {
    var times: [String: [Double]] = [:]
    for _ in 0..<context.pace.starts {
      for (id, time) in try start() { times[id, default: []].append(time) }
    }
    return times.compactMapValues { Summary($0).map { Row.Unit.microseconds.figure(nanoseconds: $0.median) } }
  }

  private func start() throws -> [String: Double] {
    let picture = context.picture
    let begin = SystemClock().now.nanoseconds
    let ring = try FrameRingWriter(
      path: context.path("start"), slotCount: Context.slotCount, payloadCapacity: picture.byteCount,
      startTime: MonotonicTime(nanoseconds: begin))
    let made = SystemClock().now.nanoseconds
    var times = ["start.ring": Double(made - begin)]
    for number in 1...100 {
      let start = SystemClock().now.nanoseconds
      try ring.publish(
        byteCount: picture.byteCount, captureTime: MonotonicTime(nanoseconds: start), orientation: 1,
        picture.copy(to:))
      let time = Double(SystemClock().now.nanoseconds - start)
      if number == 1 { times["start.first"] = time }
      if number == 100 { times["start.hundredth"] = time }
    }
    try ring.finish()
    return times
  }
}
