import Foundation

extension Thread {
  /// Runs `body` on a new thread, as work of a group.
  package static func detach(in group: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
    group.enter()
    detachNewThread {
      body()
      group.leave()
    }
  }
}
