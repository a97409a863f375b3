import Causes
import CommandLineSupport
import EmulatedDevice
import PhoneLink
import PixelAccess
import Platform
import ReplayKitCore
import ScreenBroadcast

/// A value of the flag.
struct StatusEvent: JSONEvent {
  static let event = "status"
  var active: Bool
  /// The time of the poll, in monotonic nanoseconds.
  var atNs: UInt64
}

/// A format of frames, until the next one.
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

/// A change of a stream of audio.
struct AudioEvent: JSONEvent {
  static let event = "audio"
  var stream: String
  var change: String
  var sampleRate: Double
  var channels: Int

  init(_ change: AudioChange) {
    stream = change.stream.rawValue
    self.change = change.kind.rawValue
    sampleRate = change.sampleRate
    channels = change.channelCount
  }
}

/// A crash: the process of the extension died without ending the broadcast.
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

/// A stop of the extension's process.
struct ProducerSuspendedEvent: JSONEvent {
  static let event = "suspended"
  var pid: Int32
}

/// The end of such a stop.
struct ProducerResumedEvent: JSONEvent {
  static let event = "resumed"
  var pid: Int32
}

/// The begin of a broadcast. What is not known is absent.
package struct BegunEvent: JSONEvent, Equatable {
  package static let event = "begun"
  var atNs: UInt64
  var pid: Int32
  var `extension`: String?
  var device: String?
  var width: Int?
  var height: Int?
  var framesPerSecond: Double
  /// What a terminal runs to start it again.
  var line: String?

  init(_ fact: StartedFact, at time: MonotonicTime, pid: Int32) {
    (atNs, self.pid, framesPerSecond) = (time.nanoseconds, pid, fact.fps)
    (`extension`, device, width, height) = (fact.extension, fact.device, fact.width, fact.height)
    line = fact.line
  }
}

/// The end of a broadcast.
package struct BroadcastFinishedEvent: JSONEvent, Equatable {
  package static let event = "finished"
  package enum How: String, Encodable, Sendable { case stopped, error, crashed, killed, finished }
  var atNs: UInt64
  var how: How
  var errorDomain: String?
  var errorCode: Int?
  var errorDescription: String?

  init(_ how: How, at time: MonotonicTime) { (self.how, atNs) = (how, time.nanoseconds) }

  init(_ fact: FinishedFact, at time: MonotonicTime) {
    let how: How =
      switch fact.reason {
      case "stoppedByApp", "stoppedBySystem": .stopped
      case "extensionError", "sourceError": .error
      default: .finished
      }
    self.init(how, at: time)
    guard how == .error else { return }
    (errorDomain, errorCode, errorDescription) = (fact.errorDomain, fact.errorCode, fact.errorDescription)
  }
}

/// A command to the phone or the app, and why it did not happen.
package struct ControlEvent: JSONEvent, Equatable {
  package static let event = "control"
  /// Who gave it.
  package enum By: String, Encodable, Sendable { case page, terminal }
  package var command: String
  /// The name of its button.
  package var name: String
  /// What a terminal runs to do the same.
  package var line: String?
  package var problem: String?
  package var by: By
  package var atNs: UInt64
  /// What a timeline has for it.
  var sentence: String { "Asked for \(command)" + (problem.map { ": not done. \($0)" } ?? ".") }

  package init(
    _ command: String, name: String, line: String?, problem: String?, by: By, at time: MonotonicTime
  ) {
    (self.command, self.name, self.line, self.problem) = (command, name, line, problem)
    (self.by, atNs) = (by, time.nanoseconds)
  }
}

/// A time in which the consumer itself did not run.
struct AppSuspendedEvent: JSONEvent {
  static let event = "appSuspended"
  var seconds: Double
}

/// What the phone did with the app.
struct AppEvent: JSONEvent {
  static let event = "app"
  var change: String
  var state: Int?

  init(_ event: DeviceState.AppEvent) { (change, state) = ("\(event)", event.state?.rawValue) }
}

/// A change of a capture within the app.
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

/// The address of the page that shows the watch.
struct ServingEvent: JSONEvent {
  static let event = "serving"
  var address: String
}

/// A problem that does not end the watch.
struct ProblemEvent: JSONEvent {
  static let event = "problem"
  var description: String
}

extension BroadcastState.Phase: Encodable {
  /// Encodes the name.
  package func encode(to encoder: any Encoder) throws { try word.encode(to: encoder) }

  /// The colour of the phase on a terminal.
  var colour: LivePart.Colour? {
    switch self {
    case .live: .green
    case .paused, .suspended: .yellow
    case .crashed: .red
    case .waiting, .ended: nil
    }
  }

  /// The name in JSON and in lines for people.
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
