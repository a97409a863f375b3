import EmulatedSystem
import Programs

extension ScenarioRun {
  /// How long the extension lives after its last call, in the scenario that sees what is written then.
  var lingering: [String: String] { scenario.name == "after-the-end" ? ["BROADCAST_LINGER": "1.5"] : [:] }

  /// The ends at which the handler gets `broadcastFinished`.
  private static let inOrder = ["stoppedBySystem", "endOfSource", "duration", "frames"]

  /// What is wrong with the recordings that a launch of the extension left, if its broadcast ended in order.
  func recordingFaults(of process: RecordedProcess) -> [RecordingFault] {
    guard case .exit? = process.ending?.how, let finished = process.events("finished").last,
      Self.inOrder.contains(finished.text("reason") ?? "")
    else { return [] }
    return process.events(as: RecordingEvent.self).flatMap {
      RecordingFault.all(of: $0, subject.design.recording)
    }
      + process.events(as: WroteEvent.self).compactMap(RecordingFault.init(writtenAfterEnd:))
  }

  /// Fails for a proven fault, and lists the others as figures.
  func judgeRecordings(of process: RecordedProcess) throws(ScenarioStop) {
    let faults = recordingFaults(of: process)
    if let fault = faults.first(where: \.isProven) { throw .failed(fault.sentence) }
    for fault in faults where !figures.contains(fault.sentence) { figures.append(fault.sentence) }
  }
}
