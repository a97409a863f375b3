/// Other transports between processes, from a ready frame to one whose bytes were all read.
enum PeersGroup {
  static func measurements(_ context: Context) -> [any Measurement] {
    let flatOut: [any Measurement] = [
      flat(context, .memcpy, .bytes, "memcpy", "memcpy and sum without order", beside: false),
      flat(context, .ring, .bytes, "ring", "ring"),
      flat(context, .ring, .pictures, "ring-pictures", "ring, pixel buffer to pixel buffer"),
      flat(context, .article, .pictures, "article", "article, pixel buffer to pixel buffer"),
      flat(context, .socket, .bytes, "socket", "Unix stream socket", polling: .waiting),
      flat(context, .gstreamerCopy, .bytes, "gstreamer-copy", "GStreamer shm, copying", polling: .waiting),
      flat(
        context, .gstreamerZeroCopy, .bytes, "gstreamer-zero-copy", "GStreamer shm, zero-copy",
        polling: .waiting),
      flat(context, .jpeg, .pictures, "jpeg", "JPEG over a Unix stream socket", polling: .waiting),
    ]
    let paced: [any Measurement] = [
      paced(context, .ring, .bytes, "ring", "ring, woken", beside: false),
      paced(context, .socket, .bytes, "socket", "Unix stream socket"),
      paced(context, .gstreamerCopy, .bytes, "gstreamer-copy", "GStreamer shm, copying"),
      paced(context, .gstreamerZeroCopy, .bytes, "gstreamer-zero-copy", "GStreamer shm, zero-copy"),
      paced(context, .jpeg, .pictures, "jpeg", "JPEG over a Unix stream socket"),
    ]
    return flatOut + paced
  }

  private static func obstacle(_ transport: Job.Transport) -> String? {
    switch transport {
    case .jpeg, .gstreamerCopy, .gstreamerZeroCopy: Peers.obstacle
    default: nil
    }
  }

  private static func flat(
    _ context: Context, _ transport: Job.Transport, _ pixels: Job.Pixels, _ name: String, _ title: String,
    polling: Job.Polling = .spinning, beside: Bool = true
  ) -> Pair {
    func row(_ figure: String, _ what: String, _ unit: Row.Unit) -> Row {
      Row(
        id: "flat.\(name).\(figure)", title: "\(title): \(what)", unit: unit,
        beside: beside ? "flat.memcpy.\(figure)" : nil)
    }
    return Pair(
      context, transport, pixels, interval: 0, duration: context.pace.flatOut, polling: polling,
      obstacle: obstacle(transport),
      figures: [
        (row("rate", "flat out", .framesPerSecond), { sender, _ in sender.framesPerSecond }),
        (
          row("out", "processor a frame, out", .microseconds),
          { sender, _ in sender.processorPerFrame }
        ),
        (
          row("in", "processor a frame, in", .microseconds),
          { _, receiver in receiver.processorPerFrame }
        ),
      ])
  }

  private static func paced(
    _ context: Context, _ transport: Job.Transport, _ pixels: Job.Pixels, _ name: String, _ title: String,
    beside: Bool = true
  ) -> Pair {
    func row(_ figure: String, _ what: String, _ unit: Row.Unit) -> Row {
      Row(
        id: "at-60.\(name).\(figure)", title: "\(title), at 60: \(what)", unit: unit,
        beside: beside ? "at-60.ring.\(figure)" : nil)
    }
    return Pair(
      context, transport, pixels, interval: Frames.interval, duration: context.pace.paced / 2,
      polling: .waiting,
      obstacle: obstacle(transport),
      figures: [
        (
          row("age", "ready to seen, median", .microseconds),
          { _, receiver in receiver.times.map { $0.median / 1e3 } }
        ),
        (
          row("age-p99", "ready to seen, p99", .microseconds),
          { _, receiver in receiver.times.map { $0.p99 / 1e3 } }
        ),
        (
          row("out", "processor a frame, out", .microseconds),
          { sender, _ in sender.processorPerFrame }
        ),
        (
          row("in", "processor a frame, in", .microseconds),
          { _, receiver in receiver.processorPerFrame }
        ),
      ])
  }
}
