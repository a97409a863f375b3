import CommandLineSupport
import Foundation
import Platform

/// The content of a fact: an event that a program also prints.
package protocol FactBody: JSONEvent, Codable, Sendable {}

extension FactBody {
  /// Whether a phone can have measured the numbers: any program may write the file.
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
      case let body as MemoryKill: (body.isConsistent ? [] : [-1], [])
      default: ([], [])
      }
    return times.allSatisfy { (0...1e9).contains($0 ?? 0) } && counts.allSatisfy { $0 < 1 << 40 }
  }
}

/// What happened in a broadcast, when, and in which process.
package struct Fact: Sendable {
  package var time: MonotonicTime
  package var pid: Int32
  package var body: any FactBody

  package init(_ body: any FactBody, at time: MonotonicTime, pid: Int32) {
    (self.time, self.pid, self.body) = (time, pid, body)
  }

  /// The bodies that a line may have.
  private static let kinds: [String: any FactBody.Type] = Dictionary(
    uniqueKeysWithValues: ([
      StartedEvent.self, SecondEvent.self, PausedEvent.self, ResumedEvent.self, RequestEvent.self,
      MisuseEvent.self, SocketEvent.self, StopFact.self, BroadcastEnd.self, CallEvent.self, MemoryKill.self,
    ] as [any FactBody.Type]).map { ($0.event, $0) })

  private struct Header: Codable {
    var event: String
    var atNs: UInt64
    var pid: Int32
  }

  /// The body of an event that a program printed; `nil` if it is no fact.
  package static func body(event: String, json: Data) -> (any FactBody)? {
    guard let kind = kinds[event] else { return nil }
    // Another version has other keys.
    do { return try JSONDecoder().decode(kind, from: json) } catch { return nil }
  }

  /// Reads a line of ``json``; `nil` if it is another.
  package init?(json line: Data) {
    let header: Header
    do { header = try JSONDecoder().decode(Header.self, from: line) } catch { return nil }
    guard let body = Self.body(event: header.event, json: line), body.isPlausible else { return nil }
    self.init(body, at: MonotonicTime(nanoseconds: header.atNs), pid: header.pid)
  }

  /// The line of a file of facts.
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
  /// Bytes of a row of luma.
  package var bytesPerRow: Int?
  /// The intended frames per second.
  package var fps: Double
  /// Uncompressed bits per second, without padding.
  package var bitRate: Double?
  /// The emulated device, in the facts alone, as the next four.
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

/// The figures of about a second of a live broadcast, or of the rest at its end.
package struct SecondEvent: FactBody, Equatable {
  package static let event = "second"
  /// The time for which the other keys count.
  package var seconds: Double
  /// Frames delivered to the handler.
  package var framesDelivered: UInt64
  /// Frames dropped because five were waiting for the handler.
  package var framesBehind: UInt64 = 0
  /// Frames dropped because the handler held all buffers.
  package var framesHeld: UInt64 = 0
  /// Frames that an event skipped.
  package var framesLeftOut: UInt64 = 0
  /// Frames that were not drawn, because the timer of the screen was late.
  package var framesLate: UInt64 = 0
  /// The handler's own time in calls with a frame, without waits for a CPU, in milliseconds.
  package var handlerMs: Double = 0
  /// The longest call with a frame or audio, in milliseconds, if no earlier call was longer; else 0.
  package var handlerMsMax: Double = 0
  /// How long the handler waited for a thread or a CPU, in milliseconds.
  package var machineMs: Double = 0
  /// How long the main thread, with the screen, waited for a CPU, in milliseconds.
  package var screenMs: Double = 0
  /// Whether the broadcast is paused.
  package var isPaused = false
  /// The bytes that the handler sent over connections through the proxy of `socket` (Docs/CommandLine.md#faults-of-a-socket);
  /// `nil` if they are not counted.
  package var sentBytes: UInt64?
  /// The memory of the extension that counts, and its limit.
  package var footprintBytes: UInt64?
  package var limitBytes: UInt64?

  package init(seconds: Double = 0, framesDelivered: UInt64 = 0) {
    (self.seconds, self.framesDelivered) = (seconds, framesDelivered)
  }

  package var framesDropped: UInt64 { framesBehind + framesHeld + framesLeftOut + framesLate }

  /// The part of a broadcast after `earlier`, which is the whole until an earlier time.
  package func since(_ earlier: SecondEvent) -> SecondEvent {
    var part = self
    for count in [\Self.framesDelivered, \.framesBehind, \.framesHeld, \.framesLeftOut, \.framesLate] {
      part[keyPath: count] -= earlier[keyPath: count]
    }
    for time in [\Self.seconds, \.handlerMs, \.machineMs, \.screenMs] {
      part[keyPath: time] = max(0, self[keyPath: time] - earlier[keyPath: time])
    }
    // Only a call of this time can be a new longest.
    if handlerMsMax <= earlier.handlerMsMax { part.handlerMsMax = 0 }
    // The end of a broadcast is older than what is counted meanwhile.
    part.sentBytes = sentBytes.map { $0 - min($0, earlier.sentBytes ?? 0) }
    return part
  }
}

/// The causes that an event makes. An event without causes ends the effect of an earlier event with the same word.
package struct EventEffect: Codable, Equatable, Sendable {
  package var causes: Set<Cause.Kind>
  /// The time for which the effect lasts; `nil` until another event ends it.
  package var seconds: Double?

  package init(_ causes: Set<Cause.Kind>, for duration: Duration? = nil) {
    (self.causes, seconds) = (causes, duration.map { $0 / .seconds(1) })
  }

  package static let none = Self([])

  package static func makes(_ causes: Cause.Kind..., for duration: Duration? = nil) -> Self {
    Self(Set(causes), for: duration)
  }
}

/// An event has happened, or was not possible.
package struct RequestEvent: FactBody {
  package static let event = "happened"
  /// The event as it is typed. `pause`, `resume`, `stop`, `error` and `crash` come only with a refusal.
  package var what: String
  /// Why the event was not possible; `nil` if it happened.
  package var refusal: String?
  /// The name of its button on a page.
  package var name: String?
  /// Whether a page asked for it. Only the facts have this property and the next one.
  package var isOfPage: Bool?
  /// The causes that it makes.
  package var effect: EventEffect?

  package init(what: String, refusal: String? = nil, effect: EventEffect? = nil) {
    (self.what, self.refusal, self.effect) = (what, refusal, effect)
  }
}

/// The handler has misused a sample in this way for the first time.
package struct MisuseEvent: FactBody {
  package static let event = "misuse"
  /// The kind of misuse (Docs/CommandLine.md#misuse-of-samples).
  package var kind: String
  /// The misuse as a sentence, with the remedy.
  package var description: String
  /// With `kept`: how many of the seven buffers the handler holds.
  package var buffersHeld: Int?
  /// With `kept`: the age of the oldest frame in them.
  package var heldSeconds: Double?

  package init(kind: String, description: String, buffersHeld: Int?, heldSeconds: Double?) {
    (self.kind, self.description) = (kind, description)
    (self.buffersHeld, self.heldSeconds) = (buffersHeld, heldSeconds)
  }
}

/// The process of the extension was stopped, and has continued. No program prints it.
package struct StopFact: FactBody {
  package static let event = "stop"
  package var seconds: Double

  package init(seconds: Double) { self.seconds = seconds }
}

/// How the process of the extension ended, as another one saw it. No program prints it.
package struct ExitFact: FactBody {
  package static let event = "exit"
  /// The extension, as a sentence begins with it.
  package var name = "The extension"
  /// How it ended, to follow the name.
  package var how: String
  /// Whether a signal ended it, which `how` names.
  package var isBySignal: Bool
  package var isAsked: Bool
  /// The most specific line of its standard error.
  package var lastError: String?
  package var kill: MemoryKill?

  package init(
    how: String, isBySignal: Bool = true, isAsked: Bool = false, lastError: String? = nil,
    kill: MemoryKill? = nil
  ) {
    (self.how, self.isBySignal, self.isAsked) = (how, isBySignal, isAsked)
    (self.lastError, self.kill) = (lastError, kill)
  }
}

/// What a second of the app had. No program prints it: `stats` has the figures.
package struct AppFact: FactBody {
  package static let event = "appSecond"
  package var seconds: Double
  /// The frames a second that the app received, and those that it could have.
  package var framesPerSecond: Double
  package var possible: Double
  package var framesTorn: UInt64
  /// Whether it received too few.
  package var isShort: Bool
  /// How long its main thread waited for a processor.
  package var machineMs: Double

  package init(
    seconds: Double, framesPerSecond: Double, possible: Double, framesTorn: UInt64, isShort: Bool,
    machineMs: Double
  ) {
    (self.seconds, self.framesPerSecond, self.possible) = (seconds, framesPerSecond, possible)
    (self.framesTorn, self.isShort, self.machineMs) = (framesTorn, isShort, machineMs)
  }
}

/// A time in which the app did not run. No program prints it: `appSuspended` is its event.
package struct AppStopFact: FactBody {
  package static let event = "appStop"
  package var seconds: Double
  /// Whether its process was stopped.
  package var wasStopped: Bool
  /// How long its main thread waited for a processor.
  package var machineMs: Double

  package init(seconds: Double, wasStopped: Bool, machineMs: Double) {
    (self.seconds, self.wasStopped, self.machineMs) = (seconds, wasStopped, machineMs)
  }
}
