import PixelAccess
import ReplayKit
import ScreenBroadcast

/// A handler that records its calls, and runs a test's closures during them.
final class RecordingHandler: RPBroadcastSampleHandler {
  private(set) var calls: [String] = []
  /// The capture times of the samples, in nanoseconds.
  private(set) var times: [Int64] = []
  private(set) var orientations: [UInt32?] = []
  /// The widths, heights and row lengths of the frames.
  private(set) var shapes: [[Int]] = []
  private(set) var chromaBytesPerRow: [Int] = []
  private(set) var packets: [(format: AudioStreamBasicDescription, bytes: [UInt8])] = []
  /// The address of each frame's pixels, to distinguish the buffers of the pool.
  private(set) var addresses: [UInt] = []
  /// The largest number of simultaneous calls.
  private(set) var deepest = 0
  private var depth = 0
  var onStarted: () -> Void = {}
  var onSample: () -> Void = {}
  var holdsSamples = false
  private var held: [CMSampleBuffer] = []

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

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    record(type == .video ? "video" : "audio") {
      // Held samples stop the video.
      if holdsSamples { held.append(sampleBuffer) }
      let time = CMSampleBufferGetPresentationTimeStamp(sampleBuffer)
      times.append(CMTimeConvertScale(time, timescale: 1_000_000_000, method: .default).value)
      orientations.append(
        CMGetAttachment(sampleBuffer, key: RPVideoSampleOrientationKey as CFString, attachmentModeOut: nil)?
          .uint32Value)
      if let pixels = CMSampleBufferGetImageBuffer(sampleBuffer) { record(pixels) }
      if let block = CMSampleBufferGetDataBuffer(sampleBuffer),
        let format = CMSampleBufferGetFormatDescription(sampleBuffer)?.audioStreamBasicDescription
      {
        packets.append((format, block.withBytes { bytes in bytes.indices.map { bytes[$0] } }))
      }
      onSample()
    }
  }

  /// The first luma byte of each frame, read during its call.
  private(set) var firstBytes: [UInt8] = []

  private func record(_ pixels: CVPixelBuffer) {
    shapes.append([
      CVPixelBufferGetWidth(pixels), CVPixelBufferGetHeight(pixels),
      CVPixelBufferGetBytesPerRowOfPlane(pixels, 0),
    ])
    chromaBytesPerRow.append(CVPixelBufferGetBytesPerRowOfPlane(pixels, 1))
    pixels.readPlane(0) { bytes, _ in
      firstBytes.append(bytes[0])
      // UNSAFE: the address is only compared.
      unsafe addresses.append(bytes.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) })
    }
  }

  func fail(_ code: Int = 1, underlying: (any Error)? = nil) {
    finishBroadcastWithError(Self.error(code, underlying: underlying))
  }

  static func error(_ code: Int = 1, underlying: (any Error)? = nil) -> NSError {
    var userInfo: [String: Any] = [NSLocalizedDescriptionKey: "Broadcast completed"]
    userInfo[NSUnderlyingErrorKey] = underlying
    return NSError(domain: SampleHandler.errorDomain, code: code, userInfo: userInfo)
  }

  private func record(_ call: String, _ body: () -> Void) {
    calls.append(call)
    depth += 1
    deepest = max(deepest, depth)
    body()
    depth -= 1
  }
}
