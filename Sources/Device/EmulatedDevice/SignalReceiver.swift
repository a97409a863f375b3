import Dispatch
import Foundation
import Platform

/// Calls a function with the file names of the signals that arrive, `nil` where names may be missing; see ``NamedSignals``.
package final class SignalReceiver: @unchecked Sendable {
  // Why unchecked: a source may be used from any thread.
  private let source: any DispatchSourceRead
  private let queue: DispatchQueue
  private let body: @Sendable ([String?]) -> Void

  /// The time after which a folder that cannot be watched is tried again.
  private static let retryTime = 0.5

  /// Receives from the folder of notifications below `root` until this object is released.
  package init(
    root: String, queue: DispatchQueue = .main, _ body: @escaping @Sendable ([String?]) -> Void
  ) throws(FileError) {
    let signals = try NamedSignals(root: root, folder: NamedSignals.standardFolder)
    (self.queue, self.body) = (queue, body)
    source = DispatchSource.makeReadSource(fileDescriptor: signals.fileDescriptor, queue: queue)
    source.setEventHandler { [weak self] in self?.receive(signals) }
    source.activate()
  }

  deinit { source.cancel() }

  private func receive(_ signals: NamedSignals, isRepeated: Bool = false) {
    do throws(FileError) {
      let posts = try signals.take()
      body(posts.isIncomplete ? [nil] : posts.fileNames)
    } catch {
      if !isRepeated { NSLog("%@", "Notifications are not received until this is put right: \(error)") }
      queue.asyncAfter(deadline: .now() + Self.retryTime) { [weak self] in
        self?.receive(signals, isRepeated: true)
      }
    }
  }
}
