import Dispatch
import QuartzCore
import ReplayKit

/// Returns from its last call while another queue still works on a file for a quarter of a second.
final class FinishingHandler: RPBroadcastSampleHandler {
  override func broadcastFinished() {
    let file = Self.file("recording")
    DispatchQueue.global().async {
      let end = CACurrentMediaTime() + 0.25
      while CACurrentMediaTime() < end {}
      _ = FileManager.default.createFile(atPath: file, contents: nil)
    }
  }
}
