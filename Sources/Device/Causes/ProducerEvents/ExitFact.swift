/// The end of the extension's process, as seen by another process. No program prints it.
package struct ExitFact: FactBody {
  package static let event = "exit"
  /// The extension, for the start of a sentence.
  package var name = "The extension"
  /// How it ended, in words that follow the name.
  package var how: String
  /// Whether a signal, which `how` names, ended the process.
  package var isBySignal: Bool
  package var isAsked: Bool
  /// The most specific line of its stderr.
  package var lastError: String?
  package var kill: MemoryKill?

  package init(
    how: String, isBySignal: Bool = true, isAsked: Bool = false, lastError: String? = nil,
    kill: MemoryKill? = nil
  ) {
    self.how = how
    self.isBySignal = isBySignal
    self.isAsked = isAsked
    self.lastError = lastError
    self.kill = kill
  }
}

/// The process of the extension was suspended, and has continued. No program prints it.
package struct StopFact: FactBody {
  package static let event = "stop"
  package var seconds: Double

  package init(seconds: Double) { self.seconds = seconds }
}
