import CommandLineSupport
import EmulatedDevice
import ReplayKitCore

extension EventSystem {
  /// Returns the forms of the events that only change the state of the device; components that depend on the state observe
  /// it. `traits` apply to calls and routes.
  package nonisolated static func deviceForms(_ traits: EventTraits = .ofTrace) -> [SystemEvent<Self>.Form] {
    [
      .init(
        "call", named: "Phone call",
        "A phone call begins: app audio and microphone end, and stay off after the call. Video continues.",
        traits
      ) { system throws(EventRefusal) in
        try system.device.change { state throws(EventRefusal) in try state.begin(.endsAudio) }
      },
      .init(
        "call:audio-returns", named: "Phone call, audio returns",
        "A phone call begins: app audio and microphone are silent until it ends.",
        traits
      ) { system throws(EventRefusal) in
        try system.device.change { state throws(EventRefusal) in try state.begin(.silencesAudio) }
      },
      .init("hangup", named: "Hang up", "The phone call ends.", traits) { system throws(EventRefusal) in
        try system.device.change { state throws(EventRefusal) in try state.endCall() }
      },
      .init(
        "route", "ROUTE", .route, named: "Microphone",
        "The microphone changes: airpods (24 kHz), multi-camera (three channels), built-in, or RATExCHANNELS such as 16000x2.",
        traits
      ) { system, route in system.device.change { $0.route = route } }.under(.sound),
      .init(
        "rotate", "NAME", .orientation, named: "Orientation", first: .left,
        "The device rotates, and its frames have this orientation: up, left, down, right and so on.",
        [.ofTrace, .isCommon]
      ) { system, orientation in system.device.change { $0.orientation = orientation.rawValue } },
      .init(
        "thermal", "STATE", OptionValue<DeviceState.Thermal>.choice,
        "The device has this thermal state from now on: nominal, fair, serious or critical. The frames do not change."
      ) { system, thermal in system.device.change { $0.thermal = thermal } },
      .init(
        "low-power", "ON", OptionValue<OnOff>.choice,
        "The person turns low power mode on or off. The frames do not change."
      ) { system, value in system.device.change { $0.isLowPower = value == .on } },
      .init(
        "network", "PATH", OptionValue<DeviceState.Network>.choice,
        "NWPathMonitor reports this path from now on: wifi, cellular or none. Connections to this host continue; 'socket' damages them."
      ) { system, network in system.device.change { $0.network = network } }.under(.connection),
    ]
  }
}

/// The value of an event that turns a setting on or off.
enum OnOff: String, CaseIterable { case on, off }
