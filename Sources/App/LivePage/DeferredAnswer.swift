import HTTPServer
import Platform
import Synchronization

/// An answer that becomes available later. After setting the bytes, call the ``StreamWaker``.
final class DeferredAnswer: HTTPBodyStream {
  private enum State {
    case waiting
    case ready([UInt8])
    case ended
  }

  private let state = Mutex(State.waiting)

  func set(_ bytes: [UInt8]) { state.withLock { $0 = .ready(bytes) } }

  func next() -> HTTPBodyPiece {
    state.withLock { state in
      switch state {
      case .waiting: return .wait
      case .ready(let bytes):
        state = .ended
        return bytes.isEmpty ? .end : .bytes(bytes)
      case .ended: return .end
      }
    }
  }
}

/// Wakes the server so that it polls its streams. The closure is set once there is a server.
final class StreamWaker: Sendable {
  private let body = Mutex<Callback<@Sendable () -> Void>?>(nil)

  func set(_ wake: @escaping @Sendable () -> Void) { body.withLock { $0 = Callback(wake) } }
  func call() { body.withLock { $0 }?.call() }
}
