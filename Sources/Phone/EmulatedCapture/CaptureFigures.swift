import EmulatedSystem
import ReplayKit
import RunReports
import ScreenCapture

/// What was delivered to an app that captures its screen.
package struct CaptureFigures: Sendable {
  /// Frames that the app got. Those that waited for it at the end of a capture are neither delivered nor dropped.
  package var framesDelivered: UInt64 = 0
  /// Frames of the screen that the app did not get: five waited already, or no buffer was free.
  package var framesDropped: UInt64 = 0
  package var audioDelivered: UInt64 = 0
  package var audioDropped: UInt64 = 0
  /// How long the app's calls with a frame took.
  package var handlerTimes = DelayHistogram()
  /// The code of the error that ended the last stream; `nil` if none did.
  package var ending: SCStreamError.Code?
  /// The same of a capture by the recorder.
  package var interruption: RPRecordingErrorCode?
  /// The captures that started.
  package var starts = 0

  package init() {}

  package var endingCode: Int? { ending?.rawValue ?? interruption?.rawValue }
}

extension CaptureFigures {
  mutating func add(_ video: InAppCapture.Delivery, _ sound: InAppCapture.Delivery) {
    handlerTimes.add(video.videoTimes)
    framesDelivered += video.counts(.video).delivered
    framesDropped += video.counts(.video).dropped
    addAudio(sound.counts(.audio).delivered, dropped: sound.counts(.audio).dropped)
  }

  private mutating func addAudio(_ delivered: UInt64, dropped: UInt64) {
    audioDelivered += delivered
    audioDropped += dropped
  }

  mutating func add(_ delivery: ContentCapture.Delivery, of type: SCStreamOutputType) {
    if type == .screen {
      handlerTimes.add(delivery.videoTimes)
    } else {
      addAudio(delivery.counts(.audio).delivered, dropped: delivery.counts(.audio).dropped)
    }
  }
}
