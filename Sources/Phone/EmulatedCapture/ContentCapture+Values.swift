import CoreMedia
import EmulatedSystem
import ReplayKit
import Synchronization

extension ContentCapture {
  /// The behaviour of the phone and the person during a capture.
  package struct Behaviour: Equatable, Sendable {
    package var answer = PickerAnswer.display
    /// How long the person takes to answer the picker.
    package var answerDelay = Duration.zero
    /// Whether the person turns the microphone on if the picker shows its control.
    package var turnsMicrophoneOn = false
    package var backgroundModes = BackgroundModes.all
    /// Whether samples with the status `idle` are delivered while the screen does not change.
    package var deliversIdle = true

    package init() {}
  }

  /// The values of `UIBackgroundModes` that concern a capture.
  package enum BackgroundModes: String, CaseIterable, Sendable {
    case all, none
    case screenCapture = "screen-capture"
    case audio

    /// Creates the value from the `UIBackgroundModes` of an Info.plist.
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

extension ContentCapture {
  /// Counts the frames delivered to outputs. A frame that several outputs receive counts once.
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

/// The response of the person or the system when the app shows the picker.
public enum PickerAnswer: String, CaseIterable, Sendable {
  /// The person chooses the whole display, or the app if the request is for an app only.
  case display
  /// The person chooses the app if there is a choice.
  case app
  /// The person closes the picker.
  case cancel
  /// The person does not allow the capture: `userDeclined`.
  case declined
  /// The picker cannot be shown.
  case fails
  /// The person does not respond.
  case unanswered
}
