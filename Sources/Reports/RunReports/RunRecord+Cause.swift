import Causes
import Platform

extension RunRecord.Event {
  /// A cause in a run that began at `start`.
  package init(_ cause: Cause, since start: MonotonicTime) {
    func seconds(_ time: MonotonicTime) -> Double { max(0, (time - start) / .seconds(1)) }
    self.init(
      at: seconds(cause.from), to: cause.to.map(seconds),
      ([cause.text] + cause.evidence).joined(separator: " "))
    fingerprint = cause.fingerprint
  }
}
