import CommandLineSupport

/// The one verdict on a run, which the terminal, the page, the test cases and the exit code share.
package struct Outcome {
  /// How many checks passed, which failed, and which were not judged.
  package let sentence: String
  /// The failure with which a program that writes verdicts ends.
  package let failure: ProgramFailure?
  /// A sentence about the host load, if no check failed and the load left a check not judged.
  let lateness: String?

  package init(_ verdicts: [Verdict]) {
    func names(_ verdicts: [Verdict]) -> String { verdicts.map(\.name).joined(separator: ", ") }
    let (failed, open) = (verdicts.filter(\.hasFailed), verdicts.filter(\.isNotJudged))
    let judged = verdicts.count - open.count
    let passed = judged == 0 ? "Nothing was judged" : "\(judged) \(judged == 1 ? "check" : "checks") passed"
    let result =
      failed.isEmpty ? passed : "\(failed.count) of \(judged) checks failed: \(names(failed))"
    lateness = failed.isEmpty ? verdicts.lazy.compactMap(\.lateness).first : nil
    let rest = open.isEmpty || judged == 0 ? "" : "; not judged: \(names(open))"
    sentence = [lateness, "\(result)\(rest)."].compactMap(\.self).joined(separator: " ")
    let code = failed.isEmpty ? lateness.map { _ in ExitCode.notJudged } : .verificationFailed
    failure = code.map { [sentence] in ProgramFailure($0, sentence) }
  }

  /// The class of a paragraph with the sentence.
  var kind: String { lateness != nil ? "doubtful" : failure == nil ? "passed" : "failed" }
}
