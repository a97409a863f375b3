import Causes
import CommandLineSupport
import Foundation
import LaunchedPrograms
import Platform
import TestPatterns

// The pictures that the remote side of the call sees.
extension CheckedBroadcast {
  /// Whether the scenario reads pictures.
  var readsPictures: Bool { scenario.needs == .pictures || scenario.needs == .output }

  func pictures(of process: RecordedProcess) -> [PictureFolder.Picture] {
    let end = process.ending?.time ?? clock.now
    return (pictures?.pictures ?? []).filter { $0.time >= process.launchTime && $0.time <= end }
  }

  /// Returns the faults of the app's pictures in a launch of the extension.
  func pictureCauses(of process: RecordedProcess) -> [Cause] {
    let started = process.events("started").last?.value
    var frames: (width: Int, height: Int)?
    if case .number(let width)? = started?["width"], case .number(let height)? = started?["height"] {
      frames = (Int(width), Int(height))
    }
    return PictureFolder.causes(of: pictures(of: process), frames: frames)
  }

  /// Returns warnings about the pictures or frames that the app sends while the screen is unchanged for a long time.
  func restCauses(of process: RecordedProcess, _ rest: Cause) -> [Cause] {
    guard rest.isLongRest, let to = rest.to else { return [] }
    let begin = rest.from + .seconds(2)
    func cause(_ detail: String, _ what: String) -> Cause {
      let seconds = ((to - rest.from) / .seconds(1)).text(decimals: 0)
      return Cause(
        .idleScreen, detail, .warning, from: rest.from, to: to,
        "The screen does not change for \(seconds) s, and \(what).")
    }
    let all = pictures(of: process)
    let (before, during) = (all.filter { $0.time < begin }, all.filter { $0.time >= begin && $0.time <= to })
    if before.count >= 2, during.isEmpty { return [cause("no picture", "the app writes no picture")] }
    if before.contains(where: { $0.reading != nil }), let last = during.last, last.reading == nil {
      return [cause("other picture", "the app's picture no longer matches the screen")]
    }
    guard subject.app?.isArticles == true, let app = processes[.app] else { return [] }
    let rates = app.events("stats").filter { $0.arrival >= begin && $0.arrival <= to }
      .map { $0.value["framesPerSecondOut"] }
    return !rates.isEmpty && rates.allSatisfy { $0 == .number(0) }
      ? [cause("", "the app gets no frames")] : []
  }
}
