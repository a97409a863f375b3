import Foundation
import Synchronization
import WorkerSupport

/// The keys of a JSON line of `producer` or `consumer` that a run checks; see `Docs/CommandLine.md`.
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
  var appAudio: Audio?
  var microphone: Audio?
  var avOffsetMs: Offset?

  /// An audio stream in the summary of `watch`.
  struct Audio: Decodable, Sendable {
    var framesReceived: Int
    var gaps: Int
    var framesLost: Int
    var driftMs: Double
    var marks: Int?
    var markOffsetMs: Double?
  }

  /// The time from the capture of the newest frame to the end of the newest audio, in milliseconds: a number during a
  /// watch, and a median in its summary.
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

/// The events of a program, in order.
final class SoakEvents: Sendable {
  private struct State {
    var events: [SoakEvent] = []
    var splitter = LineSplitter()
    var unreadable: String?
  }

  private let state = Mutex(State())

  /// The events that were not removed.
  var all: [SoakEvent] { state.withLock { $0.events } }

  /// The first line that is not an event.
  var unreadable: String? { state.withLock { $0.unreadable } }

  /// Removes and returns the events so far, of which a long run has many.
  @discardableResult
  func takeAll() -> [SoakEvent] {
    state.withLock { state in
      defer { state.events = [] }
      return state.events
    }
  }

  /// Adds output of the program.
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
