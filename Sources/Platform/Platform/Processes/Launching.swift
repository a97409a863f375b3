import Foundation
import Synchronization

/// The launches of this process, and the pipes for them: one at a time.
///
/// Foundation's `Process` closes in the child each descriptor that it finds open before the launch. One that another thread
/// opens after that reaches the child too. If it belongs to the launch of another child, the end of that child is noticed
/// only when both have exited.
package enum Launching {
  private static let turn = Mutex(())

  /// Starts `process`, as its `run()` does.
  package static func run(_ process: Process) throws { try turn.withLock { _ in try process.run() } }

  /// Returns a pipe for the streams of a process.
  package static func makePipe() -> Pipe { turn.withLock { _ in Pipe() } }
}
