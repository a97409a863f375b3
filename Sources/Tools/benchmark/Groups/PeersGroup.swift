/// Other transports between processes, from a ready frame to one whose bytes were all read.
enum PeersGroup {
  private typealias Peer = (transport: Job.Transport, pixels: Job.Pixels, name: String, title: String)

  private static let others: [Peer] = [
    (.socket, .bytes, "socket", "Unix stream socket"),
    (.gstreamerCopy, .bytes, "gstreamer-copy", "GStreamer shm, copying"),
    (.gstreamerZeroCopy, .bytes, "gstreamer-zero-copy", "GStreamer shm, zero-copy"),
    (.jpeg, .pictures, "jpeg", "JPEG over a Unix stream socket"),
  ]

  static func measurements(_ context: Context) -> [any Measurement] {
    let polled: [Peer] = [
      (.bare, .bytes, "memcpy", "memcpy and sum without order"),
      (.ring, .bytes, "ring", "ring"),
      (.ring, .pictures, "ring-pictures", "ring, pixel buffer to pixel buffer"),
      (.article, .pictures, "article", "article, pixel buffer to pixel buffer"),
    ]
    return polled.map { flatOut(context, $0, .spinning) } + others.map { flatOut(context, $0, .waiting) }
      + ([(.ring, .bytes, "ring", "ring, woken")] + others).map { paced(context, $0) }
  }

  private static func flatOut(_ context: Context, _ peer: Peer, _ polling: Job.Polling) -> ProcessPair {
    let series = RowSeries(
      id: "flat.\(peer.name)", title: peer.title, beside: peer.name == "memcpy" ? nil : "flat.memcpy")
    return ProcessPair(
      context, Job(peer.transport, peer.pixels, every: .zero, polling: polling, for: context.pace.flatOut),
      [series("rate", "flat out", .sender, .rate, .framesPerSecond)]
        + series.both("", "processor a frame", .processorPerFrame))
  }

  private static func paced(_ context: Context, _ peer: Peer) -> ProcessPair {
    let series = RowSeries(
      id: "at-60.\(peer.name)", title: "\(peer.title), at 60",
      beside: peer.name == "ring" ? nil : "at-60.ring")
    return ProcessPair(
      context, Job(peer.transport, peer.pixels, polling: .waiting, for: context.pace.paced / 2),
      series.agesAndTimes("ready to seen"))
  }
}
