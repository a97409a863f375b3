import CoreMedia
import Foundation
import ReplayKit

#if canImport(ScreenCaptureKit)
  import ScreenCaptureKit
#endif

/// Shares the screen with ScreenCaptureKit if the system has it, otherwise with ReplayKit.
@MainActor
final class ScreenSharing: NSObject {
  static let shared = ScreenSharing()
  private var frames = 0
  #if canImport(ScreenCaptureKit)
    private var stream: SCStream?
  #endif

  func start() {
    #if canImport(ScreenCaptureKit)
      if #available(iOS 27.0, *) { return showPicker() }
    #endif
    RPScreenRecorder.shared().startCapture { [weak self] sample, type, _ in
      guard type == .video, CMSampleBufferGetImageBuffer(sample) != nil else { return }
      Task { @MainActor in self?.receive("RPScreenRecorder") }
    }
  }

  private func receive(_ name: String) {
    frames += 1
    if frames == 30 { print("30 frames by \(name)") }
  }
}

#if canImport(ScreenCaptureKit)
  @available(iOS 27.0, *)
  extension ScreenSharing: SCContentSharingPickerObserver, SCStreamDelegate, SCStreamOutput {
    private func showPicker() {
      let picker = SCContentSharingPicker.shared
      picker.add(self)
      picker.isActive = true
      picker.present()
    }

    private func begin(_ filter: SCContentFilter) async {
      let stream = SCStream(filter: filter, configuration: SCStreamConfiguration(), delegate: self)
      do {
        try stream.addStreamOutput(self, type: .screen, sampleHandlerQueue: .main)
        try await stream.startCapture()
        self.stream = stream
      } catch {
        print("not started: \(error)")
      }
    }

    nonisolated func contentSharingPicker(
      _ picker: SCContentSharingPicker, didUpdateWith filter: SCContentFilter, for stream: SCStream?
    ) {
      Task { @MainActor in await begin(filter) }
    }

    nonisolated func contentSharingPicker(_ picker: SCContentSharingPicker, didCancelFor stream: SCStream?) {}

    nonisolated func contentSharingPickerStartDidFailWithError(_ error: any Error) {
      print("no picker: \(error)")
    }

    nonisolated func stream(
      _ stream: SCStream, didOutputSampleBuffer sampleBuffer: CMSampleBuffer, of type: SCStreamOutputType
    ) {
      // A sample without a picture means that the screen is unchanged.
      guard type == .screen, sampleBuffer.imageBuffer != nil else { return }
      Task { @MainActor in receive("SCStream") }
    }

    nonisolated func stream(_ stream: SCStream, didStopWithError error: any Error) {
      Task { @MainActor in self.stream = nil }
    }
  }
#endif
