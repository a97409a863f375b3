import CommandLineSupport

extension Finding {
  /// A repair that harms no process and no other user.
  enum Repair: Sendable {
    /// Sets the mode 0700.
    case restrictFolder
    /// Sets the mode 0600.
    case restrictFile
    /// Sets the flag to false.
    case clearFlag
    case removeFile
  }

  /// What is the same for all findings of a kind.
  struct Row {
    var severity: Severity
    /// The exit code of an examination that found it, unless the `errno` of a system call gives another.
    var exitCode = ExitCode.ok
    var repair: Repair?
    /// What it means on a device, in one to three sentences.
    var onDevice: String
    /// How to repair it, with `PATH` for the path; `nil` where nothing is wrong or a finding has its own.
    var remedy: String?

    static func note(_ onDevice: String) -> Row { Row(severity: .note, onDevice: onDevice) }

    static func unknown(_ onDevice: String, remedy: String) -> Row {
      Row(severity: .unknown, exitCode: .notJudged, onDevice: onDevice, remedy: remedy)
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

  static let modesOnDevice =
    "The system lets only processes of the app group into the container, whatever the modes. Here only the mode keeps "
    + "other users from seeing the screen."
  static let storageOnDevice =
    "The container is on flash storage. Mapped frames are written back later and do not count against the 50 MB of the "
    + "extension."
  static let fullStorageOnDevice =
    "The storage of the phone is full: the extension cannot reserve its file, and the broadcast ends as it starts."
  static let useMemory = "choose a --container in /dev/shm or $XDG_RUNTIME_DIR"
  static let freeRoom = "free some room there, or choose another --container"
  static let clearFlag = "clear the flag, as 'consumer stop' and the next start do"
}
