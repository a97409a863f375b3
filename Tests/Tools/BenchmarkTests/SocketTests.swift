import Foundation
import Synchronization
import TestSupport
import Testing
import WorkerSupport

@testable import benchmark

@Suite struct SocketTests {
  private final class End: Sendable {
    let isSeen = Atomic(false)
  }

  @Test func aReceiverSeesTheEndOfASenderThatHadNoTimeForAFrame() throws {
    try withFolder { folder in
      var job = Job(.socket, polling: .waiting, for: .zero)
      job.path = folder.appending(path: "pair").path
      let sender = try SocketSender(job) { _ in }
      let end = End()
      Thread.detachNewThread { [job] in
        do {
          if case .ended = try SocketReceiver(job).poll() { end.isSeen.store(true, ordering: .relaxed) }
        } catch {
          Issue.record(error)
        }
      }
      try sender.finish()
      #expect(holds { end.isSeen.load(ordering: .relaxed) })
    }
  }
}
