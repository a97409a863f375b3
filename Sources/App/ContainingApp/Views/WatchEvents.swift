import CommandLineSupport
import MemoryKillRecord
import PixelAccess
import ReplayKit

/// The flag has this value from now on.
struct StatusEvent: JSONEvent {
  static let event = "status"
  /// Whether the flag says that a broadcast is active.
  var active: Bool
  /// When it was seen, in monotonic nanoseconds.
  var atNs: UInt64
}

/// Frames have this shape from now on.
struct FormatEvent: JSONEvent {
  static let event = "format"
  var width: Int
  var height: Int
  var orientation: UInt32
  var pixelFormat: String

  init(_ format: FrameFormat) {
    width = format.width
    height = format.height
    orientation = format.orientation.rawValue
    pixelFormat = format.pixelFormat.fourCharacters
  }
}

/// How it goes; once a second.
struct StatsEvent: JSONEvent {
  static let event = "stats"
  var framesPerSecondIn: Double
  var framesPerSecondOut: Double
  var ageMs: Double
  var framesSkipped: UInt64
  var framesTorn: UInt64
  var bitRate: Double
  var phase: String
  var seconds: Double
  var appLevelDb: Double?
  var micLevelDb: Double?
  var avOffsetMs: Double?

  init(_ stats: WatchStats) {
    framesPerSecondIn = stats.framesPerSecondIn
    framesPerSecondOut = stats.framesPerSecondOut
    ageMs = stats.ageMs
    framesSkipped = stats.framesSkipped
    framesTorn = stats.framesTorn
    bitRate = stats.bitRate
    phase = stats.phase.word
    seconds = stats.seconds
    appLevelDb = stats.appLevelDb
    micLevelDb = stats.micLevelDb
    avOffsetMs = stats.avOffsetMs
  }
}

/// The extension's process died without ending the broadcast.
struct CrashedEvent: JSONEvent {
  static let event = "crashed"
  var pid: Int32
  var reason: String
  var footprintBytes: UInt64?
  var limitBytes: UInt64?
  var pixelBufferBytes: UInt64?
  var heapBytes: UInt64?
  var stackBytes: UInt64?
  var otherBytes: UInt64?

  init(pid: Int32, kill: MemoryKill?) {
    self.pid = pid
    reason = kill == nil ? "unknown" : "memoryLimit"
    footprintBytes = kill?.footprintBytes
    limitBytes = kill?.limitBytes
    pixelBufferBytes = kill?.pixelBufferBytes
    heapBytes = kill?.heapBytes
    stackBytes = kill?.stackBytes
    otherBytes = kill?.otherBytes
  }
}

/// The extension's process is stopped.
struct ProducerSuspendedEvent: JSONEvent {
  static let event = "suspended"
  var pid: Int32
}

/// The extension's process, which was stopped, goes on.
struct ProducerResumedEvent: JSONEvent {
  static let event = "resumed"
  var pid: Int32
}

/// The consumer itself did not run.
struct AppSuspendedEvent: JSONEvent {
  static let event = "appSuspended"
  var seconds: Double
}

/// Something happened to a capture within the app.
struct CaptureEvent: JSONEvent {
  static let event = "capture"
  var change: String
  var errorDomain: String?
  var errorCode: Int?
  var errorDescription: String?

  init(_ change: CaptureChange) {
    self.change = change.kind.rawValue
    errorDomain = change.error?.domain
    errorCode = change.error?.code
    errorDescription = change.error?.text
  }
}

/// Something is wrong while the watch goes on.
struct ProblemEvent: JSONEvent {
  static let event = "problem"
  var description: String
}

extension BroadcastState.Phase {
  /// One word for it.
  var word: String {
    switch self {
    case .waiting: "waiting"
    case .live: "live"
    case .paused: "paused"
    case .suspended: "suspended"
    case .ended: "ended"
    case .crashed: "crashed"
    }
  }
}
