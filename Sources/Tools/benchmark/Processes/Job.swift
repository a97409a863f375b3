import CommandLineSupport

/// The job of one process of a pair, as it is passed to that process.
struct Job: Codable, Equatable {
  var transport: Transport
  /// The file or socket of the pair.
  var path: String
  var width: Int
  var height: Int
  var pixels: Pixels
  /// Nanoseconds between two frames; 0 for full speed.
  var interval: UInt64
  /// Nanoseconds from the first frame to the end.
  var duration: UInt64
  var polling: Polling
  /// The core that this process is bound to.
  var core: Int
  var role: Role

  enum Role: String, Codable { case sender, receiver }

  /// The transports of a frame.
  enum Transport: String, Codable {
    /// The frame ring.
    case ring
    /// The frame ring, read by the app's classes.
    case app
    /// The article's design: one mapped slot, and a `Data` on both sides.
    case article
    /// Three slots without synchronisation: the limit of the memory.
    case memcpy
    /// Nothing: the processes only wait.
    case idle
    /// One word that both processes write in turn.
    case cacheLine
    /// One word, and the system calls that wait for it and wake on it.
    case futex
    /// A Unix stream socket with raw bytes.
    case socket
    /// The same socket with JPEG images.
    case jpeg
    /// GStreamer's shmsink and shmsrc, with a copy of the frame into their memory.
    case gstreamerCopy
    /// The same, with a frame that is created in their memory.
    case gstreamerZeroCopy
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
    /// It polls at this interval, in nanoseconds.
    case every(UInt64)
    /// It polls in the middle between two frames, and the time of the poll is measured.
    case between
    /// It sleeps until this number of nanoseconds before a frame is due, and then polls without a pause.
    case early(UInt64)
    /// The transport wakes it.
    case waiting
    /// The app's classes check for frames.
    case app(AppMode)
  }

  var size: PixelSize { PixelSize(width: width, height: height) }
}
