import ReplayKit

/// A handler that writes down what the system calls, and acts within the calls as a test says.
final class RecordingHandler: RPBroadcastSampleHandler {
  private(set) var calls: [String] = []
  private(set) var samples: [CMSampleBuffer] = []
  /// The most calls that were under way at once.
  private(set) var deepest = 0
  private var depth = 0
  var onStarted: () -> Void = {}
  var onSample: () -> Void = {}

  var pixelBuffers: [CVPixelBuffer] { samples.compactMap { CMSampleBufferGetImageBuffer($0) } }

  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    record(setupInfo == nil ? "started" : "started with setup info") { onStarted() }
  }

  override func broadcastPaused() { record("paused") {} }
  override func broadcastResumed() { record("resumed") {} }
  override func broadcastFinished() { record("finished") {} }

  override func processSampleBuffer(
    _ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType
  ) {
    record(sampleBufferType == .video ? "video" : "audio") {
      samples.append(sampleBuffer)
      onSample()
    }
  }

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
