import Causes
import CommandLineSupport
import EmulatedSystem
import LaunchedPrograms
import PhoneLink
import Platform

extension CheckedBroadcast {
  /// Returns the causes of failures in a launch of the extension, the most important first.
  func causes(of process: RecordedProcess) -> [Cause] {
    var finder = CauseFinder()
    for event in process.events {
      guard var body = Fact.body(event: event.name, json: event.line) else { continue }
      // The printed event does not contain its effect.
      if var request = body as? RequestEvent {
        do throws(UsageError) { request.effect = try DeviceEvent(text: request.what).effect } catch {}
        body = request
      }
      _ = finder.take(Fact(body, at: event.arrival, pid: process.pid))
    }
    if let (how, time) = process.ending {
      let signal: Int32? = if case .signal(let number) = how { number } else { nil }
      let exit = ExitFact(
        how: "\(how)", isBySignal: signal != nil, isAsked: signal != nil && signal == process.sentSignal,
        lastError: process.lastError, kill: FactsFile.memoryKill(of: process.pid, in: programs.container))
      _ = finder.take(Fact(exit, at: time, pid: process.pid))
      // A fault replaces an earlier fault of the same rule.
      for fault in recordingFaults(of: process) { finder.add(fault.cause(at: time)) }
      for cause in pictureCauses(of: process) + (pictureFiles?.causes(at: time) ?? []) { finder.add(cause) }
      for rest in finder.causes where rest.kind == .idleScreen {
        for cause in restCauses(of: process, rest) { finder.add(cause) }
      }
    }
    return finder.causes
  }

  /// The fault that explains a failure: the most important among the launches, without faults that the scenario expects.
  var fault: Cause? {
    let expected: Set<Cause.Kind> = scenario.expectedIssues.reduce(into: []) { kinds, issue in
      switch issue {
      case .crash: kinds.formUnion([.killed, .crashed])
      // No scenario of this package expects that the handler refuses its start.
      case .error: kinds.formUnion(scenario.isBuiltIn ? [.ended] : [.refused, .ended])
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

  /// Describes the end of the first broadcast that the handler ended with the error of `cause`. The time is zero if the
  /// handler refused its first start. Returns `nil` for any other cause, and if only a later start was refused.
  func handlerEnd(by cause: Cause) -> ScenarioVerdict.HandlerEnd? {
    let time: Duration? =
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
    return time.map {
      ScenarioVerdict.HandlerEnd(
        cause: cause.fingerprint, time: $0,
        frames: extensions.first?.events("finished").first?.integer("framesProduced") ?? 0)
    }
  }

  /// The reasons of endings with a call of `broadcastFinished`.
  private static let inOrder = ["stoppedBySystem", "endOfSource", "duration", "frames"]

  /// Returns the faults of the recordings that a launch of the extension left, if its broadcast ended normally. Proven
  /// faults come last.
  private func recordingFaults(of process: RecordedProcess) -> [RecordingFault] {
    guard case .exit? = process.ending?.how, let finished = process.events("finished").last,
      Self.inOrder.contains(finished.text("reason") ?? "")
    else { return [] }
    let design = subject.design
    // Skip such recordings as a buffer of the latest seconds, which the handler removes.
    let recordings = process.events(as: RecordingEvent.self)
      .filter { $0.status == .completed || !design.names(leftFile: $0.file) }
    let faults =
      recordings.flatMap { RecordingFault.all(of: $0, design.recording) }
      + process.events(as: WroteEvent.self).compactMap(RecordingFault.init(writtenAfterEnd:))
    return faults.filter { !$0.isProven } + faults.filter(\.isProven)
  }
}
