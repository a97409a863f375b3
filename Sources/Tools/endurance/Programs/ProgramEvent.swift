/// A JSON line of `producer` or `consumer`, with the keys that a run checks; see `Docs/CommandLine.md`.
struct ProgramEvent: Decodable, Sendable {
  /// The broadcast of a producer has started.
  struct Started: Decodable {}

  struct Status: Decodable { var active: Bool }

  struct Format: Decodable { var width: Int, height: Int }

  struct Crashed: Decodable { var pid: Int32 }

  /// Rates and counts of a watch, once per second.
  struct Stats: Decodable {
    var framesPerSecondIn: Double, framesPerSecondOut: Double
    var framesTorn: Int
    /// The time from the capture of the newest frame to the end of the newest audio.
    var avOffsetMs: Double?
  }

  /// The end of a broadcast, by its producer.
  struct Finished: Decodable {
    var reason: String
    var framesProduced: Int, framesDropped: Int, audioDropped: Int
    var framesPerSecond: Double, seconds: Double
  }

  struct Summary: Decodable {
    struct Audio: Decodable {
      var framesReceived: Int, gaps: Int, framesLost: Int, marks: Int
      var driftMs: Double, markOffsetMs: Double
    }
    struct Offsets: Decodable { var p50: Double }

    var framesDelivered: Int, framesVerified: Int, framesTorn: Int, framesRepeated: Int
    var appAudio: Audio?, microphone: Audio?
    var avOffsetMs: Offsets?

    /// Whether frames were delivered, and all of them whole and once.
    var isWhole: Bool {
      framesDelivered > 0 && framesVerified == framesDelivered && framesTorn == 0 && framesRepeated == 0
    }
  }

  private static let types: [String: any (Decodable & Sendable).Type] = [
    "started": Started.self, "status": Status.self, "format": Format.self, "crashed": Crashed.self,
    "stats": Stats.self, "finished": Finished.self, "summary": Summary.self,
  ]

  private enum Key: CodingKey { case event }

  /// One of the types above; `nil` for another event.
  let body: (any Sendable)?

  init(from decoder: any Decoder) throws {
    let name = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .event)
    body = try Self.types[name]?.init(from: decoder)
  }
}

extension [ProgramEvent] {
  /// The events of a type.
  func of<Event>(_ type: Event.Type) -> [Event] { compactMap { $0.body as? Event } }
}
