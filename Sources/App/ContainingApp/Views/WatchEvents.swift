import Causes
import CommandLineSupport
import EmulatedDevice
import PhoneLink
import PixelAccess
import Platform
import ReplayKitCore
import ScreenBroadcast

/// The state of the broadcast, at the start and at each change.
struct StatusEvent: JSONEvent {
  static let event = "status"
  /// With `watch`: whether the flag is on. Otherwise: whether flag and lock together mean an active broadcast.
  var active: Bool
  /// When it was detected, in monotonic nanoseconds.
  var atNs: UInt64
}

/// The format of the frames from now on.
struct FormatEvent: JSONEvent {
  static let event = "format"
  /// Pixels of the screen's frames, before scaling.
  var width: Int
  var height: Int
  /// 1 to 8, as in `CGImagePropertyOrientation` (Docs/ReplayKitMapping.md#orientation-and-rotation).
  var orientation: UInt32
  /// `420f` or `420v`.
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

/// A change of an audio stream.
struct AudioEvent: JSONEvent {
  static let event = "audio"
  /// The stream that changed: `app` or `microphone`.
  var stream: String
  /// `format` at the first audio and at each change of the format, `stopped` after two seconds of the broadcast without audio,
  /// `back` if audio arrives after that.
  var change: String
  /// The sample rate of the stream's newest audio.
  var sampleRate: Double
  /// The number of the stream's channels.
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
      case .stopped: "\(name): the audio stopped, and the broadcast continues."
      case .back: "\(name): the audio is back."
      }
  }
}

/// The process of the extension died without ending the broadcast.
struct CrashedEvent: JSONEvent {
  static let event = "crashed"
  /// The process that crashed.
  var pid: Int32
  /// `memoryLimit` if it was killed for its memory, else `unknown`.
  var reason: String
  /// After a memory kill: the footprint and its limit.
  var footprintBytes: UInt64?
  var limitBytes: UInt64?
  /// After a memory kill: the parts of the footprint.
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

/// The process of the extension was stopped, as by SIGSTOP.
struct ProducerSuspendedEvent: JSONEvent {
  static let event = "suspended"
  /// The process.
  var pid: Int32
}

/// The process of the extension continues.
struct ProducerResumedEvent: JSONEvent {
  static let event = "resumed"
  /// The process.
  var pid: Int32
  /// The sentence that terminal, page and report have.
  var text: String

