import CommandLineSupport
import ScreenBroadcast
import SharedMemory

/// What a look at a container came to.
package struct Diagnosis: Equatable, Sendable {
  /// The container's folder.
  package let container: String
  /// The flag; `nil` when it cannot be read.
  package let flag: Bool?
  /// Who holds the lock, or held it last; `nil` when that cannot be read.
  package let holder: ProducerLock.Holder?
  /// What was found, from the outside in.
  package internal(set) var findings: [Finding]

  /// What is still wrong.
  package var problems: [Finding] { findings.filter { !$0.isFixed && $0.kind.severity == .problem } }
  /// What could still be better.
  package var warnings: [Finding] { findings.filter { !$0.isFixed && $0.kind.severity == .warning } }
  /// What was mended.
  package var fixed: [Finding] { findings.filter(\.isFixed) }

  /// What flag and lock say together; `nil` when one of them cannot be read.
  package var verdict: BroadcastCrashDetector.Verdict? {
    guard let flag, let holder else { return nil }
    return BroadcastCrashDetector.Verdict(flag: flag, holder: holder)
  }

  /// The producer that is there, or that died and left the flag on.
  package var pid: Int32? {
    switch (flag, holder) {
    case (_, .alive(let pid)): pid == 0 ? nil : pid
    case (true, .died(let pid)): pid
    default: nil
    }
  }

  /// Whether a producer is there, of which nothing may be changed.
  package var hasProducer: Bool { if case .alive = holder { true } else { false } }

  /// Whether `finding` can be mended now.
  package func isFixable(_ finding: Finding) -> Bool { finding.kind.isFixable && !hasProducer }

  /// The exit code: the first of these that one of the problems has.
  package var exitCode: ExitCode {
    let codes = Set(problems.map(\.exitCode))
    let order: [ExitCode] = [.producerCrashed, .notPermitted, .cannotCreate, .inputOutput]
    return order.first(where: codes.contains) ?? codes.first ?? .ok
  }

  /// Why the program does not end well; `nil` without problems.
  package var failure: ProgramFailure? {
    let problems = problems
    let code = exitCode
    guard let gravest = problems.first(where: { $0.exitCode == code }) else { return nil }
    let others = problems.count == 1 ? "" : " (\(problems.count - 1) more)"
    let way =
      problems.contains(where: isFixable) && fixed.isEmpty
      ? "; 'consumer doctor --fix' mends what can be mended" : ""
    return ProgramFailure(code, "\(gravest.path): \(gravest.description)\(others)\(way).")
  }
}
