import Foundation
import Platform

/// What changes about a device while it runs: how it is now, not what happened.
package struct DeviceState: Codable, Equatable, Sendable {
  /// How it is held, as the number of a `CGImagePropertyOrientation`: 1 is upright.
  package var orientation: UInt32 = 1
  package var isLocked = false
  package private(set) var call: PhoneCall?
  /// What plays and records.
  package var route = AudioRoute.builtIn
  package var captures: Set<Capture> = []
  package var thermal = Thermal.nominal
  package var isLowPower = false
  package var network = Network.wifi

  /// What the phone does with the app of this process. Each process has its own.
  package var app = App()

  /// What all processes of the device share.
  private enum CodingKeys: CodingKey {
    case orientation, isLocked, call, route, captures, thermal, isLowPower, network
  }

  package init() {}

  /// What the phone does with the app of this process, by the name of UIKit's notification.
  package enum AppEvent: String, CaseIterable, Sendable {
    case background = "UIApplicationDidEnterBackgroundNotification"
    case foreground = "UIApplicationWillEnterForegroundNotification"
    case memoryWarning = "UIApplicationDidReceiveMemoryWarningNotification"

    /// That of UIKit, which the phone posts without it.
    package var name: Notification.Name { .init(rawValue) }
  }

  package struct App: Equatable, Sendable {
    package private(set) var isInBackground = false
    private var event: AppEvent?
    private var count = 0

    package mutating func note(_ event: AppEvent) {
      if event != .memoryWarning { isInBackground = event == .background }
      (self.event, count) = (event, count + 1)
    }

    /// The event that made this of an earlier state.
    package func event(since old: App) -> AppEvent? { self == old ? nil : event }
  }

  /// What a phone call does to the audio of a broadcast.
  package enum PhoneCall: String, Codable, Sendable {
    /// App audio and microphone end, and do not come back.
    case endsAudio
    /// They are silent until the end of the call.
    case silencesAudio
  }

  /// What captures the screen: a broadcast, `RPScreenRecorder`, or a stream of ScreenCaptureKit.
  package enum Capture: String, Codable, Sendable { case broadcast, recorder, stream }

  package enum Thermal: String, CaseIterable, Codable, Sendable { case nominal, fair, serious, critical }

  package enum Network: String, CaseIterable, Codable, Sendable { case wifi, cellular, none }

  package mutating func begin(_ call: PhoneCall) throws(EventRefusal) {
    guard self.call == nil else { throw EventRefusal("The phone is in a call already.") }
    self.call = call
  }

  package mutating func endCall() throws(EventRefusal) {
    guard call != nil else { throw EventRefusal("There is no phone call.") }
    call = nil
  }
}

/// Why an event cannot happen, as a sentence.
package struct EventRefusal: Error, Equatable {
  package let reason: String
  package init(_ reason: String) { self.reason = reason }
}
