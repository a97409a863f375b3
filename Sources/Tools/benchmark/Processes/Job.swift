import CommandLineSupport

/// The job of one process of a pair, as it is passed to that process.
struct Job: Codable {
  var transport: Transport
  var pixels: Pixels
  /// The time between two frames; zero for full speed.
  var interval: Duration
  var polling: Polling
  /// The time from the first frame to the end.
  var duration: Duration
  var role = Role.sender
  /// The cores on which this process may run.
  var cores: [Int] = []
  /// The file, folder or socket of the pair.
  var path = ""
  var width = 0
  var height = 0

  /// A job without its place; at 60 frames per second unless another interval is given.
  init(
    _ transport: Transport, _ pixels: Pixels = .none, every interval: Duration = .nanoseconds(16_666_667),
    polling: Polling, for duration: Duration
  ) {
    self.transport = transport
    self.pixels = pixels
    self.interval = interval
    self.polling = polling
    self.duration = duration
  }

  enum Role: String, Codable { case sender, receiver }

  enum Transport: String, Codable {
    case ring
    /// The frame ring, read by the app's classes.
    case app
    /// The same, written by a timer as in the emulated system; both ends count their ticks.
    case timed
    /// The article's design: one mapped slot, and a `Data` on both sides.
    case article
    /// Slots without synchronisation, and a word that counts frames: the limit of the memory. A waiting receiver sleeps
    /// on the word.
    case bare
    /// One word that both processes write in turn.
    case cacheLine
    /// A Unix stream socket with raw bytes.
    case socket
    /// The same socket with JPEG images.
    case jpeg
    /// GStreamer's shmsink and shmsrc, with a copy of the frame into their memory.
    case gstreamerCopy
    /// The same, with a frame that is created in their memory.
    case gstreamerZeroCopy

    /// Whether the files are in the container of an app group.
    var hasContainer: Bool { self == .app || self == .timed }
  }

  enum Pixels: String, Codable {
    /// None: only the hand-off is measured.
    case none
    /// One memcpy from a ready frame; the receiver sums all bytes in place.
    case bytes
    /// The sender serialises a pixel buffer; the receiver creates a pixel buffer.
    case pictures
  }

  /// When the app's classes check for a frame.
  enum AppMode: String, Codable {
    /// 30 times per second, as the article's app does.
    case poll
    /// When the writer wakes them.
    case wake
    /// Repeatedly from shortly before a frame is due.
    case early
    /// When the writer wakes them; the frame is leased.
    case wakeLeased = "wake-leased"
  }

  /// How the receiver detects a frame.
  enum Polling: Codable, Equatable {
    /// It polls without a pause.
    case spinning
    /// It polls at this interval.
    case every(Duration)
    /// It polls at this interval, at the ticks of a dispatch timer.
    case timer(Duration)
    /// It polls in the middle between two frames, and the time of the poll is measured.
    case between
    /// It sleeps until this time before a frame is due, and then polls without a pause.
    case early(Duration)
    /// The transport wakes it.
    case waiting
    /// The app's classes check for frames.
    case app(AppMode)
  }

  /// The time after which a process ends unfinished, because the other one hangs or the machine does not run it.
  var limit: Duration { .seconds(duration.components.seconds + 30) }

  var size: PixelSize { PixelSize(width: width, height: height) }

  /// The end of the transport for the role of the job.
  func makeEnd() throws -> any TransportEnd {
    switch (transport, role) {
    case (.ring, .sender), (.app, .sender): try RingSender(self)
    case (.ring, .receiver):
      if case .timer = polling { try TimedReceiver(self) } else { try RingReceiver(self) }
    case (.timed, .sender): try TimedSender(self)
    case (.app, .receiver), (.timed, .receiver): try AppReceiver(self)
    case (.article, .sender), (.bare, .sender): try BareSender(self)
    case (.article, .receiver), (.bare, .receiver): try BareReceiver(self)
    case (.cacheLine, _): try CacheLineEnd(self)
    case (.socket, .sender): try SocketSender(self, encode: Picture(size).lendBytes)
    case (.socket, .receiver): try SocketReceiver(self)
    case (.jpeg, _), (.gstreamerCopy, _), (.gstreamerZeroCopy, _): try Peers.makeEnd(self)
    }
  }

  /// The frame to send, with its bytes if the job needs them; `nil` without pixels.
  func makePicture() throws -> Picture? {
    pixels == .none ? nil : try Picture(size, keepsBytes: pixels == .bytes)
  }
}
