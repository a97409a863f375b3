import CommandLineSupport

extension Finding {
  /// The kind of a finding. The raw value is its name in JSON, and ``row`` has its properties.
  package enum Kind: String, CaseIterable, Sendable {
    case containerMissing, unreadable, longPath, damagedPreferences
    case staleFlag, unclaimedFlag, crashed, live, changing, suspended, wrongRing, leftoverRing, leftoverFile,
      otherGroup
    case noExtension, extensionOutside, noProgram, noAppProgram, noIdentifier, identifierOutside, noVersion,
      versionUnlike, noName, nestedBundles, extensionPoint, processMode, principalClass, plainClass
    case profileExpired, profileIdentifier
    case noEntitlements, groupMissing, groupPrefix, profileGroups, groupUnlike, sharedGroup
    case sdkValue, groupValue, extensionValue, sdkKeys, targetAbove, targetOld, noBackgroundAudio,
      noBackgroundCapture, noPurpose, noEarlierPath, dataProtection, buildVariable
  }
}

extension Finding.Kind {
  package var severity: Finding.Severity { row.severity }
  package var exitCode: ExitCode { row.exitCode }
  package var isFixable: Bool { row.repair != nil }
  package var onDevice: String { row.onDevice }

  var row: Finding.Row {
    switch self {
    case .containerMissing:
      .problem(
        "The system creates the container. A process without the app group in its entitlements gets "
          + "no URL for it.",
        remedy: "check --container and the app group; the first start or watch creates the container")
    case .unreadable:
      .problem(
        exitCode: .inputOutput,
        "A file with complete data protection fails like this while the phone is locked.")
    case .longPath:
      .warning(
        "The path of a container has 83 bytes, so 19 are left for the name of a socket. A longer "
          + "name cannot be bound, and code that truncates it binds another name.")
    case .damagedPreferences:
      .problem(
        exitCode: .inputOutput,
        "The status of the broadcast is unknown. An app that reads this as 'no' never shows a broadcast.")
    case .staleFlag:
      .problem(
        exitCode: .producerCrashed, repair: .clearFlag,
        "The system killed the extension, usually above 50 MB of memory, or the extension crashed; "
          + "there is no callback. The app still shows the last frame.",
        remedy: Self.clearFlag)
    case .unclaimedFlag:
      .problem(
        repair: .clearFlag,
        "The app, or a restored backup, turned the flag on. The app waits for frames that never come.",
        remedy: Self.clearFlag)
    case .crashed:
      .warning(
        "The broadcast ends with a dialog, and there is no callback. The phone keeps a crash report, in Settings under "
          + "Analytics Data.")
    case .live: .note("The red indicator is on.")
    case .changing:
      .note(
        "The extension is between its launch and its first frame, or is closing. If this continues, a "
          + "callback hangs.")
    case .suspended:
      .warning(
        "A debugger holds the extension, or the system has suspended it. The flag stays on, and no "
          + "frames come.")
    case .wrongRing:
      .problem(
        exitCode: .inputOutput,
        "The app and its extension come from different builds, for example when one outlives an "
          + "update of the app. No frame comes, although the status is active.",
        remedy: "end the broadcast and start again, with producer and consumer of the same build")
    case .leftoverRing:
      .warning(
        repair: .removeFile,
        "The extension was killed. An app that checks the file instead of the status shows the last "
          + "frame again.",
        remedy: "nothing, because the next start replaces it; or remove it to free its memory")
    case .leftoverFile:
      .warning(
        repair: .removeFile,
        "The process was killed while it wrote the file. Readers never open such a file.",
        remedy: "nothing, because the next write replaces it; or remove it")
    case .otherGroup:
      .problem(
        "The app and its extension name different app groups, in their entitlements or in their "
          + "code. Each has its own container, and the app gets neither status nor frames.")
    case .noExtension, .extensionOutside:
      .problem(
        Self.notListed,
        remedy: "embed the extension: in Xcode, 'Embed Foundation Extensions' of the app's target")
    case .noProgram: .problem(Self.notInstalled, remedy: "check the last build of the extension's target")
    case .noAppProgram: .warning(Self.notInstalled, remedy: "check the last build of the app's target")
    case .noVersion:
      .problem(
        "\(Self.notInstalled) The App Store rejects the upload, with code 90056.",
        remedy: "set the build settings MARKETING_VERSION and CURRENT_PROJECT_VERSION of the target")
    case .versionUnlike:
      .warning(
        "Broadcasts work. Xcode warns, and the App Store answers an upload with ITMS-90473, a mismatch.",
        remedy: "give both targets the same MARKETING_VERSION and CURRENT_PROJECT_VERSION")
    case .noName:
      .problem(
        "A build from Xcode runs. The App Store rejects the upload, with code 90360.",
        remedy: "set the build setting INFOPLIST_KEY_CFBundleDisplayName of the target, and CFBundleName to "
          + "$(PRODUCT_NAME)")
    case .nestedBundles:
      .problem(
        "A build from Xcode runs. The App Store rejects the upload, with codes 90205 and 90206.",
        remedy: "embed frameworks and extensions in the app alone: remove the embed phases of the "
          + "extension's target, and set ALWAYS_EMBED_SWIFT_STANDARD_LIBRARIES to NO")
    case .noIdentifier:
      .problem(Self.notInstalled, remedy: "set CFBundleIdentifier to $(PRODUCT_BUNDLE_IDENTIFIER)")
    case .identifierOutside:
      .problem("The app cannot be installed: the identifier of an extension begins with the app's and a dot.")
    case .extensionPoint:
      .problem(
        Self.notListed,
        remedy: "set NSExtensionPointIdentifier to com.apple.broadcast-services-upload")
    case .processMode:
      .problem(
        "The system does not call processSampleBuffer.",
        remedy: "set RPBroadcastProcessMode to RPBroadcastProcessModeSampleBuffer")
    case .principalClass:
      .problem(
        Self.notLaunched,
        remedy: "set NSExtensionPrincipalClass to $(PRODUCT_MODULE_NAME).SampleHandler")
    case .plainClass:
      .warning(
        "The system finds a Swift class by its name with the module, unless @objc names it. "
          + "Otherwise: \(Self.notLaunched)",
        remedy: "set NSExtensionPrincipalClass to $(PRODUCT_MODULE_NAME).SampleHandler")
    case .noEntitlements:
      .notJudged(
        Self.groupsOnDevice,
        remedy: "sign the build, or name the file with --app-entitlements or --extension-entitlements")
    case .groupMissing:
      .problem(
        Self.groupsOnDevice,
        remedy: "add the capability App Groups to both targets, with the same group")
    case .groupPrefix:
      .problem(
        "The app cannot be signed with it: the identifier of an app group begins with 'group.'.",
        remedy: "choose an identifier that begins with 'group.'")
    case .profileExpired:
      .problem(
        "The app cannot be installed: its provisioning profile has expired.",
        remedy: "create the profile again, and build the app with it")
    case .profileIdentifier:
      .problem(
        "The app cannot be installed: the provisioning profile is for another bundle.",
        remedy: "choose the profile of this target's bundle identifier")
    case .profileGroups:
      .problem(
        "The app cannot be installed: its signature has more than its provisioning profile grants.",
        remedy: "add the app group to the identifier in the developer account, and create the profile again")
    case .groupUnlike:
      .problem(
        "Each side has its own container. The broadcast starts, and nothing arrives in the app.",
        remedy: "choose the same app group in both targets; case matters")
    case .sharedGroup: .note(Self.groupsOnDevice)
    case .sdkValue:
      .problem("The SDK does not find the container, or the picker does not find the extension.")
    case .groupValue:
      .problem(
        "The code that reads this key opens a different container than the other side, or gets none. "
          + "The broadcast starts, and nothing arrives in the app.",
        remedy: "use one app group in the entitlements and in the Info.plists of both sides")
    case .extensionValue:
      .problem(
        "The picker gets an identifier that belongs to no extension: its list is empty, or has all apps.")
    case .sdkKeys:
      .warning("The SDK does not find the container, or the picker shows the extensions of all apps.")
    case .targetAbove:
      .problem(
        "On a device with an older iOS the app runs, and the picker does not list the extension.",
        remedy: "set the deployment target of the extension to the app's")
    case .targetOld:
      .warning(
        "RPSystemBroadcastPickerView exists from iOS 12 on.",
        remedy: "set the deployment target to 12.0 or later, or start broadcasts only where the class exists")
    case .noBackgroundAudio:
      .warning(
        "The system suspends the app some seconds after the user leaves it, and reclaims its sockets. "
          + "The broadcast continues, and the call shows a frozen picture.",
        remedy:
          "add 'audio' to UIBackgroundModes and keep the audio of the call running, or send from the extension"
      )
    case .noBackgroundCapture:
      .warning(
        "ScreenCaptureKit ends the stream with missingBackgroundMode, -3824, when the person leaves the app.",
        remedy: "add 'screen-capture' to UIBackgroundModes")
    case .noPurpose:
      .warning(
        "iOS kills the app when it requests the permission. App Store Connect refuses the upload (ITMS-90683).",
        remedy: "add the key to the app's Info.plist, with the text that the dialog shows")
    case .noEarlierPath:
      .warning(
        "Phones have ScreenCaptureKit from iOS 27 on. With an older iOS the person cannot share the screen.",
        remedy: "keep the broadcast upload extension, or set the deployment target to 27.0")
    case .dataProtection:
      .warning(
        "Ten seconds after a lock, new files of this bundle's container cannot be opened (EPERM), and access to mapped ones "
          + "crashes. It is not known whether files of the app group have this default too.",
        remedy: "give the files that both processes use the class completeUntilFirstUserAuthentication")
    case .buildVariable:
      .notJudged(
        "The values in the built app are different.", remedy: "check the built .app")
    }
  }
}
