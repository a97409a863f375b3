import CommandLineSupport

extension Finding {
  /// A repair that harms no process and no other user.
  enum Repair: Sendable {
    /// Sets the flag to false.
    case clearFlag
    case removeFile
  }

  /// The properties that all findings of a kind share.
  struct Row {
    var severity: Severity
    /// The exit code of an examination with this finding, unless the `errno` of a system call determines another.
    var exitCode = ExitCode.ok
    var repair: Repair?
    /// The meaning on a device, in one to three sentences.
    var onDevice: String
    /// The way to repair it; `nil` if nothing is wrong, or if each finding has its own remedy.
    var remedy: String?

    static func note(_ onDevice: String) -> Row { Row(severity: .note, onDevice: onDevice) }

    static func notJudged(_ onDevice: String, remedy: String) -> Row {
      Row(severity: .notJudged, exitCode: .notJudged, onDevice: onDevice, remedy: remedy)
    }

    static func warning(repair: Repair? = nil, _ onDevice: String, remedy: String? = nil) -> Row {
      Row(severity: .warning, repair: repair, onDevice: onDevice, remedy: remedy)
    }

    static func problem(
      exitCode: ExitCode = .notInOrder, repair: Repair? = nil, _ onDevice: String, remedy: String? = nil
    ) -> Row {
      Row(severity: .problem, exitCode: exitCode, repair: repair, onDevice: onDevice, remedy: remedy)
    }
  }
}

/// Texts that several kinds share.
extension Finding.Kind {
  static let notListed = "The picker does not list the extension."
  static let notInstalled = "The app cannot be installed."
  static let notLaunched =
    "The extension is not launched: \"Attempted to start an invalid broadcast session\", code -5808."
  static let groupsOnDevice =
    "A process without the app group in its entitlements gets no URL for the container."

  static let clearFlag = "clear the flag, as 'consumer stop' and the next start do"
}
