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
  /// The sentence that terminal, page and report have.
  var text: String

  init(_ format: FrameFormat) {
    width = format.width
    height = format.height
    orientation = format.orientation.rawValue
    pixelFormat = format.pixelFormat.fourCharacters
    text = "Frames: \(width)x\(height), \(pixelFormat), orientation \(format.orientation.name)."
  }
}

/// A change of a stream of audio.
struct AudioEvent: JSONEvent {
  static let event = "audio"
  var stream: String
  var change: String
  var sampleRate: Double
  var channels: Int
  /// The sentence that terminal, page and report have.
  var text: String

  init(_ change: AudioChange) {
    stream = change.stream.rawValue
    self.change = change.kind.rawValue
    sampleRate = change.sampleRate
    channels = change.channelCount
    let name = change.stream == .app ? "App audio" : "Microphone"
    text =
      switch change.kind {
      case .format: "\(name): \(Int(sampleRate)) Hz on \(channels) channel\(channels == 1 ? "" : "s")."
      case .stopped: "\(name): nothing comes any more, and the broadcast goes on."
      case .back: "\(name): audio comes again."
      }
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
  /// The sentence that terminal, page and report have.
  var text: String

  init(pid: Int32) {
    self.pid = pid
    text = "The extension (process \(pid)) continues."
  }
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
  /// The sentence that the page has.
  var text: String

  init(_ fact: StartedEvent, at time: MonotonicTime, pid: Int32) {
    (atNs, self.pid, framesPerSecond) = (time.nanoseconds, pid, fact.fps)
    (`extension`, device, width, height) = (fact.extension, fact.device, fact.width, fact.height)
    line = fact.arguments.map { Cause.commandLine($0) }
    let size = fact.width.flatMap { width in fact.height.map { "\(width)x\($0)" } }
    let screen = [fact.device, size, "\(fact.fps.text(decimals: 0)) frames a second"].compactMap(\.self)
    text = "The broadcast begins: \(screen.joined(separator: ", "))."
  }
}

/// The end of a broadcast.
package struct BroadcastFinishedEvent: JSONEvent, Equatable {
  package static let event = "finished"
  package enum How: String, Encodable, Sendable {
    case stopped, error, crashed, killed, finished

    fileprivate var text: String {
      switch self {
      case .stopped: "The app or the phone has ended the broadcast."
      case .error: "The extension has ended the broadcast with an error."
      case .crashed: "The extension has crashed."
      case .killed: "The extension was killed."
      case .finished: "The broadcast has ended by itself."
      }
    }
  }

  var atNs: UInt64
  var how: How
  var errorDomain: String?
  var errorCode: Int?
  var errorDescription: String?
  /// The sentence that the page has.
  var text: String

  init(_ how: How, at time: MonotonicTime) { (self.how, atNs, text) = (how, time.nanoseconds, how.text) }

  init(_ end: BroadcastEnd, at time: MonotonicTime) {
    let how: How =
      switch end.reason {
      case "stoppedByApp", "stoppedBySystem": .stopped
      case "extensionError", "sourceError": .error
      default: .finished
      }
    self.init(how, at: time)
    guard how == .error else { return }
    (errorDomain, errorCode, errorDescription) = (end.errorDomain, end.errorCode, end.errorDescription)
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
  /// The sentence that page and report have.
  package var text: String

  package init(
    _ command: String, name: String, line: String?, problem: String?, by: By, at time: MonotonicTime
  ) {
    (self.command, self.name, self.line, self.problem) = (command, name, line, problem)
    (self.by, atNs) = (by, time.nanoseconds)
    text = "Asked for \(command)" + (problem.map { ": not done. \($0)" } ?? ".")
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
  /// The sentence that terminal, page and report have.
  var text: String

  init(_ event: DeviceState.AppEvent) {
    (change, state) = ("\(event)", event.state?.rawValue)
    text =
      switch event {
      case .background: "The app is in the background; the phone suspends it soon."
      case .foreground: "The app is in the foreground again."
      case .memoryWarning: "The phone warns the app: little memory is left."
      }
  }
}

/// A change of a capture within the app.
struct CaptureEvent: JSONEvent {
  static let event = "capture"
  var change: String
  var errorDomain: String?
  var errorCode: Int?
  var errorDescription: String?
  /// The sentence that terminal, page and report have.
  var text: String

  init(_ change: CaptureChange) {
    self.change = change.kind.rawValue
    let reason = change.error.map { ": \($0.text)" } ?? "."
    text =
      switch change.kind {
      case .started: "The capture has started."
      case .refused: "A start was refused\(reason)"
      case .background: "The app is in the background: no samples come until it is back."
      case .foreground: "The app is on the screen again."
      case .interrupted: "The system has ended the capture\(reason)"
      }
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
