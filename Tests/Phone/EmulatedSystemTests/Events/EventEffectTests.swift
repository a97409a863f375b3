import Causes
import TestSupport

@testable import EmulatedSystem

extension PageAction {
  /// The event that the page's button sends with the initial values of its fields.
  var firstCommand: String {
    fields.enumerated().reduce(text) { text, field in
      let (index, field) = field
      let value = field.value ?? field.choices?.first ?? field.least.map { "\(Int($0.rounded(.up)))" } ?? ""
      return text.replacing("{\(index)}", with: value)
    }
  }
}

/// Tests that a cause that a requested event produces is attributed to the request.
@Suite struct EventEffectTests {
  /// An event for each button of the page, with the initial values of its fields.
  private nonisolated static let events: [String] = DeviceEvent.actions.map(\.firstCommand)

  /// Returns facts that prove a cause of this kind, each with the seconds since the previous fact.
  private static func facts(of kind: Cause.Kind) throws -> [(seconds: Double, body: any FactBody)] {
    var second = SecondEvent(seconds: 1)
    switch kind {
    case .slow:
      (second.framesDelivered, second.framesBehind, second.handlerMs) = (20, 40, 20 * 51)
      return [(1, second)]
    case .idleScreen: return [(1, second)]
    case .leak:
      second.framesDelivered = 60
      return (1...20).map { index in
        second.footprintBytes = UInt64(index) << 20
        return (1, second)
      }
    case .killed:
      let kill = MemoryKill(
        pid: 1, session: nil, atNs: 1, limitBytes: 1, footprintBytes: 2, peakFootprintBytes: 2)
      return [(1, ExitFact(how: "ended by signal 9", kill: kill))]
    case .crashed: return [(1, ExitFact(how: "ended by signal 9"))]
    case .suspended: return [(2, StopFact(seconds: 2))]
    case .appSuspended: return [(2, AppStopFact(seconds: 2, wasStopped: true, machineMs: 0))]
    case .torn:
      return [
        (
          1,
          AppFact(
            seconds: 1, framesPerSecond: 30, possible: 30, framesTorn: 1, isShort: false, machineMs: 0)
        )
      ]
    case .network:
      second.framesDelivered = 60
      return [(1, SocketEvent(path: "/app", what: .closed, faults: "", cause: "reset_peer"))]
        + (0..<9).map { _ in (1, second) }
    case .ended, .refused: return [(1, BroadcastEnd(reason: "extensionError"))]
    default: throw UnknownKind(kind: kind)
    }
  }

  private struct UnknownKind: Error { let kind: Cause.Kind }

  @Test(arguments: events) func theCausesOfAnEventAreFoundAsAsked(_ text: String) throws {
    let event = try DeviceEvent(text: text)
    for kind in event.effect.causes {
      var (finder, time) = (CauseFinder(), MonotonicTime(nanoseconds: 1_000_000_000_000))
      if kind != .refused { _ = finder.take(Fact(StartedEvent(fps: 60), at: time, pid: 1)) }
      // Another process reads the request as JSON.
      let request = Fact(RequestEvent(what: event.text, effect: event.effect), at: time, pid: 1)
      let line = try #require(request.json)
      _ = finder.take(try #require(Fact(json: line)))
      for (seconds, body) in try Self.facts(of: kind) {
        time = time + .seconds(seconds)
        _ = finder.take(Fact(body, at: time, pid: 1))
      }
      let found = try #require(finder.causes.first { $0.kind == kind }, "\(text) makes no \(kind)")
      #expect(found.request == event.text)
    }
  }

  @Test func eachEventThatBreaksABroadcastSaysWhichCausesItMakes() throws {
    let words = try Self.events.filter { try !DeviceEvent(text: $0).effect.causes.isEmpty }
      .map { $0.prefix { $0 != ":" } }
    #expect(
      Set(words) == [
        "slow", "crash", "replayd-crash", "allocate", "error", "overlap", "socket", "app", "finish",
        "suspend", "still",
      ])
  }

  @Test func anEventThatEndsAnEffectMakesNoCause() throws {
    for text in ["slow:0", "app:foreground"] {
      #expect(try DeviceEvent(text: text).effect == .none)
    }
    #expect(try DeviceEvent(text: "still:2").effect.seconds == 2)
    #expect(try DeviceEvent(text: "suspend:3").effect.seconds == 3)
  }
}
