import ContainingApp
import CoreVideo
import EmulatedDevice
import Foundation
import Platform
import ReplayKit
import ScreenBroadcast
import UIKit

/// Follows a capture with `RPScreenRecorder`, the alternative that the article describes.
@MainActor
package final class RecorderProvider: CaptureProvider, WatchedProvider {
  private let recorder: RPScreenRecorder
  private var observers: [any NSObjectProtocol] = []

  /// Creates a provider that follows a recorder, and puts the frames into `call`.
  ///
  /// - Parameters:
  ///   - verifies: whether to compare every frame that enters the call with the proof pattern.
  ///   - copiesFrames: whether renderers of the call keep frames. Without copies they would leave the recorder without
  ///     buffers.
  package init(
    recorder: RPScreenRecorder = .shared(), call: VideoCall, verifies: Bool = false,
    copiesFrames: Bool = false, clock: any MonotonicClock = SystemClock()
  ) {
    self.recorder = recorder
    super.init(call: call, verifies: verifies, copiesFrames: copiesFrames, clock: clock)
    recorder.delegate = self
    let center = NotificationCenter.default
    // Several devices in one process, as in tests, share the notification center.
    let device = Device.current
    observers = [
      center.addObserver(forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: nil) {
        [weak self] _ in if Device.current === device { MainQueue.run { self?.enterBackground() } }
      },
      center.addObserver(forName: UIApplication.willEnterForegroundNotification, object: nil, queue: nil) {
        [weak self] _ in if Device.current === device { MainQueue.run { self?.enterForeground() } }
      },
    ]
  }

  isolated deinit { for observer in observers { NotificationCenter.default.removeObserver(observer) } }

  /// Starts the capture. If a capture is running, the recorder refuses the second one, and the first continues.
  package func start() {
    recorder.startCapture(
      handler: { [weak self] sample, type, _ in
        guard type == .video, let picture = CMSampleBufferGetImageBuffer(sample) else { return }
        let orientation = sample.orientationNumber.flatMap { CGImagePropertyOrientation(rawValue: $0) } ?? .up
        MainQueue.run { self?.receive(picture, at: sample.captureTime, orientation: orientation) }
      },
      completionHandler: { [weak self] error in MainQueue.run { self?.hasStarted(error) } })
  }

  package func stop() { recorder.stopCapture() }
}

extension RecorderProvider: RPScreenRecorderDelegate {
  /// Reports that the system ended the capture.
  package nonisolated func screenRecorder(
    _ screenRecorder: RPScreenRecorder, didStopRecordingWith previewViewController: RPPreviewViewController?,
    error: (any Error)?
  ) {
    guard let error else { return }
    MainQueue.run { hasEnded(error) }
  }
}
