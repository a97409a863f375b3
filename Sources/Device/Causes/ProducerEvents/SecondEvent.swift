/// The statistics of about a second of a live broadcast, or of the remainder at its end.
package struct SecondEvent: FactBody, Equatable {
  package static let event = "second"
  /// The time from one event to the next.
  package static let period = Duration.seconds(1)
  /// The time that the other keys cover.
  package var seconds: Double
  /// Frames delivered to the handler.
  package var framesDelivered: UInt64
  /// Frames dropped because five were waiting for the handler.
  package var framesBehind: UInt64 = 0
  /// Frames dropped because the handler held all buffers.
  package var framesHeld: UInt64 = 0
  /// Frames that an event skipped.
  package var framesLeftOut: UInt64 = 0
  /// Frames that were not drawn because the timer of the screen was late.
  package var framesLate: UInt64 = 0
  /// The time in the handler's calls with a frame, without waits for a CPU, in milliseconds.
  package var handlerMs: Double = 0
  /// The longest call with a frame or audio, in milliseconds; 0 if an earlier call was longer.
  package var handlerMsMax: Double = 0
  /// How long the handler waited for a thread or a CPU, in milliseconds.
  package var machineMs: Double = 0
  /// How long the main thread (which draws the screen) waited for a CPU, in milliseconds.
  package var screenMs: Double = 0
  /// Whether the broadcast is paused.
  package var isPaused = false
  /// The bytes that the handler sent over connections through the proxy of `socket` (Docs/CommandLine.md#faults-of-a-socket);
  /// `nil` if they are not counted.
  package var sentBytes: UInt64?
  /// The footprint of the extension and its limit, in bytes.
  package var footprintBytes: UInt64?
  package var limitBytes: UInt64?

  package init(seconds: Double = 0, framesDelivered: UInt64 = 0) {
    self.seconds = seconds
    self.framesDelivered = framesDelivered
  }

  package var framesDropped: UInt64 { framesBehind + framesHeld + framesLeftOut + framesLate }

  /// Returns the part of a broadcast after `earlier`. Both values count from the start of the broadcast.
  package func since(_ earlier: SecondEvent) -> SecondEvent {
    var part = self
    for count in [\Self.framesDelivered, \.framesBehind, \.framesHeld, \.framesLeftOut, \.framesLate] {
      part[keyPath: count] -= earlier[keyPath: count]
    }
    for time in [\Self.seconds, \.handlerMs, \.machineMs, \.screenMs] {
      part[keyPath: time] = max(0, self[keyPath: time] - earlier[keyPath: time])
    }
    // Only a call in this part can be a new maximum.
    if handlerMsMax <= earlier.handlerMsMax { part.handlerMsMax = 0 }
    // The end of a broadcast is older than bytes counted in the meantime.
    part.sentBytes = sentBytes.map { $0 - min($0, earlier.sentBytes ?? 0) }
    return part
  }
}
