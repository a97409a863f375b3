/// A broadcast is live.
package struct StartedEvent: FactBody {
  package static let event = "started"
  /// The process of the extension.
  package var pid: Int32?
  /// With the article's handler: the random number of this broadcast, in hexadecimal without leading zeros.
  package var session: String?
  /// The path of the app group's folder.
  package var container: String?
  /// Pixels of a frame.
  package var width: Int?
  package var height: Int?
  /// `420f` or `420v`.
  package var pixelFormat: String?
  /// Bytes per row of luma.
  package var bytesPerRow: Int?
  /// The intended frames per second.
  package var fps: Double
  /// Uncompressed bits per second, without padding.
  package var bitRate: Double?

  package init(fps: Double) { self.fps = fps }
}

/// The broadcast is paused: no samples follow.
package struct PausedEvent: FactBody {
  package static let event = "paused"
  package init() {}
}

/// Samples follow again.
package struct ResumedEvent: FactBody {
  package static let event = "resumed"
  package init() {}
}
