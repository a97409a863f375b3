import Dispatch
import Foundation
import Synchronization

/// Checks whether the main thread responds, or is kept busy by code of the handler.
final class MainThread: Sendable {
  private let questions = Mutex((asked: UInt64(0), answered: UInt64(0)))

  /// Returns the unanswered question as an open call; `nil` if the main thread has answered. Then it enqueues the next question.
  func openCall() -> OpenCall? {
    let (number, isOpen) = questions.withLock { questions in
      let isOpen = questions.asked > questions.answered
      if !isOpen { questions.asked += 1 }
      return (questions.asked, isOpen)
    }
    // The IDs of the handler's calls count up from 1.
    if isOpen {
      return OpenCall(
        id: .max - number, name: "work on the main thread", thread: getpid(), isOfMainThread: true)
    }
    DispatchQueue.main.async { [self] in questions.withLock { $0.answered = number } }
    return nil
  }
}
