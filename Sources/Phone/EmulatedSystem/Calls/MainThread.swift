import Dispatch
import Foundation
import Synchronization

/// Asks the main thread of the process for an answer, which code of the handler may keep it from.
final class MainThread: Sendable {
  private let questions = Mutex((asked: UInt64(0), answered: UInt64(0)))

  /// The question that is open, as a call; asks a new one if none is.
  func openCall() -> OpenCall? {
    let (number, isOpen) = questions.withLock { questions in
      let isOpen = questions.asked > questions.answered
      if !isOpen { questions.asked += 1 }
      return (questions.asked, isOpen)
    }
    // The numbers of the handler's calls begin with 1.
    if isOpen { return OpenCall(id: .max - number, name: "work on the main thread", thread: getpid()) }
    DispatchQueue.main.async { [self] in questions.withLock { $0.answered = number } }
    return nil
  }
}
