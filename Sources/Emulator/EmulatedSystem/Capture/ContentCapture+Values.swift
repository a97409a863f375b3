import CoreMedia
import Platform
import ReplayKit
import RunReports
import ScreenBroadcast
import ScreenCapture
import Synchronization

extension ContentCapture {
  /// The phone and the person.
  package struct Behaviour: Equatable, Sendable {
    package var answer = PickerAnswer.display
    /// How long the person takes to answer.
    package var answerDelay = Duration.zero
    /// Whether the person turns the microphone on, where the picker shows its control.
    package var turnsMicrophoneOn = false
    package var backgroundModes = BackgroundModes.all
    /// Whether samples with the status `idle` come while the screen does not change.
    package var deliversIdle = true

    package init() {}
  }

  /// The values of `UIBackgroundModes` that concern a capture.
  package enum BackgroundModes: String, CaseIterable, Sendable {
    case all, none
    case screenCapture = "screen-capture"
    case audio

    /// Those of an Info.plist.
    package init(_ modes: some Sequence<String>) {
      self =
        switch (modes.contains("screen-capture"), modes.contains("audio")) {
        case (true, true): .all
        case (true, false): .screenCapture
        case (false, true): .audio
        case (false, false): .none
        }
    }

    var hasCapture: Bool { self == .all || self == .screenCapture }
    var hasAudio: Bool { self == .all || self == .audio }
  }
}

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

extension ContentCapture {
  /// Counts the frames that outputs get: one that several get counts once.
  final class DeliveredFrames: Sendable {
    private let state = Mutex((count: UInt64(0), newest: CMTime?.none))

    var count: UInt64 { state.withLock { $0.count } }

    func note(_ sample: CMSampleBuffer, _ type: RPSampleBufferType) {
      guard type == .video, sample.imageBuffer != nil else { return }
      let time = sample.presentationTimeStamp
      state.withLock { state in
        if let newest = state.newest, time <= newest { return }
        state = (state.count + 1, time)
      }
    }
  }
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

/// What the person and the system do when the app shows the picker.
public enum PickerAnswer: String, CaseIterable, Sendable {
  /// The person chooses the whole display, or the app where the app asks for that alone.
  case display
  /// The person chooses the app, where there is a choice.
  case app
  /// The person closes the picker.
  case cancel
  /// The person does not allow it: `userDeclined`.
  case declined
  /// The picker cannot be shown.
  case fails
  /// The person does nothing.
  case unanswered
}
