import CaptureApp
import Foundation
import ReplayKit
import ScreenCaptureKit
import Synchronization

// An app that shares the screen, with the faults that the environment variable PROBE_FAULTS names.

let faults = ProcessInfo.processInfo.environment["PROBE_FAULTS"] ?? ""

final class ScreenSharing: NSObject, SCContentSharingPickerObserver, SCStreamOutput, SCStreamDelegate,
  @unchecked Sendable
{
  // Why unchecked: the lock guards the stream.
  private let lock = NSLock()
  private var stream: SCStream?
  private let queue = DispatchQueue(label: "com.example.frames")

  func start() {
    if faults.contains("hangs") { DispatchSemaphore(value: 0).wait() }
    if faults.contains("starts-once"), lock.withLock({ hasStarted }) { return }
    lock.withLock { hasStarted = true }
    let picker = SCContentSharingPicker.shared
    picker.add(self)
    picker.isActive = true
    picker.present()
  }

  private var hasStarted = false

  func contentSharingPicker(
    _ picker: SCContentSharingPicker, didUpdateWith filter: SCContentFilter, for stream: SCStream?
  ) {
    let configuration = SCStreamConfiguration()
    configuration.capturesAudio = true
    let stream = SCStream(
      filter: filter, configuration: configuration, delegate: faults.contains("no-delegate") ? nil : self)
    do {
      let type = faults.contains("audio-alone") ? SCStreamOutputType.audio : .screen
      let output: any SCStreamOutput = faults.contains("releases-its-output") ? Receiver() : self
      try stream.addStreamOutput(output, type: type, sampleHandlerQueue: queue)
    } catch {
      print("no output: \(error)")
    }
    stream.startCapture { error in if let error { print("no start: \(error)") } }
    lock.withLock { self.stream = stream }
  }

  func contentSharingPicker(_ picker: SCContentSharingPicker, didCancelFor stream: SCStream?) {
    if faults.contains("crashes-on-cancel") { fatalError("the picker was closed") }
  }

  func contentSharingPickerStartDidFailWithError(_ error: any Error) {}

  func stream(
    _ stream: SCStream, didOutputSampleBuffer sampleBuffer: CMSampleBuffer, of type: SCStreamOutputType
  ) {
    if faults.contains("expects-a-picture"), sampleBuffer.imageBuffer == nil { fatalError("no picture") }
    if faults.contains("is-slow") { Thread.sleep(forTimeInterval: 0.05) }
  }

  func stream(_ stream: SCStream, didStopWithError error: any Error) { lock.withLock { self.stream = nil } }
}

final class Receiver: NSObject, SCStreamOutput {}

let sharing = ScreenSharing()
if faults.contains("recorder") {
  CaptureAppMain.run {
    RPScreenRecorder.shared().startCapture { _, type, _ in
      if type == .video { print("frame") }
    }
  }
}
CaptureAppMain.run { sharing.start() }
