/// What `consumer` is asked to do.
enum ConsumerVerb: String, CaseIterable {
  /// Take part in broadcasts as the app does.
  case watch
  /// Capture the app's own screen, in this process.
  case capture
  /// Launch the producer, as the system's broadcast picker would.
  case start
  /// End the broadcast, as the app does: by the flag.
  case stop
  /// Tell whether a broadcast is active.
  case status
  /// Tell what a file of frames holds.
  case inspect
  /// Tell what is wrong with the container, and mend it on demand.
  case doctor
}
