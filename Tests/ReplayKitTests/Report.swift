import ReplayKit
import Synchronization

/// What the system was told about the end of a broadcast.
final class Report: Sendable {
  private let received = Mutex<[NSError]>([])

  var errors: [NSError] { received.withLock { $0 } }

  func add(_ error: any Error) { received.withLock { $0.append(error as NSError) } }
}
