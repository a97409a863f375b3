import Causes
import CommandLineSupport
import EmulatedSystem
import LaunchedPrograms
import PhoneLink
import Platform

extension CheckedBroadcast {
  /// What went wrong in a launch of the extension, the most important first.
  func causes(of process: RecordedProcess) -> [Cause] {
    var finder = CauseFinder()
    for event in process.events {
      guard var body = Fact.body(event: event.name, json: event.line) else { continue }
      // A printed event has no effect.
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

  /// When the handler ended the first broadcast that it ended by an error: after no time if it refused it; `nil` for another
  /// cause, and if it refused a later start only.
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

  /// The ends at which the handler gets `broadcastFinished`.
  private static let inOrder = ["stoppedBySystem", "endOfSource", "duration", "frames"]

  /// What is wrong with the recordings that a launch of the extension left, if its broadcast ended in order; what is proven
  /// last.
  private func recordingFaults(of process: RecordedProcess) -> [RecordingFault] {
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
