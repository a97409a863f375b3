import CommandLineSupport

/// The job of one process of a pair, as it is passed to that process.
struct Job: Codable {
  var transport: Transport
  /// Whether the frames have pixels: the sender serialises a pixel buffer, and the receiver makes one.
  var hasPixels: Bool
  /// The time between two frames; zero for full speed.
  var interval: Duration
  var polling: Polling
  /// The time from the first frame to the end.
  var duration: Duration
  var role = Role.sender
  /// The cores on which this process may run.
  var cores: [Int] = []
  /// The file or folder of the pair.
  var path = ""
  var width = 0
  var height = 0

  /// A job without its place; at 60 frames per second unless another interval is given.
  init(
    _ transport: Transport, hasPixels: Bool = false, every interval: Duration = .nanoseconds(16_666_667),
    polling: Polling, for duration: Duration
  ) {
    self.transport = transport
    self.hasPixels = hasPixels
    self.interval = interval
    self.polling = polling
    self.duration = duration
  }

  enum Role: String, Codable { case sender, receiver }

  enum Transport: String, Codable {
    case ring
    /// The frame ring, read by the app's classes.
    case app
    /// A word that counts frames, without pixels. A waiting receiver sleeps on it.
    case bare
    /// One word that both processes write in turn.
    case cacheLine

    /// Whether the files are in the container of an app group.
    var hasContainer: Bool { self == .app }
  }

  /// When the app's classes check for a frame.
  enum AppMode: String, Codable {
    /// 30 times per second, as the article's app does.
    case poll
    /// When the writer wakes them.
    case wake
  }

  /// How the receiver detects a frame.
  enum Polling: Codable, Equatable {
    /// It polls without a pause.
    case spinning
    /// It polls at this interval, at the ticks of a dispatch timer.
    case timer(Duration)
    /// It polls in the middle between two frames, and the time of the poll is measured.
    case between
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
    case (.app, .receiver): try AppReceiver(self)
    case (.bare, .sender): try BareSender(self)
    case (.bare, .receiver): try BareReceiver(self)
    case (.cacheLine, _): try CacheLineEnd(self)
    }
  }
}
