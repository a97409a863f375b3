import CommandLineSupport
import Foundation
import PixelAccess
import SharedMemory

/// A broadcast has begun.
public struct StartedEvent: JSONEvent, Equatable {
  /// The event's name.
  public static let event = "started"
  /// The producer's process.
  public var pid: Int32
  /// The random id of the session, in hexadecimal; `nil` for a handler that has none.
  public var session: String?
  /// The folder shared with the app.
  public var container: String
  /// The width of the frames, in pixels.
  public var width: Int
  /// The height of the frames, in pixels.
  public var height: Int
  /// The pixel format as four characters.
  public var pixelFormat: String
  /// The bytes from one luma row to the next.
  public var bytesPerRow: Int
  /// The frame rate, in frames per second.
  public var fps: Double
  /// The uncompressed bit rate, in bits per second.
  public var bitRate: Double

  /// The start of this process' broadcast.
  public init(_ arithmetic: RawVideoArithmetic, session: RingSession?, container: String) {
    pid = ProcessInfo.processInfo.processIdentifier
    self.session = session.map { String($0.id, radix: 16) }
    self.container = container
    width = arithmetic.width
    height = arithmetic.height
    pixelFormat = arithmetic.pixelFormat.fourCharacters
    bytesPerRow = arithmetic.bytesPerRow
    fps = arithmetic.framesPerSecond
    bitRate = arithmetic.bitRate
  }
}

/// No frames until it resumes.
struct PausedEvent: JSONEvent {
  static let event = "paused"
}

/// Frames follow again.
struct ResumedEvent: JSONEvent {
  static let event = "resumed"
}

/// Something that was asked for has happened, or could not.
public struct DeviceEventEvent: JSONEvent {
  /// The event's name.
  public static let event = "happened"
  /// The event as it is typed.
  public var what: String
  /// Why it could not happen; `nil` when it did.
  public var refusal: String?

  /// An event that was asked for, as it is typed.
  public init(what: String, refusal: String? = nil) {
    self.what = what
    self.refusal = refusal
  }
}

/// The handler did for the first time what it should not do.
struct MisuseEvent: JSONEvent {
  static let event = "misuse"
  var kind: String
  var description: String
}

/// A broadcast has ended.
struct FinishedEvent: JSONEvent {
  static let event = "finished"
  var reason: String
  var errorDomain: String?
  var errorCode: Int?
  var errorDescription: String?
  var framesProduced: UInt64
  var framesDropped: UInt64
  var lateTicks: UInt64
  var audioDropped: UInt64
  var misuses: UInt64
  var seconds: Double
  var framesPerSecond: Double

  init(_ report: BroadcastReport) {
    reason = report.ending.reason
    if case .byExtension(let error) = report.ending {
      errorDomain = error.domain
      errorCode = error.code
      errorDescription = error.localizedDescription
    }
    framesProduced = report.progress.framesProduced
    framesDropped = report.progress.framesDropped
    lateTicks = report.progress.lateTicks
    audioDropped = report.progress.audioDropped
    misuses = report.misuses.values.reduce(0, +)
    seconds = report.progress.seconds
    framesPerSecond = report.progress.framesPerSecond
  }
}

/// The memory the producer used, as iOS would count it.
struct MemoryEvent: JSONEvent {
  static let event = "memory"
  var footprintBytes: UInt64
  var peakFootprintBytes: UInt64
  var budgetBytes: UInt64
  var mappedFileBytes: UInt64
}
