import CommandLineSupport
import Foundation
import Platform

/// The content of a fact: an event that a program also prints.
package protocol FactBody: JSONEvent, Codable, Sendable {}

extension FactBody {
  /// Whether a phone can have measured these numbers. Any program may write the file.
  fileprivate var isPlausible: Bool {
    let (times, counts): ([Double?], [UInt64]) =
      switch self {
      case let body as SecondEvent:
        (
          [body.seconds, body.handlerMs, body.handlerMsMax, body.machineMs, body.screenMs],
          [
            body.framesDelivered, body.framesBehind, body.framesHeld, body.framesLeftOut, body.framesLate,
            body.sentBytes ?? 0,
          ]
        )
      case let body as CallEvent: ([body.openSeconds], [])
      case let body as BroadcastEnd: ([body.workSeconds, body.samplesHeldSeconds], [body.samplesHeld])
      case let body as MisuseEvent: ([body.heldSeconds], [])
      case let body as StopFact: ([body.seconds], [])
      case let body as StartedEvent: ([body.fps - 0.001], [])
      case let body as LaunchFact: ([body.fps - 0.001], [])
      case let body as MemoryKill: (body.isConsistent ? [] : [-1], [])
      default: ([], [])
      }
    return times.allSatisfy { (0...1e9).contains($0 ?? 0) } && counts.allSatisfy { $0 < 1 << 40 }
  }
}

/// An event in a broadcast, with its time and process.
package struct Fact: Sendable {
  package var time: MonotonicTime
  package var pid: Int32
  package var body: any FactBody

  package init(_ body: any FactBody, at time: MonotonicTime, pid: Int32) {
    self.time = time
    self.pid = pid
    self.body = body
  }

  /// The body types of the lines of a file.
  private static let kinds: [String: any FactBody.Type] = Dictionary(
    uniqueKeysWithValues: ([
      LaunchFact.self, StartedEvent.self, SecondEvent.self, PausedEvent.self, ResumedEvent.self,
      RequestEvent.self,
      MisuseEvent.self, SocketEvent.self, StopFact.self, BroadcastEnd.self, CallEvent.self, MemoryKill.self,
    ] as [any FactBody.Type]).map { ($0.event, $0) })

  private struct Header: Codable {
    var event: String
    var atNs: UInt64
    var pid: Int32
  }

  /// Decodes the body of an event that a program printed; `nil` if the event is not a fact.
  package static func body(event: String, json: Data) -> (any FactBody)? {
    guard let kind = kinds[event] else { return nil }
    // Another version may have other keys.
    do { return try JSONDecoder().decode(kind, from: json) } catch { return nil }
  }

  /// Parses a line as written by ``json``; `nil` for any other line.
  package init?(json line: Data) {
    let header: Header
    do { header = try JSONDecoder().decode(Header.self, from: line) } catch { return nil }
    guard let body = Self.body(event: header.event, json: line), body.isPlausible else { return nil }
    self.init(body, at: MonotonicTime(nanoseconds: header.atNs), pid: header.pid)
  }

  /// The fact as a line of a file of facts.
  package var json: Data? {
    struct Line: Encodable {
      let header: Header
      let body: any FactBody

      func encode(to encoder: any Encoder) throws {
        try header.encode(to: encoder)
        try body.encode(to: encoder)
      }
    }
    let header = Header(event: type(of: body).event, atNs: time.nanoseconds, pid: pid)
    // Only numbers that are not finite have no JSON form.
    do { return try JSONEncoder().encode(Line(header: header, body: body)) + [0x0A] } catch { return nil }
  }
}

/// The phone has launched an extension for a broadcast, and calls `broadcastStarted` next. No program prints it.
package struct LaunchFact: FactBody {
  package static let event = "launch"
  /// The intended frames per second.
  package var fps: Double
  /// Pixels of a frame.
  package var width: Int?
  package var height: Int?
  /// The emulated device.
  package var device: String?
  /// The device with its iOS and its limit of memory.
  package var phone: String?
  /// The text of the dialog that a phone shows when the extension crashes.
  package var crashDialog: String?
  /// The program of the extension.
  package var `extension`: String?
  /// The command line of the program.
  package var arguments: [String]?

  package init(fps: Double) { self.fps = fps }
}

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

/// The statistics of about a second of a live broadcast, or of the remainder at its end.
package struct SecondEvent: FactBody, Equatable {
  package static let event = "second"
  /// The time that the other keys cover.
  package var seconds: Double
  /// Frames delivered to the handler.
  package var framesDelivered: UInt64
  /// Frames dropped because five were waiting for the handler.
  package var framesBehind: UInt64 = 0
  /// Frames dropped because the handler held all buffers.
  package var framesHeld: UInt64 = 0
  /// Frames that an event skipped.
  package var framesLeftOut: UInt64 = 0
  /// Frames that were not drawn because the timer of the screen was late.
  package var framesLate: UInt64 = 0
  /// The time in the handler's calls with a frame, without waits for a CPU, in milliseconds.
  package var handlerMs: Double = 0
  /// The longest call with a frame or audio, in milliseconds; 0 if an earlier call was longer.
  package var handlerMsMax: Double = 0
  /// How long the handler waited for a thread or a CPU, in milliseconds.
  package var machineMs: Double = 0
  /// How long the main thread (which draws the screen) waited for a CPU, in milliseconds.
  package var screenMs: Double = 0
  /// Whether the broadcast is paused.
  package var isPaused = false
  /// The bytes that the handler sent over connections through the proxy of `socket` (Docs/CommandLine.md#faults-of-a-socket);
  /// `nil` if they are not counted.
  package var sentBytes: UInt64?
  /// The footprint of the extension and its limit, in bytes.
  package var footprintBytes: UInt64?
  package var limitBytes: UInt64?

  package init(seconds: Double = 0, framesDelivered: UInt64 = 0) {
    self.seconds = seconds
    self.framesDelivered = framesDelivered
  }

  package var framesDropped: UInt64 { framesBehind + framesHeld + framesLeftOut + framesLate }

  /// Returns the part of a broadcast after `earlier`. Both values count from the start of the broadcast.
  package func since(_ earlier: SecondEvent) -> SecondEvent {
    var part = self
    for count in [\Self.framesDelivered, \.framesBehind, \.framesHeld, \.framesLeftOut, \.framesLate] {
      part[keyPath: count] -= earlier[keyPath: count]
    }
    for time in [\Self.seconds, \.handlerMs, \.machineMs, \.screenMs] {
      part[keyPath: time] = max(0, self[keyPath: time] - earlier[keyPath: time])
    }
    // Only a call in this part can be a new maximum.
    if handlerMsMax <= earlier.handlerMsMax { part.handlerMsMax = 0 }
    // The end of a broadcast is older than bytes counted in the meantime.
    part.sentBytes = sentBytes.map { $0 - min($0, earlier.sentBytes ?? 0) }
    return part
  }
}

