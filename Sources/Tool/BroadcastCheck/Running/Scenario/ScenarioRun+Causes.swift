import Causes
import CommandLineSupport
import EmulatedSystem
import LaunchedPrograms
import PhoneLink
import Platform

extension ScenarioRun {
  /// What went wrong in a launch of the extension, the most important first.
  func causes(of process: RecordedProcess) -> [Cause] {
    var finder = CauseFinder()
    for event in process.events {
      guard let body = Fact.body(event: event.name, json: event.line) else { continue }
      _ = finder.take(Fact(body, at: event.arrival, pid: process.pid))
    }
    if let (how, time) = process.ending {
      let signal: Int32? = if case .signal(let number) = how { number } else { nil }
      let exit = ExitFact(
        how: "\(how)", isBySignal: signal != nil, isAsked: signal != nil && signal == process.sentSignal,
        lastError: process.lastError, kill: FactsFile.memoryKill(of: process.pid, in: container))
      _ = finder.take(Fact(exit, at: time, pid: process.pid))
      // A fault replaces an earlier one of its rule.
      for fault in recordingFaults(of: process) { finder.add(fault.cause(at: time)) }
      for cause in pictureCauses(of: process) + (pictureFiles?.causes(at: time) ?? []) { finder.add(cause) }
      for rest in finder.causes where rest.kind == .rests {
        for cause in restCauses(of: process, rest) { finder.add(cause) }
      }
    }
    return finder.causes
  }

  /// The fault that explains a failure: the most important of the launches that the scenario did not expect to end so.
  var fault: Cause? {
    let expected: Set<Cause.Kind> = scenario.expectedIssues.reduce(into: []) { kinds, issue in
      switch issue {
      case .crash: kinds.formUnion([.killed, .crashed])
      case .error: kinds.formUnion([.refused, .ended])
      case .hang: kinds.insert(.hung)
      case .refusal: break
      }
    }
    let found = extensions.enumerated().flatMap { index, process in
      causes(of: process).map { cause in
        guard cause.kind == .refused, index > 0 else { return cause }
        var cause = cause
        cause.sentence = cause.sentence.replacing("its start:", with: "its start \(index + 1):")
        return cause
      }
    }
    return (found + (hang.map { [.hung($0, until: clock.now)] } ?? []))
      .filter { $0.isFault && !expected.contains($0.kind) }.min(by: Cause.isBefore)
  }

  /// How long the first broadcast lasted that the handler ended by an error: zero for one that it refused; `nil` for another
  /// cause, and if it refused a later start only.
  func timeBeforeEnd(_ cause: Cause) -> Duration? {
    switch cause.kind {
    case .refused: extensions.first.map(causes)?.contains { $0.kind == .refused } == true ? .zero : nil
    case .ended:
      extensions.compactMap { process in
        process.events("started").first.flatMap { start in
          causes(of: process).contains { $0.fingerprint == cause.fingerprint }
            ? cause.from - start.arrival : nil
        }
      }.first
    default: nil
    }
  }

  /// The frames of the broadcast that the handler ended.
  var framesBeforeEnd: Int { extensions.first?.events("finished").first?.integer("framesProduced") ?? 0 }

  /// Gives a handler whose memory grows the time to reach its limit: what ends by itself is no leak.
  func confirmLeak(in process: RecordedProcess) throws(ScenarioStop) {
    guard scenario.isBuiltIn, scenario.tags.contains("time"),
      causes(of: process).contains(where: { $0.kind == .leak })
    else { return }
    _ = try wait(within: .seconds(20)) { process.hasEnded }
    if process.hasEnded { try judgeEnd(of: process) }
  }
}
