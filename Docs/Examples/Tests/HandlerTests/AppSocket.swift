import Foundation
import Network
import Synchronization

/// The app's socket in a test. It counts the bytes that the extension sends. Put the app's own code in its place.
final class AppSocket: Sendable {
  let byteCount = Atomic(0)
  private let listener: NWListener

  init(path: String) throws {
    // The broadcast creates the folder at its start, with the same permissions.
    try FileManager.default.createDirectory(
      at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    let parameters = NWParameters.tcp
    parameters.requiredLocalEndpoint = .unix(path: path)
    listener = try NWListener(using: parameters)
  }

  /// Returns when a connection is possible.
  func start() async throws {
    listener.newConnectionHandler = { connection in
      connection.start(queue: .global())
      self.receive(from: connection)
    }
    try await withCheckedThrowingContinuation { (ready: CheckedContinuation<Void, any Error>) in
      listener.stateUpdateHandler = { state in
        switch state {
        case .ready:
          self.listener.stateUpdateHandler = nil
          ready.resume()
        case .failed(let error):
          self.listener.stateUpdateHandler = nil
          ready.resume(throwing: error)
        default: break
        }
      }
      listener.start(queue: .global())
    }
  }

  private func receive(from connection: NWConnection) {
    connection.receive(minimumIncompleteLength: 1, maximumLength: 65536) { data, _, isComplete, error in
      self.byteCount.add(data?.count ?? 0, ordering: .relaxed)
      if !isComplete, error == nil { self.receive(from: connection) }
    }
  }
}