/// The causes that an event produces. An event without causes ends the effect of an earlier event with the same word.
package struct EventEffect: Codable, Equatable, Sendable {
  package var causes: Set<Cause.Kind>
  /// The duration of the effect in seconds; `nil` if it continues until another event ends it.
  package var seconds: Double?

  package init(_ causes: Set<Cause.Kind>, for duration: Duration? = nil) {
    (self.causes, seconds) = (causes, duration.map { $0 / .seconds(1) })
  }

  package static let none = Self([])

  package static func makes(_ causes: Cause.Kind..., for duration: Duration? = nil) -> Self {
    Self(Set(causes), for: duration)
  }
}

/// A requested event has happened, or was not possible.
package struct RequestEvent: FactBody {
  package static let event = "happened"
  /// The event as typed. `pause`, `resume`, `stop`, `error` and `crash` come only with a refusal.
  package var what: String
  /// Why the event was not possible; `nil` if it happened.
  package var refusal: String?
  /// The name of its button on a page.
  package var name: String?
  /// Whether a page requested the event. Only facts have this property and the next one.
  package var isFromPage: Bool?
  /// The causes that the event produces.
  package var effect: EventEffect?

  package init(what: String, refusal: String? = nil, effect: EventEffect? = nil) {
    self.what = what
    self.refusal = refusal
    self.effect = effect
  }
}

/// The handler has misused a sample in this way for the first time.
package struct MisuseEvent: FactBody {
  package static let event = "misuse"
  /// The kind of misuse (Docs/CommandLine.md#misuse-of-samples).
  package var kind: String
  /// The misuse as a sentence, with the fix.
  package var description: String
  /// With `kept`: how many of the seven buffers the handler holds.
  package var buffersHeld: Int?
  /// With `kept`: the age of the oldest frame in them.
  package var heldSeconds: Double?

  package init(kind: String, description: String, buffersHeld: Int?, heldSeconds: Double?) {
    self.kind = kind
    self.description = description
    self.buffersHeld = buffersHeld
    self.heldSeconds = heldSeconds
  }
}

/// The process of the extension was suspended, and has continued. No program prints it.
package struct StopFact: FactBody {
  package static let event = "stop"
  package var seconds: Double

  package init(seconds: Double) { self.seconds = seconds }
}

/// The end of the extension's process, as seen by another process. No program prints it.
package struct ExitFact: FactBody {
  package static let event = "exit"
  /// The extension, for the start of a sentence.
  package var name = "The extension"
  /// How it ended, in words that follow the name.
  package var how: String
  /// Whether a signal, which `how` names, ended the process.
  package var isBySignal: Bool
  package var isAsked: Bool
  /// The most specific line of its stderr.
  package var lastError: String?
  package var kill: MemoryKill?

  package init(
    how: String, isBySignal: Bool = true, isAsked: Bool = false, lastError: String? = nil,
    kill: MemoryKill? = nil
  ) {
    self.how = how
    self.isBySignal = isBySignal
    self.isAsked = isAsked
    self.lastError = lastError
    self.kill = kill
  }
}

/// The statistics of a second of the app. No program prints it, because `stats` has the statistics.
package struct AppFact: FactBody {
  package static let event = "appSecond"
  package var seconds: Double
  /// The frames per second that the app received (`framesPerSecond`), and could have received (`possible`).
  package var framesPerSecond: Double
  package var possible: Double
  package var framesTorn: UInt64
  /// Whether the app received too few frames.
  package var isShort: Bool
  /// How long its main thread was starved of CPU, in milliseconds.
  package var machineMs: Double

  package init(
    seconds: Double, framesPerSecond: Double, possible: Double, framesTorn: UInt64, isShort: Bool,
    machineMs: Double
  ) {
    self.seconds = seconds
    self.framesPerSecond = framesPerSecond
    self.possible = possible
    self.framesTorn = framesTorn
    self.isShort = isShort
    self.machineMs = machineMs
  }
}

/// A time in which the app did not run. No program prints it, because `appSuspended` is its event.
package struct AppStopFact: FactBody {
  package static let event = "appStop"
  package var seconds: Double
  /// Whether its process was suspended.
  package var wasStopped: Bool
  /// How long its main thread was starved of CPU, in milliseconds.
  package var machineMs: Double

  package init(seconds: Double, wasStopped: Bool, machineMs: Double) {
    self.seconds = seconds
    self.wasStopped = wasStopped
    self.machineMs = machineMs
  }
}
