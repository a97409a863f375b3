import CommandLineSupport

/// What one process of a pair is to do, as it travels to that process.
struct Job: Codable, Equatable {
  /// How frames travel.
  var transport: Transport
  /// The file or socket of the pair.
  var path: String
  var width: Int
  var height: Int
  var pixels: Pixels
  /// Nanoseconds from one frame to the next; 0 for as fast as possible.
  var interval: UInt64
  /// Nanoseconds from the first frame to the end.
  var duration: UInt64
  var looks: Looks
  /// The core this process is kept on.
  var core: Int
  var role: Role

  /// Which end of the pair.
  enum Role: String, Codable { case sender, receiver }

  /// The ways of a frame.
  enum Transport: String, Codable {
    /// The frame ring.
    case ring
    /// The frame ring, with the app's classes at its end.
    case app
    /// The article's design: one mapped slot, and a `Data` on both sides.
    case article
    /// Three slots and no order at all: what the memory allows.
    case memcpy
    /// Nothing: the processes only keep time.
    case idle
    /// One word that goes to and fro.
    case cacheLine
    /// One word and the system calls that sleep and wake on it.
    case futex
    /// A Unix stream socket with the raw bytes.
    case socket
    /// The same socket with a JPEG picture.
    case jpeg
    /// GStreamer's shmsink and shmsrc, the frame copied into their memory.
    case gstreamerCopy
    /// The same, the frame made in their memory.
    case gstreamerZeroCopy
  }

  /// What is done with the pixels.
  enum Pixels: String, Codable {
    /// Nothing: only the hand-over is seen.
    case none
    /// One memcpy from a ready frame; the other end sums all bytes where they are.
    case bytes
    /// A pixel buffer serialised; the other end makes a pixel buffer.
    case pictures
  }

  /// When the app's classes look.
  enum AppMode: String, Codable {
    /// Thirty times a second, as the article's app.
    case poll
    /// When the writer wakes them.
    case wake
    /// From shortly before a frame is due.
    case early
    /// When the writer wakes them, and the frame stays where it is.
    case wakeLeased = "wake-leased"
  }

  /// How the receiver finds out that there is a frame.
  enum Looks: Codable, Equatable {
    /// It looks all the time.
    case spinning
    /// It looks once every so many nanoseconds.
    case every(UInt64)
    /// It looks in the middle between two frames, and the look itself is timed.
    case between
    /// It sleeps until so many nanoseconds before a frame is due, and looks all the time from then on.
    case early(UInt64)
    /// The transport wakes it.
    case waiting
    /// The app's classes look.
    case app(AppMode)
  }

  var size: PixelSize { PixelSize(width: width, height: height) }
}
