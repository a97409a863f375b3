import CommandLineSupport

extension Finding {
  /// What kind of thing was found; the raw value is its name in JSON.
  package enum Kind: String, CaseIterable, Sendable {
    /// The container is not there.
    case containerMissing
    /// Something else stands where a folder must be.
    case notAFolder
    /// Something else stands where a file must be.
    case notAPlainFile
    /// A symbolic link stands where a folder or file must be.
    case symbolicLink
    /// A folder or file of another user.
    case foreignOwner
    /// The folder of the containers can be changed by others.
    case openRoot
    /// A folder with another mode than 0700.
    case folderMode
    /// A file with another mode than 0600.
    case fileMode
    /// A folder or file that cannot be looked at.
    case unreadable
    /// The kind of the file system, and its room.
    case fileSystem
    /// A file system on a disk.
    case diskFileSystem
    /// A file system of another machine or program.
    case remoteFileSystem
    /// Room for small frames only.
    case lowRoom
    /// No room for frames at all.
    case noRoom
    /// Too long a path for a socket.
    case longPath
    /// Preferences that are no property list.
    case damagedPreferences
    /// A flag that a dead producer left on.
    case staleFlag
    /// A flag that is on although no producer was there.
    case unclaimedFlag
    /// A producer that broadcasts.
    case live
    /// A producer that starts or ends.
    case changing
    /// A producer that was stopped.
    case suspended
    /// A broadcast whose frames or sound cannot be read.
    case wrongRing
    /// Frames or sound of a session that is over.
    case leftoverRing
    /// A file that was never finished.
    case leftoverFile
    /// Another app group has what this one lacks.
    case otherGroup
  }
}

extension Finding.Kind {
  /// How much it matters.
  package var severity: Finding.Severity {
    switch self {
    case .fileSystem, .live, .changing: .note
    case .fileMode, .diskFileSystem, .remoteFileSystem, .lowRoom, .longPath, .suspended, .leftoverRing,
      .leftoverFile:
      .warning
    case .containerMissing, .notAFolder, .notAPlainFile, .symbolicLink, .foreignOwner, .openRoot, .folderMode,
      .unreadable, .noRoom, .damagedPreferences, .staleFlag, .unclaimedFlag, .wrongRing, .otherGroup:
      .problem
    }
  }

  /// The exit code of a look that found it, unless an error of the system says it better.
  package var exitCode: ExitCode {
    switch self {
    case .staleFlag: .producerCrashed
    case .symbolicLink, .foreignOwner, .openRoot, .folderMode: .notPermitted
    case .notAFolder, .notAPlainFile, .noRoom: .cannotCreate
    case .unreadable, .damagedPreferences, .wrongRing: .inputOutput
    case .containerMissing, .unclaimedFlag, .otherGroup: .notInOrder
    case .fileMode, .fileSystem, .diskFileSystem, .remoteFileSystem, .lowRoom, .longPath, .live, .changing,
      .suspended,
      .leftoverRing, .leftoverFile:
      .ok
    }
  }

  /// Whether it can be mended without harm to anybody.
  package var isFixable: Bool { repair != nil }

  var repair: Finding.Repair? {
    switch self {
    case .folderMode: .closeFolder
    case .fileMode: .closeFile
    case .staleFlag, .unclaimedFlag: .clearFlag
    case .leftoverRing, .leftoverFile: .removeFile
    default: nil
    }
  }

  /// What it means on a device, in a sentence or two.
  package var onDevice: String {
    switch self {
    case .containerMissing:
      "The system makes the container. A process whose entitlements lack the app group gets no URL for it."
    case .notAFolder, .notAPlainFile:
      "Only code of the app group can have put it there. Status and frames do not travel past it."
    case .symbolicLink:
      "The sandbox opens nothing outside of the container, so a link that leads out of it fails there."
    case .foreignOwner:
      "App and extension run as one user there. Here one of them ran as another user, mostly by 'sudo'."
    case .openRoot, .folderMode, .fileMode:
      "The system lets only the processes of the app group into the container, whatever the modes. Here the mode "
        + "is all that keeps other users from seeing the screen."
    case .unreadable:
      "A file with complete data protection fails like this while the phone is locked."
    case .fileSystem, .diskFileSystem:
      "The container is on flash storage there. Mapped frames are written back by and by, and do not count against "
        + "the extension's 50 MB."
    case .remoteFileSystem: "There is no such container on a device."
    case .lowRoom, .noRoom:
      "A phone whose storage is full: the extension cannot reserve its file, and the broadcast ends as it starts."
    case .longPath:
      "A container's path has 83 bytes there, which leaves 19 for the name of a socket. A longer one cannot be "
        + "bound, and code that cuts it binds another."
    case .damagedPreferences:
      "Nobody can tell whether a broadcast runs. An app that takes this for 'no' never shows one."
    case .staleFlag:
      "The system killed the extension, mostly above 50 MB of memory, or it crashed; no callback comes. The app goes "
        + "on showing the last picture."
    case .unclaimedFlag:
      "The app, or a backup that was restored, turned the flag on. The app waits for frames that nobody sends."
    case .live: "The red indicator is on."
    case .changing:
      "The extension is between its launch and its first frame, or is closing. If it stays so, a callback hangs."
    case .suspended:
      "A debugger holds the extension, or the system has suspended it. The flag stays on, and no frames come."
    case .wrongRing:
      "The app and its extension come from different builds there when one of them outlived an update of the app. No "
        + "picture comes, although the status says active."
    case .leftoverRing:
      "The extension was killed. An app that looks at the file and not at the status shows its last picture again."
    case .leftoverFile: "The process was killed while it wrote. Readers never see such a file."
    case .otherGroup:
      "The app and its extension name different app groups, in their entitlements or in their code. Each has a "
        + "container of its own, and the app sees neither status nor frames."
    }
  }
}
