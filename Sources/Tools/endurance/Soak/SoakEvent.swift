import Foundation
import Synchronization

/// A JSON line of `producer` or `consumer`, as far as it is looked at here; see `Docs/CommandLine.md`.
struct SoakEvent: Decodable, Sendable {
  var event: String
  var active: Bool?
  var pid: Int32?
  var width: Int?
  var height: Int?
  var reason: String?
  var framesProduced: Int?
  var framesDelivered: Int?
  var framesVerified: Int?
  var framesTorn: Int?
  var framesRepeated: Int?
  var framesDropped: Int?
  var framesPerSecond: Double?
  var seconds: Double?
  var framesPerSecondIn: Double?
  var framesPerSecondOut: Double?
  var audioDropped: Int?
  var appAudio: Sound?
  var microphone: Sound?
  var avOffsetMs: Offset?

  /// What a watch says of a sound at its end.
  struct Sound: Decodable, Sendable {
    var framesReceived: Int
    var gaps: Int
    var framesLost: Int
    var driftMs: Double
    var marks: Int?
    var markOffsetMs: Double?
  }

  /// When the newest sound ended after the newest picture was taken, in milliseconds: a number while a watch runs, and
  /// the median of all in its summary.
  struct Offset: Decodable, Sendable {
    var p50: Double

    private enum Key: CodingKey { case p50 }

    init(from decoder: any Decoder) throws {
      do { p50 = try decoder.singleValueContainer().decode(Double.self) } catch DecodingError.typeMismatch {
        p50 = try decoder.container(keyedBy: Key.self).decode(Double.self, forKey: .p50)
      }
    }
  }
}

/// The events of a program, in their order.
final class SoakEvents: Sendable {
  private struct State {
    var events: [SoakEvent] = []
    var splitter = LineSplitter()
    var unreadable: String?
  }

  private let state = Mutex(State())

  /// The events since they were forgotten last.
  var all: [SoakEvent] { state.withLock { $0.events } }

  /// The first line that is no event, if there was one.
  var unreadable: String? { state.withLock { $0.unreadable } }

  /// Forgets the events so far; a long life has many.
  func forget() { state.withLock { $0.events = [] } }

  /// Gives out the events since they were forgotten last, and forgets just those.
  func takeAll() -> [SoakEvent] {
    state.withLock { state in
      defer { state.events = [] }
      return state.events
    }
  }

  /// Takes what the program printed.
  func add(_ data: Data) {
    state.withLock { state in
      for line in state.splitter.lines(adding: data) {
        do { state.events.append(try JSONDecoder().decode(SoakEvent.self, from: line)) } catch {
          state.unreadable = state.unreadable ?? String(decoding: line, as: UTF8.self)
        }
      }
    }
  }
}
