import CommandLineSupport
import Dispatch

extension DispatchQueue {
  /// Has a stream of this queue closed behind what is being written; for a reader that stands still it waits five seconds.
  ///
  /// - Parameter what: what the stream carries, for the sentence of the failure.
  func close(_ name: String, of what: String, _ close: @escaping @Sendable () -> Void) throws(ProgramFailure)
  {
    let done = DispatchSemaphore(value: 0)
    async {
      close()
      done.signal()
    }
    guard done.wait(timeout: .now() + 5) == .success else {
      throw ProgramFailure(
        .inputOutput, "The reader of \(name) takes no more \(what); the stream is cut short.")
    }
  }
}
