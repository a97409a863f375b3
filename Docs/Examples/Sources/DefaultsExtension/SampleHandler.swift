import Combine
import OSLog
import ReplayKit

extension UserDefaults {
  /// On a device: `@objc dynamic var`.
  var stopRequested: Bool { bool(forKey: "stopRequested") }
}

/// A handler that shares its state through the app group's defaults, and observes the app's request there. It measures a
/// frame while it has the sample, and publishes the result on a private queue.
class SampleHandler: RPBroadcastSampleHandler {
  private let defaults = UserDefaults(suiteName: "group.com.example.screenshare.dev")
  private let log = OSLog(subsystem: "com.example.screenshare", category: "defaults")
  private let queue = DispatchQueue(label: "com.example.screenshare.processing")
  private let measurements = PassthroughSubject<Measurement, Never>()
  private var subscriptions = Set<AnyCancellable>()
  private var observation: NSKeyValueObservation?
  private var frameCount = 0

  private struct Measurement {
    let brightness: Int
    let size: CMVideoDimensions
  }

  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    defaults?.set(false, forKey: "stopRequested")
    defaults?.set(true, forKey: "isBroadcasting")
    defaults?.set(Bundle.main.bundleIdentifier ?? "", forKey: "bundle")
    observation = defaults?.observe(\.stopRequested, options: [.new]) { [weak self] _, change in
      if change.newValue == true, let self { finishBroadcastGracefully(self) }
    }
    measurements.receive(on: queue).sink { [weak self] in self?.publish($0) }.store(in: &subscriptions)
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
    guard sampleBufferType == .video, sampleBuffer.dataReadiness == .ready,
      let buffer = sampleBuffer.imageBuffer, let size = sampleBuffer.formatDescription?.dimensions
    else { return }
    CVPixelBufferLockBaseAddress(buffer, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
    guard let luma = CVPixelBufferGetBaseAddressOfPlane(buffer, 0) else { return }
    measurements.send(Measurement(brightness: Int(luma.load(as: UInt8.self)), size: size))
  }

  private func publish(_ measurement: Measurement) {
    frameCount += 1
    defaults?.set(frameCount, forKey: "frames")
    defaults?.set("\(measurement.size.width)x\(measurement.size.height)", forKey: "size")
    defaults?.set(measurement.brightness, forKey: "brightness")
  }
}
