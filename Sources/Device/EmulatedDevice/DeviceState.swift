import Foundation
import Platform

/// The variable state of a device. It has no history of events.
package struct DeviceState: Codable, Equatable, Sendable {
  /// How the device is held, as the number of a `CGImagePropertyOrientation` (1: upright).
  package var orientation: UInt32 = 1
  package var isLocked = false
  /// When the device was locked; `nil` while it is not locked.
  package internal(set) var lockTime: MonotonicTime?
  package private(set) var call: PhoneCall?
  /// The current audio output and input.
  package var route = AudioRoute.builtIn
  package var captures: Set<Capture> = []
  package var thermal = Thermal.nominal
  package var isLowPower = false
  package var network = Network.wifi

  /// The state of this process's app. Each process has its own.
  package var app = App()

  /// The part of the state that all processes of the device share.
  private enum CodingKeys: CodingKey {
    case orientation, isLocked, lockTime, call, route, captures, thermal, isLowPower, network
  }

  package init() {}

  /// An event of this process's app, by the name of UIKit's notification.
  package enum AppEvent: String, CaseIterable, Sendable {
    case background = "UIApplicationDidEnterBackgroundNotification"
    case foreground = "UIApplicationWillEnterForegroundNotification"
    case memoryWarning = "UIApplicationDidReceiveMemoryWarningNotification"

    /// UIKit's notification name. The phone posts the notification even in processes without UIKit.
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

    /// Returns the latest event, if the state has changed since `old`.
    package func event(since old: App) -> AppEvent? { self == old ? nil : event }
  }

  /// The effect of a phone call on the audio of a broadcast.
  package enum PhoneCall: String, Codable, Sendable {
    /// App and microphone audio end and do not come back.
    case endsAudio
    /// App and microphone audio are silent until the end of the call.
    case silencesAudio
  }

  /// A capture of the screen: a broadcast, `RPScreenRecorder`, or a stream of ScreenCaptureKit.
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

/// The reason why an event cannot happen, as a sentence.
package struct EventRefusal: Error, Equatable {
  package let reason: String
  package init(_ reason: String) { self.reason = reason }
}
