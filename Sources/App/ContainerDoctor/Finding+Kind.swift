import CommandLineSupport

extension Finding {
  /// The kind of a finding; the raw value is its name in JSON, and ``row`` has all that is known of it.
  package enum Kind: String, CaseIterable, Sendable {
    case containerMissing, notAFolder, notAPlainFile, symbolicLink, foreignOwner, openRoot, folderMode,
      fileMode
    case unreadable, fileSystem, diskFileSystem, remoteFileSystem, lowRoom, noRoom, longPath,
      damagedPreferences
    case staleFlag, unclaimedFlag, live, changing, suspended, wrongRing, leftoverRing, leftoverFile,
      otherGroup
  }
}

extension Finding.Kind {
  package var severity: Finding.Severity { row.severity }
  /// The exit code of an examination that found it, unless the `errno` of a system call gives another.
  package var exitCode: ExitCode { row.exitCode }
  package var isFixable: Bool { row.repair != nil }
  var repair: Finding.Repair? { row.repair }
  /// What it means on a device, in one to three sentences.
  package var onDevice: String { row.onDevice }

  struct Row {
    var severity: Finding.Severity
    var exitCode = ExitCode.ok
    var repair: Finding.Repair?
    var onDevice: String
  }

  /// The table of kinds.
  var row: Row {
    switch self {
    case .containerMissing:
      Row(
        severity: .problem, exitCode: .notInOrder,
        onDevice:
          "The system makes the container. A process without the app group in its entitlements gets no URL "
          + "for it.")
    case .notAFolder, .notAPlainFile:
      Row(
        severity: .problem, exitCode: .cannotCreate,
        onDevice: "Only code of the app group can have put it there. It blocks the status and the frames.")
    case .symbolicLink:
      Row(
        severity: .problem, exitCode: .notPermitted,
        onDevice: "The sandbox opens nothing outside the container, so a link that leads out of it fails.")
    case .foreignOwner:
      Row(
        severity: .problem, exitCode: .notPermitted,
        onDevice:
          "The app and its extension run as one user. Here one of them ran as another user, usually by "
          + "'sudo'.")
    case .openRoot: Row(severity: .problem, exitCode: .notPermitted, onDevice: Self.modesOnDevice)
    case .folderMode:
      Row(
        severity: .problem, exitCode: .notPermitted, repair: .restrictFolder, onDevice: Self.modesOnDevice)
    case .fileMode: Row(severity: .warning, repair: .restrictFile, onDevice: Self.modesOnDevice)
    case .unreadable:
      Row(
        severity: .problem, exitCode: .inputOutput,
        onDevice: "A file with complete data protection fails like this while the phone is locked.")
    case .fileSystem: Row(severity: .note, onDevice: Self.storageOnDevice)
    case .diskFileSystem: Row(severity: .warning, onDevice: Self.storageOnDevice)
    case .remoteFileSystem: Row(severity: .warning, onDevice: "A device has no such container.")
    case .lowRoom: Row(severity: .warning, onDevice: Self.fullStorageOnDevice)
    case .noRoom: Row(severity: .problem, exitCode: .cannotCreate, onDevice: Self.fullStorageOnDevice)
    case .longPath:
      Row(
        severity: .warning,
        onDevice:
          "The path of a container has 83 bytes, which leaves 19 for the name of a socket. A longer name "
          + "cannot be bound, and code that truncates it binds another one.")
    case .damagedPreferences:
      Row(
        severity: .problem, exitCode: .inputOutput,
        onDevice:
          "The status of the broadcast is unknown. An app that reads this as 'no' never shows a broadcast.")
    case .staleFlag:
      Row(
        severity: .problem, exitCode: .producerCrashed, repair: .clearFlag,
        onDevice:
          "The system killed the extension, usually above 50 MB of memory, or the extension crashed; there is "
          + "no callback. The app still shows the last frame.")
    case .unclaimedFlag:
      Row(
        severity: .problem, exitCode: .notInOrder, repair: .clearFlag,
        onDevice:
          "The app, or a restored backup, turned the flag on. The app waits for frames that never come.")
    case .live: Row(severity: .note, onDevice: "The red indicator is on.")
    case .changing:
      Row(
        severity: .note,
        onDevice:
          "The extension is between its launch and its first frame, or is closing. If this lasts, a callback "
          + "hangs.")
    case .suspended:
      Row(
        severity: .warning,
        onDevice:
          "A debugger holds the extension, or the system has suspended it. The flag stays on, and no frames "
          + "come.")
    case .wrongRing:
      Row(
        severity: .problem, exitCode: .inputOutput,
        onDevice:
          "The app and its extension come from different builds, as when one of them outlives an update of "
          + "the app. No frame comes, although the status is active.")
    case .leftoverRing:
      Row(
        severity: .warning, repair: .removeFile,
        onDevice:
          "The extension was killed. An app that checks the file instead of the status shows the last frame "
          + "again.")
    case .leftoverFile:
      Row(
        severity: .warning, repair: .removeFile,
        onDevice: "The process was killed while it wrote the file. Readers never open such a file.")
    case .otherGroup:
      Row(
        severity: .problem, exitCode: .notInOrder,
        onDevice:
          "The app and its extension name different app groups, in their entitlements or in their code. Each "
          + "has its own container, and the app gets neither status nor frames.")
    }
  }

  private static let modesOnDevice =
    "The system lets only processes of the app group into the container, whatever the modes. Here only the mode keeps "
    + "other users from seeing the screen."
  private static let storageOnDevice =
    "The container is on flash storage. Mapped frames are written back later and do not count against the 50 MB of the "
    + "extension."
  private static let fullStorageOnDevice =
    "The storage of the phone is full: the extension cannot reserve its file, and the broadcast ends as it starts."
}
