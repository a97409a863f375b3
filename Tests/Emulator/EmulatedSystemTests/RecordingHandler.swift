import PixelAccess
import ReplayKit

/// A handler that records its calls, and acts during them as a test demands.
final class RecordingHandler: RPBroadcastSampleHandler {
  private(set) var calls: [String] = []
  private(set) var samples: [CMSampleBuffer] = []
  /// The largest number of simultaneous calls.
  private(set) var deepest = 0
  private var depth = 0
  var onStarted: () -> Void = {}
  var onSample: () -> Void = {}

  var pixelBuffers: [CVPixelBuffer] { samples.compactMap { CMSampleBufferGetImageBuffer($0) } }

  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    let info = setupInfo.map { $0.map { "\($0)=\($1)" }.sorted().joined(separator: " ") }
    record(info.map { "started with \($0)" } ?? "started") { onStarted() }
  }

  override func broadcastPaused() { record("paused") {} }
  override func broadcastResumed() { record("resumed") {} }
  override func broadcastAnnotated(withApplicationInfo applicationInfo: [AnyHashable: Any]) {
    record("annotated \(applicationInfo[RPApplicationInfoBundleIdentifierKey] ?? "")") {}
  }

  override func broadcastFinished() { record("finished") {} }

  override func processSampleBuffer(
    _ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType
  ) {
    record(sampleBufferType == .video ? "video" : "audio") {
      samples.append(sampleBuffer)
      if let pixels = CMSampleBufferGetImageBuffer(sampleBuffer) {
        pixels.readPlane(0) { bytes, _ in firstBytes.append(bytes[0]) }
      }
      onSample()
    }
  }

  var orientations: [UInt32?] {
    samples.map {
      CMGetAttachment($0, key: RPVideoSampleOrientationKey as CFString, attachmentModeOut: nil)?.uint32Value
    }
  }

  /// The first luma byte of each frame, read during its call.
  private(set) var firstBytes: [UInt8] = []

  func fail(_ code: Int = 1, underlying: (any Error)? = nil) {
    finishBroadcastWithError(Self.error(code, underlying: underlying))
  }

  static func error(_ code: Int = 1, underlying: (any Error)? = nil) -> NSError {
    var userInfo: [String: Any] = [NSLocalizedDescriptionKey: "Broadcast completed"]
    userInfo[NSUnderlyingErrorKey] = underlying
    return NSError(domain: "TestBroadcastExtension", code: code, userInfo: userInfo)
  }

  private func record(_ call: String, _ body: () -> Void) {
    calls.append(call)
    depth += 1
    deepest = max(deepest, depth)
    body()
    depth -= 1
  }
}
