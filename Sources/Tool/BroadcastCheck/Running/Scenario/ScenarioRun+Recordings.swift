import EmulatedSystem
import LaunchedPrograms

extension ScenarioRun {
  /// How long the extension lives after its last call, in the scenario that sees what is written then.
  var lingering: [String: String] { scenario.name == "after-the-end" ? ["BROADCAST_LINGER": "1.5"] : [:] }

  /// The ends at which the handler gets `broadcastFinished`.
  private static let inOrder = ["stoppedBySystem", "endOfSource", "duration", "frames"]

  /// What is wrong with the recordings that a launch of the extension left, if its broadcast ended in order; what is proven
  /// last.
  func recordingFaults(of process: RecordedProcess) -> [RecordingFault] {
    guard case .exit? = process.ending?.how, let finished = process.events("finished").last,
      Self.inOrder.contains(finished.text("reason") ?? "")
    else { return [] }
    let design = subject.design
    // Such as a buffer of the newest seconds, which the handler removes.
    let recordings = process.events(as: RecordingEvent.self)
      .filter { $0.status == .completed || !design.names(leftFile: $0.file) }
    let faults =
      recordings.flatMap { RecordingFault.all(of: $0, design.recording) }
      + process.events(as: WroteEvent.self).compactMap(RecordingFault.init(writtenAfterEnd:))
    return faults.filter { !$0.isProven } + faults.filter(\.isProven)
  }
}
