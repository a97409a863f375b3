import ReplayKit

/// A handler as an iOS developer writes it: it imports only ReplayKit.
class SampleHandler: RPBroadcastSampleHandler {
  private(set) var events: [String] = []
  private(set) var orientations: [CGImagePropertyOrientation] = []
  private(set) var widths: [Int] = []

  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    events.append("started")
  }

  override func broadcastPaused() { events.append("paused") }

  override func broadcastResumed() { events.append("resumed") }

  override func broadcastFinished() { events.append("finished") }

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType)
  {
    switch sampleBufferType {
    case .video:
      guard let imageBuffer = CMSampleBufferGetImageBuffer(sampleBuffer) else { return }
      widths.append(CVPixelBufferGetWidth(imageBuffer))
      if let value = CMGetAttachment(
        sampleBuffer, key: RPVideoSampleOrientationKey as CFString, attachmentModeOut: nil)?.uint32Value,
        let orientation = CGImagePropertyOrientation(rawValue: value)
      {
        orientations.append(orientation)
      }
    case .audioApp, .audioMic: break
    @unknown default: break
    }
  }

  func stopFromWithin() {
    finishBroadcastWithError(
      NSError(
        domain: "DemoBroadcastExtension", code: 1,
        userInfo: [NSLocalizedDescriptionKey: "Broadcast completed"]))
  }
}
