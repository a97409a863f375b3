import Combine
import OSLog
import ReplayKit

extension UserDefaults {
  /// On a device: `@objc dynamic var`.
  var stopRequested: Bool { bool(forKey: "stopRequested") }
}

/// A handler that shares its state through the app group's defaults, observes the app's request there, and processes frames
/// on its own queue while it holds their samples.
class SampleHandler: RPBroadcastSampleHandler {
  private let defaults = UserDefaults(suiteName: "group.com.example.screenshare.dev")
  private let log = OSLog(subsystem: "com.example.screenshare", category: "defaults")
  private let queue = DispatchQueue(label: "com.example.screenshare.processing")
  private let held = PassthroughSubject<CMSampleBuffer, Never>()
  private var subscriptions = Set<AnyCancellable>()
  private var observation: NSKeyValueObservation?
  private var brightness: [Int] = []

  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    defaults?.set(false, forKey: "stopRequested")
    defaults?.set(true, forKey: "isBroadcasting")
    defaults?.set(Bundle.main.bundleIdentifier ?? "", forKey: "bundle")
    observation = defaults?.observe(\.stopRequested, options: [.new]) { [weak self] _, change in
      if change.newValue == true, let self { finishBroadcastGracefully(self) }
    }
    held.receive(on: queue).sink { [weak self] sample in self?.process(sample) }.store(in: &subscriptions)
  }

  override func broadcastFinished() {
    observation?.invalidate()
    subscriptions.removeAll()
    defaults?.set(false, forKey: "isBroadcasting")
    os_log("finished", log: log, type: .info)
  }

  override func processSampleBuffer(
    _ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType
  ) {
    guard sampleBufferType == .video, sampleBuffer.dataReadiness == .ready else { return }
    held.send(sampleBuffer)
  }

  private func process(_ sample: CMSampleBuffer) {
    guard let buffer = sample.imageBuffer, let size = sample.formatDescription?.dimensions else { return }
    CVPixelBufferLockBaseAddress(buffer, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
    guard let luma = CVPixelBufferGetBaseAddressOfPlane(buffer, 0) else { return }
    brightness.append(Int(luma.load(as: UInt8.self)))
    defaults?.set(brightness.count, forKey: "frames")
    defaults?.set("\(size.width)x\(size.height)", forKey: "size")
    defaults?.set(brightness.last ?? 0, forKey: "brightness")
  }
}
