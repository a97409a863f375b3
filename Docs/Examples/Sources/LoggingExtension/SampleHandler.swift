import ReplayKit

/// Writes a line for each call and sample to `trace.jsonl` in the app group, for `producer --trace`.
class SampleHandler: RPBroadcastSampleHandler {
  private let group = "group.com.example.screenshare.dev"
  private lazy var folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group)
  private lazy var file = open((folder?.path ?? "") + "/trace.jsonl", O_WRONLY | O_CREAT | O_TRUNC, 0o644)
  override func broadcastStarted(withSetupInfo _: [String: NSObject]?) { log("broadcastStarted", [:]) }
  override func broadcastPaused() { log("broadcastPaused", [:]) }
  override func broadcastResumed() { log("broadcastResumed", [:]) }
  override func broadcastFinished() { log("broadcastFinished", [:]) }
  override func broadcastAnnotated(withApplicationInfo info: [AnyHashable: Any]) {
    log("broadcastAnnotated", ["application": info[RPApplicationInfoBundleIdentifierKey] ?? ""])
  }
  override func processSampleBuffer(_ sample: CMSampleBuffer, with type: RPSampleBufferType) {
    guard let format = CMSampleBufferGetFormatDescription(sample) else { return }
    let code = CMFormatDescriptionGetMediaSubType(format).bigEndian
    var values = ["presentation": ns(sample.presentationTimeStamp)] as [String: Any]
    values["format"] = withUnsafeBytes(of: code) { String(decoding: $0, as: UTF8.self) }
    if let pixels = sample.imageBuffer {
      (values["width"], values["height"]) = (CVPixelBufferGetWidth(pixels), CVPixelBufferGetHeight(pixels))
      let (planes, key) = (0..<CVPixelBufferGetPlaneCount(pixels), RPVideoSampleOrientationKey as CFString)
      values["bytesPerRow"] = planes.map { CVPixelBufferGetBytesPerRowOfPlane(pixels, $0) }
      values["rows"] = planes.map { CVPixelBufferGetHeightOfPlane(pixels, $0) }
      values["orientation"] = CMGetAttachment(sample, key: key, attachmentModeOut: nil)
    } else if let pcm = format.audioStreamBasicDescription {
      (values["sampleRate"], values["channels"]) = (Int(pcm.mSampleRate), Int(pcm.mChannelsPerFrame))
      (values["bitsPerChannel"], values["formatFlags"]) = (Int(pcm.mBitsPerChannel), Int(pcm.mFormatFlags))
      (values["bytesPerFrame"], values["frames"]) = (Int(pcm.mBytesPerFrame), sample.numSamples)
    }
    log(type == .video ? "video" : type == .audioApp ? "audioApp" : "audioMic", values)
  }
  private func log(_ kind: String, _ values: [String: Any]) {
    let line = values.merging(["kind": kind, "arrival": ns(CMClock.hostTimeClock.time)]) { $1 }
    // Integers and strings always have a JSON form.
    let json = try? JSONSerialization.data(withJSONObject: line, options: .sortedKeys)
    if let json { _ = (json + [10]).withUnsafeBytes { write(file, $0.baseAddress, $0.count) } }
  }
  private func ns(_ time: CMTime) -> Int64 { time.convertScale(1_000_000_000, method: .default).value }
}
