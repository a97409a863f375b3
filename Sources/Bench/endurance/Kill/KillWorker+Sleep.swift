import Foundation
import LaunchedPrograms
import Platform
import ScreenBroadcast
import SharedMemory
import ToolSupport

extension KillWorker {
  /// Sleeps until a frame is published, then reads it in place and slowly, so that a kill hits the sleep or the read.
  func sleep(in container: AppGroupContainer, for parent: ParentProcess<Report>) throws {
    var random = SeededGenerator(seed: seed, stream: 8)
    var serializer = PixelBufferSerializer()
    var process: Int32?
    parent.reportReady()
    while parent.wantsMore {
      guard let ring = try Self.open(container.framesFile) else {
        usleep(100)
        continue
      }
      while parent.wantsMore, try ring.isCurrent() {
        ring.wait(until: SystemClock().now + .milliseconds(2))
        let read = try ring.next { stamp, payload in
          random.sleep(upTo: .milliseconds(2))
          return (
            fault: ProofFrames.fault(in: payload, number: stamp.number, &serializer), number: stamp.number
          )
        }
        guard let read else { continue }
        if let fault = read.fault { throw CheckFailure("read as \(fault)") }
        if process != ring.session.processID { parent.report(.frame(from: ring.session.processID)) }
        process = ring.session.processID
      }
    }
  }

  /// Opens a reader of the ring; `nil` if there is no ring.
  private static func open(_ path: String) throws(FileError) -> FrameRingReader? {
    do { return try FrameRingReader(path: path) } catch {
      if error.isMissing { return nil }
      throw error
    }
  }
}
