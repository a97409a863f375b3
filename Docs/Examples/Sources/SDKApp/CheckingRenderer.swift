import ExampleSupport
import ReplayKit
import WebRTC

/// A renderer of the track that checks the frames that would enter a call.
final class CheckingRenderer: NSObject, RTCVideoRenderer {
  private let lock = NSLock()
  private var card = TestCard()
  private var received: [String] = []

  /// The size and the rotation of each frame so far.
  var descriptions: [String] { lock.withLock { received } }

  func setSize(_ size: CGSize) {}

  func renderFrame(_ frame: RTCVideoFrame?) {
    guard let frame, let buffer = frame.buffer as? RTCCVPixelBuffer else { return }
    lock.withLock {
      var pixels: [UInt8] = []
      forEachRow(of: buffer.pixelBuffer) { pixels += $0 }
      do {
        try card.check(
          pixels, width: Int(buffer.width), height: Int(buffer.height), rotation: frame.rotation.rawValue)
      } catch {
        ScreenShare.fail("frame \(received.count): \(error)")
      }
      received.append("\(frame.width)x\(frame.height), rotation \(frame.rotation.rawValue)")
    }
  }
}
