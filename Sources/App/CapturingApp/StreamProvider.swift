import ContainingApp
import CoreVideo
import Foundation
import Platform
import ScreenBroadcast
import ScreenCapture

/// Follows a capture with ScreenCaptureKit, as an app does on iOS 27 and later: the picker returns a filter, which creates
/// the stream.
@MainActor
package final class StreamProvider: CaptureProvider, WatchedProvider {
  private let capturesAudio: Bool
  private let picker = SCContentSharingPicker.shared
  private var stream: SCStream?

  /// Creates a provider that puts the frames into `call`.
  ///
  /// - Parameters:
  ///   - capturesAudio: whether the stream includes the sound of apps, and the microphone if the person turns it on.
  ///   - verifies: whether to compare every frame that enters the call with the proof pattern.
  ///   - copiesFrames: whether renderers of the call keep frames. Without copies they would leave the system without
  ///     buffers.
  package init(
    call: VideoCall, capturesAudio: Bool = true, verifies: Bool = false, copiesFrames: Bool = false,
    clock: any MonotonicClock = SystemClock()
  ) {
    self.capturesAudio = capturesAudio
    super.init(call: call, verifies: verifies, copiesFrames: copiesFrames, clock: clock)
    picker.add(self)
  }

  /// Shows the picker. The stream starts when the person has chosen.
  package func start() {
    var configuration = SCContentSharingPickerConfiguration()
    configuration.showsMicrophoneControl = capturesAudio
    picker.defaultConfiguration = configuration
    picker.isActive = true
    picker.present()
  }

  package func stop() {
    picker.isActive = false
    picker.remove(self)
    stream?.stopCapture()
  }

  private func capture(_ filter: SCContentFilter) {
    guard stream?.isCapturing != true else { return }
    let configuration = SCStreamConfiguration()
    configuration.capturesAudio = capturesAudio
    let stream = SCStream(filter: filter, configuration: configuration, delegate: self)
    self.stream = stream
    do {
      try stream.addStreamOutput(self, type: .screen, sampleHandlerQueue: .main)
      if capturesAudio { try stream.addStreamOutput(self, type: .audio, sampleHandlerQueue: .main) }
      if filter.isMicrophoneEnabled {
        try stream.addStreamOutput(self, type: .microphone, sampleHandlerQueue: .main)
      }
    } catch {
      return hasStarted(error)
    }
    stream.startCapture { [weak self] error in MainQueue.run { self?.hasStarted(error) } }
  }
}

extension StreamProvider: SCContentSharingPickerObserver {
  /// Starts the stream of the person's choice.
  package nonisolated func contentSharingPicker(
    _ picker: SCContentSharingPicker, didUpdateWith filter: SCContentFilter, for stream: SCStream?
  ) {
    nonisolated(unsafe) let filter = filter
    MainQueue.run { unsafe capture(filter) }
  }

  /// Reports that the person closed the picker without a choice.
  package nonisolated func contentSharingPicker(
    _ picker: SCContentSharingPicker, didCancelFor stream: SCStream?
  ) {
    MainQueue.run { hasStarted(SCStreamError(.userDeclined, "The person closed the picker.")) }
  }

  /// Reports that the picker was not shown.
  package nonisolated func contentSharingPickerStartDidFailWithError(_ error: any Error) {
    MainQueue.run { hasStarted(error) }
  }
}

extension StreamProvider: SCStreamOutput, SCStreamDelegate {
  /// Puts a frame into the call. Samples without a new frame and audio samples are ignored.
  package nonisolated func stream(
    _ stream: SCStream, didOutputSampleBuffer sampleBuffer: CMSampleBuffer, of type: SCStreamOutputType
  ) {
    let attachments =
      CMSampleBufferGetSampleAttachmentsArray(sampleBuffer, createIfNecessary: false)
      as? [[SCStreamFrameInfo: Any]]
    let info = attachments?.first ?? [:]
    guard type == .screen, let picture = sampleBuffer.imageBuffer else { return }
    let number = (info[.videoOrientation] as? NSNumber)?.uint32Value
    let orientation = number.flatMap { CGImagePropertyOrientation(rawValue: $0) } ?? .up
    MainQueue.run { receive(picture, at: sampleBuffer.captureTime, orientation: orientation) }
  }

  /// Reports that the person or the system ended the stream.
  package nonisolated func stream(_ stream: SCStream, didStopWithError error: any Error) {
    MainQueue.run { hasEnded(error) }
  }

  /// Reports that frames are delivered again.
  package nonisolated func streamDidBecomeActive(_ stream: SCStream) { MainQueue.run { enterForeground() } }

  /// Reports that no frames are delivered for a while.
  package nonisolated func streamDidBecomeInactive(_ stream: SCStream) { MainQueue.run { enterBackground() } }
}