  init(pid: Int32) {
    self.pid = pid
    text = "The extension (process \(pid)) continues."
  }
}

/// A broadcast began: its extension was launched. Values that the extension did not report are `nil`.
package struct BegunEvent: JSONEvent, Equatable {
  package static let event = "begun"
  /// When it began, as the extension reported it, in monotonic nanoseconds.
  var atNs: UInt64
  /// The process of the extension.
  var pid: Int32
  /// The program of the extension.
  var `extension`: String?
  /// The emulated device.
  var device: String?
  /// The device with its iOS and its memory limit.
  var phone: String?
  /// Pixels of its frames.
  var width: Int?
  var height: Int?
  /// The rate of its screen.
  var framesPerSecond: Double
  /// The command line that starts it again.
  var line: String?
  /// The options of `line` that shape it, without events, container, reports and other outputs.
  package var arguments: [String]?
  /// The file of its program.
  package var program: String?
  /// The sentence that the page has.
  var text: String

  init(_ fact: LaunchFact, at time: MonotonicTime, pid: Int32) {
    (atNs, self.pid, framesPerSecond) = (time.nanoseconds, pid, fact.fps)
    (`extension`, device, phone) = (fact.extension, fact.device, fact.phone)
    (width, height) = (fact.width, fact.height)
    line = fact.arguments.map { Cause.commandLine($0) }
    (arguments, program) = (fact.arguments.map(Self.shape), fact.arguments?.first)
    let size = fact.width.flatMap { width in fact.height.map { "\(width)x\($0)" } }
    let screen = [fact.device, size, "\(fact.fps.text(decimals: 0)) frames a second"].compactMap(\.self)
    text = "The broadcast begins: \(screen.joined(separator: ", "))."
  }

  /// The options of a command line that shape the broadcast.
  private static func shape(_ line: [String]) -> [String] {
    let others = [
      "--at", "--container", "--group", "--environment", "--report", "--junit", "--record-trace",
    ]
    var (kept, rest) = ([String](), line.dropFirst())
    while let word = rest.popFirst() {
      if others.contains(word) {
        // An event with its time is one word or two.
        rest = rest.dropFirst(word == "--at" && rest.first?.contains(" ") == false ? 2 : 1)
      } else if !others.contains(String(word.prefix { $0 != "=" })), !["--json", "--quiet"].contains(word) {
        kept.append(word)
      }
    }
    return kept.first == "broadcast" ? Array(kept.dropFirst()) : kept
  }
}

/// A broadcast ended.
package struct ObservedEndEvent: JSONEvent, Equatable {
  package static let event = "finished"
  package enum EndReason: String, Encodable, Sendable {
    case stopped, error, crashed, killed, finished

  }

  /// When it ended, in monotonic nanoseconds.
  var atNs: UInt64
  /// How it ended.
  var how: EndReason
  /// The domain of the error.
  var errorDomain: String?
  /// The code of the error.
  var errorCode: Int?
  /// The text of the error.
  var errorDescription: String?
  /// The text of the dialog that a phone shows.
  var dialog: String?
  /// The sentence that the page has: who ended it.
  var text: String

  /// The end of an extension whose process died.
  init(isKilled: Bool, dialog: String?, at time: MonotonicTime) {
    (how, atNs, self.dialog) = (isKilled ? .killed : .crashed, time.nanoseconds, dialog)
    text = isKilled ? "The extension was killed." : "The extension has crashed."
  }

  /// - Parameter request: the newest event that was requested shortly before.
  init(_ end: BroadcastEnd, after request: String?, at time: MonotonicTime) {
    let ended = "has ended the broadcast"
    (how, text) =
      switch (end.reason, request) {
      case ("stoppedByApp", _): (.stopped, "The app \(ended).")
      case ("stoppedBySystem", "lock"): (.stopped, "Locking the phone \(ended).")
      case ("stoppedBySystem", "stop"), ("stoppedBySystem", "indicator:stop"):
        (.stopped, "The person \(ended).")
      case ("stoppedBySystem", _): (.stopped, "The system \(ended), as after Ctrl-C.")
      case ("extensionError", _): (.error, "The extension \(ended) with an error.")
      case ("exited", _), ("hung", _): (.error, end.errorDescription ?? "")
      case ("sourceError", _): (.error, "The source of the frames failed.")
      case ("endedByExtension", _): (.finished, "The extension \(ended), without an error.")
      case ("endOfSource", _): (.finished, "The source has ended, and the broadcast with it.")
      default: (.finished, "The option --\(end.reason) \(ended).")
      }
    (atNs, dialog) = (time.nanoseconds, end.dialog)
    guard how == .error else { return }
    (errorDomain, errorCode, errorDescription) = (end.errorDomain, end.errorCode, end.errorDescription)
  }
}

/// A requested event.
package struct ControlEvent: JSONEvent, Equatable {
  package static let event = "control"
  /// Who gave it.
  package enum Source: String, Encodable, Sendable { case page, terminal }
  /// The event as typed.
  package var command: String
  /// Its name on the page.
  package var name: String
  /// The command line that does the same.
  package var line: String?
  /// The reason if it did not happen.
  package var problem: String?
  /// The origin of the request; `terminal` also for `--at`.
  package var by: Source
  /// When, in monotonic nanoseconds.
  package var atNs: UInt64
  /// The sentence that page and report have.
  package var text: String

  package init(
    _ command: String, name: String, line: String?, problem: String?, by: Source, at time: MonotonicTime
  ) {
    self.command = command
    self.name = name
    self.line = line
    self.problem = problem
    (self.by, atNs) = (by, time.nanoseconds)
    text = "Requested \(command)" + (problem.map { ": not done. \($0)" } ?? ".")
  }
}

/// The consumer itself did not run: it was suspended, or the host was overloaded.
struct AppSuspendedEvent: JSONEvent {
  static let event = "appSuspended"
  /// For how long.
  var seconds: Double
}

/// A change of the app by the phone (Docs/CommandLine.md#the-life-of-the-app).
struct AppEvent: JSONEvent {
  static let event = "app"
  /// `background`, `foreground` or `memoryWarning`.
  var change: String
  /// The state of the app, 3 or 4; `nil` for `memoryWarning`.
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
  /// `started`, `refused`, `background`, `foreground` or `interrupted`.
  var change: String
  /// The domain of the error, of `refused` and `interrupted`.
  var errorDomain: String?
  /// The code of the error.
  var errorCode: Int?
  /// The text of the error.
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

/// The page of `--serve` can be opened.
struct ServingEvent: JSONEvent {
  static let event = "serving"
  /// The address of the page (Docs/LivePage.md).
  var address: String
}

/// A problem that does not end the watch, reported once.
struct ProblemEvent: JSONEvent {
  static let event = "problem"
  /// The problem as a sentence.
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
