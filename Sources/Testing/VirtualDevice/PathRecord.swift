import CommandLineSupport
import ContainingApp
import EmulatedSystem
import Foundation
import ReplayKit
import RunReports
import ScreenBroadcast

/// What came of a script on one path.
struct PathRecord {
  /// The calls with samples, with times from the start.
  let lines: [TraceLine]
  let summary: AppSummary
  /// What each event did.
  let effects: [String]
  let ending: String
  /// What says that the screen rests.
  let rest: String

  private var frames: [TraceLine.VideoShape] {
    lines.compactMap { if case .video(let shape, _) = $0.call { shape } else { nil } }
  }

  /// Sizes and pixel formats, in their order.
  var shape: String {
    let shapes = frames.map { "\($0.size), \($0.formatName)" }
    return shapes.distinct.isEmpty ? "none" : shapes.distinct.joined(separator: ", then ")
  }

  /// The rate of frames from the first to the last, with rests.
  var rate: String {
    let times = lines.filter(\.isFrame).map(\.arrival)
    guard let first = times.first, let last = times.last, last > first else {
      return times.count == 1 ? "1 frame" : "\(times.count) frames"
    }
    return
      "\(times.count) frames, \(Self.number(Double(times.count - 1) * 1e9 / Double(last - first))) a second"
  }

  var orientations: String {
    let values = frames.map { $0.orientation?.name ?? "none" }.distinct
    return values.isEmpty ? "none" : values.joined(separator: ", ")
  }

  func format(of type: RPSampleBufferType) -> String {
    let formats = lines.compactMap { line -> String? in
      guard case .audio(type, let shape, _) = line.call else { return nil }
      return shape.text
    }.distinct
    return formats.isEmpty ? "none" : formats.joined(separator: ", then ")
  }

  var call: String {
    "\(Self.number(summary.framesPerSecond)) frames a second, age \(Self.number(summary.ageMs.p50)) ms"
  }

  static func number(_ value: Double) -> String { String(format: "%.1f", value) }

  /// What came in the second after an event at `time`, and what came before and does no more.
  static func effect(of time: Int64, in lines: [TraceLine]) -> String {
    let after = lines.filter { $0.arrival > time + 50_000_000 && $0.arrival <= time + 1_050_000_000 }
    let frames = after.filter(\.isFrame).count
    var parts = [frames == 0 ? "no frames in 1 s" : "\(frames) \(frames == 1 ? "frame" : "frames") in 1 s"]
    for (type, name) in [(RPSampleBufferType.audioApp, "app audio"), (.audioMic, "microphone")] {
      func isHeard(in lines: some Sequence<TraceLine>) -> Bool {
        lines.contains { if case .audio(type, _, _) = $0.call { true } else { false } }
      }
      if isHeard(in: lines.prefix { $0.arrival <= time }), !isHeard(in: after) { parts.append("no \(name)") }
    }
    return parts.joined(separator: ", ")
  }
}

extension TraceLine {
  fileprivate var isFrame: Bool { if case .video = call { true } else { false } }
}

extension Array where Element: Hashable {
  /// The elements without the repetitions.
  fileprivate var distinct: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
