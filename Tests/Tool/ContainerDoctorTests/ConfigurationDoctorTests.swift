import TestSupport

@testable import ContainerDoctor

/// Tests each finding about the files of an app and its extension, with a configuration that has it and one without it.
@Suite struct ConfigurationDoctorTests {
  /// The values of a property list by key.
  typealias List = [String: any Sendable]

  /// The files of an app and its extension; a valid configuration until a test changes it.
  struct Files: Sendable {
    var app: List = [
      "CFBundleIdentifier": "com.example.app", "MinimumOSVersion": "16.0", "UIBackgroundModes": ["audio"],
      "RTCAppGroupIdentifier": "group.com.example", "RTCScreenSharingExtension": "com.example.app.broadcast",
    ]
    var `extension`: List = [
      "CFBundleIdentifier": "com.example.app.broadcast", "MinimumOSVersion": "16.0",
      "RTCAppGroupIdentifier": "group.com.example",
    ]
    var keys: List = [
      "NSExtensionPointIdentifier": "com.apple.broadcast-services-upload",
      "NSExtensionPrincipalClass": "Broadcast.SampleHandler",
      "RPBroadcastProcessMode": "RPBroadcastProcessModeSampleBuffer",
    ]
    var appEntitlements: List? = ["com.apple.security.application-groups": ["group.com.example"]]
    var extensionEntitlements: List? = ["com.apple.security.application-groups": ["group.com.example"]]

    func changed(_ change: (inout Files) -> Void) -> Files {
      var files = self
      change(&files)
      return files
    }

    func write(to folder: URL, isBinary: Bool = false) throws {
      var list = `extension`
      if !keys.isEmpty { list["NSExtension"] = keys }
      let lists = [
        ("app", app), ("extension", list), ("app.entitlements", appEntitlements),
        ("extension.entitlements", extensionEntitlements),
      ]
      for (name, list) in lists {
        guard let list else { continue }
        try PropertyListSerialization.data(
          fromPropertyList: list.mapValues { $0 as Any }, format: isBinary ? .binary : .xml, options: 0
        )
        .write(to: folder.appending(path: name))
      }
    }
  }

  private func examine(_ files: Files, isBinary: Bool = false) throws -> Diagnosis {
    try withFolder { folder in
      try files.write(to: folder, isBinary: isBinary)
      let path = { (name: String) in folder.appending(path: name).path }
      return try ConfigurationDoctor(
        app: path("app"), appEntitlements: files.appEntitlements == nil ? nil : path("app.entitlements"),
        extension: path("extension"),
        extensionEntitlements: files.extensionEntitlements == nil ? nil : path("extension.entitlements")
      ).examine()
    }
  }

  @Test(arguments: [false, true]) func aValidConfigurationHasNoProblem(isBinary: Bool) throws {
    let diagnosis = try examine(Files(), isBinary: isBinary)
    #expect((diagnosis.findings.map(\.kind), diagnosis.failure) == ([.sharedGroup], nil))
    #expect(diagnosis.text.hasPrefix("Configuration of ") && diagnosis.text.hasSuffix("\nHealthy."))
  }

  private static let groups = "com.apple.security.application-groups"

  /// A change of the valid configuration, and the finding that it causes.
  private struct Fault {
    var kind: Finding.Kind
    var text: String
    var files: Files
  }

  private static let faults: [Fault] = {
    var faults: [Fault] = []
    func add(_ kind: Finding.Kind, _ text: String, _ change: (inout Files) -> Void) {
      faults.append(Fault(kind: kind, text: text, files: Files().changed(change)))
    }
    add(.buildVariable, "Xcode sets CFBundleIdentifier when it builds") { $0.app["CFBundleIdentifier"] = nil }
    add(.identifierOutside, "'com.example.application' is not below the app's, 'com.example.app'") {
      $0.extension["CFBundleIdentifier"] = "com.example.application"
      $0.app["RTCScreenSharingExtension"] = "com.example.application"
    }
    add(.identifierOutside, "'com.example.app.' is not below") {
      $0.extension["CFBundleIdentifier"] = "com.example.app."
      $0.app["RTCScreenSharingExtension"] = "com.example.app."
    }
    add(.extensionPoint, "is missing below NSExtension") { $0.keys["NSExtensionPointIdentifier"] = nil }
    add(.extensionPoint, "is 'com.apple.share'") { $0.keys["NSExtensionPointIdentifier"] = "com.apple.share" }
    add(.processMode, "RPBroadcastProcessMode is missing") { $0.keys["RPBroadcastProcessMode"] = nil }
    add(.processMode, "ModeMP4Clip'") { $0.keys["RPBroadcastProcessMode"] = "RPBroadcastProcessModeMP4Clip" }
    add(.principalClass, "is missing") { $0.keys["NSExtensionPrincipalClass"] = nil }
    add(.principalClass, "'My-App.Handler', not the name") {
      $0.keys["NSExtensionPrincipalClass"] = "My-App.Handler"
    }
    add(.plainClass, "'Handler', without a module") { $0.keys["NSExtensionPrincipalClass"] = "Handler" }
    add(.groupMissing, "it has no entry under com.apple.security.application-groups") {
      $0.extensionEntitlements = [:]
      $0.extension["RTCAppGroupIdentifier"] = nil
    }
    add(.groupMissing, "it has an empty list, or no list of strings,") {
      $0.appEntitlements = [groups: "group.com.example"]
      ($0.app["RTCAppGroupIdentifier"], $0.app["RTCScreenSharingExtension"]) = (nil, nil)
      $0.extension["RTCAppGroupIdentifier"] = nil
    }
    add(.groupPrefix, "'com.group' does not") {
      $0.appEntitlements = [groups: ["group.com.example", "com.group"]]
    }
    add(.groupUnlike, "the extension has 'group.com.Example', but the app has 'group.com.example'") {
      $0.extensionEntitlements = [groups: ["group.com.Example"]]
      $0.extension["RTCAppGroupIdentifier"] = nil
    }
    add(.groupValue, "TeamGroup is 'group.other', but the ent") { $0.app["TeamGroup"] = "group.other" }
    add(.groupValue, "TeamGroups is 'group.other'") {
      $0.extension["TeamGroups"] = ["group.com.example", "group.other"]
    }
    add(.groupValue, "RTCAppGroupIdentifier is 'group.two', but in the app's Info.plist 'group.com.example'")
    {
      $0.extensionEntitlements = [groups: ["group.com.example", "group.two"]]
      $0.extension["RTCAppGroupIdentifier"] = "group.two"
    }
    add(.extensionValue, "app.screen', but the") {
      $0.app["RTCScreenSharingExtension"] = "com.example.app.screen"
    }
    add(.extensionValue, "app.old'") { $0.app["OwnBroadcastExtensionID"] = "com.example.app.old" }
    add(.sdkKeys, "RTCScreenSharingExtension or DailyScreen") { $0.app["RTCScreenSharingExtension"] = nil }
    add(.sdkKeys, "AppGroupName is") { $0.app["ScreencastExtensionBundleId"] = "com.example.app.broadcast" }
    add(.sdkKeys, "RTKRTCAppGroupIdentifier of RealtimeKit is in the app's Info.plist only") {
      $0.app["RTKRTCAppGroupIdentifier"] = "group.com.example"
      $0.app["RTKRTCScreenSharingExtension"] = "com.example.app.broadcast"
    }
    let target = "MinimumOSVersion"
    add(.targetAbove, "needs iOS 17.4, but the app runs from iOS 16.0 on") { $0.extension[target] = "17.4" }
    add(.targetOld, "the app runs from iOS 11 on") { ($0.app[target], $0.extension[target]) = ("11", "11") }
    for version in ["CFBundleVersion", "CFBundleShortVersionString"] {
      add(.versionUnlike, "\(version) is '1.0', but in the app's Info.plist '2.9.6'") {
        ($0.app[version], $0.extension[version]) = ("2.9.6", "1.0")
      }
    }
    add(.noBackgroundAudio, "UIBackgroundModes is missing") { $0.app["UIBackgroundModes"] = nil }
    add(.noBackgroundAudio, "has 'fetch' and not 'audio'") { $0.app["UIBackgroundModes"] = ["fetch"] }
    add(.noBackgroundCapture, "no 'screen-capture'") {
      $0.app["NSScreenCaptureUsageDescription"] = "It is shown."
    }
    add(.dataProtection, "default-data-protection is NSFileProtectionCompleteUnlessOpen") {
      let key = "com.apple.developer.default-data-protection"
      $0.appEntitlements?[key] = "NSFileProtectionCompleteUnlessOpen"
    }
    add(.noEntitlements, "its entitlements are unknown") { $0.appEntitlements = nil }
    add(.buildVariable, "Xcode sets $(PRODUCT_ID) when") { $0.app["CFBundleIdentifier"] = "$(PRODUCT_ID)" }
    return faults
  }()

  @Test(arguments: faults.indices) func eachFaultIsFoundAndNoOther(index: Int) throws {
    let (kind, text) = (Self.faults[index].kind, Self.faults[index].text)
    let diagnosis = try examine(Self.faults[index].files)
    let found = diagnosis.findings.filter { $0.kind != .sharedGroup }
    #expect(found.map(\.kind) == [kind], "\(found.map(\.description))")
    #expect(found.first?.description.contains(text) == true, "\(found.map(\.description))")
    let code: ExitCode =
      switch kind.severity {
      case .problem: .notInOrder
      case .notJudged: .notJudged
      case .warning, .note: .ok
      }
    #expect((diagnosis.exitCode, diagnosis.failure?.exitCode) == (code, (code == .ok ? nil : code)))
    #expect(kind.severity == .note || found.first?.remedy?.isEmpty == false)
  }

  @Test func valuesThatXcodeReplacesAreNotedAndNotCompared() throws {
    var files = Files()
    files.app["CFBundleIdentifier"] = "$(PRODUCT_BUNDLE_IDENTIFIER)"
    files.extension["CFBundleIdentifier"] = "${APP_ID}.broadcast"
    files.extension["MinimumOSVersion"] = "$(IPHONEOS_DEPLOYMENT_TARGET)"
    files.keys["NSExtensionPrincipalClass"] = "$(PRODUCT_MODULE_NAME).SampleHandler"
    files.appEntitlements = [Self.groups: ["group.$(PRODUCT_BUNDLE_IDENTIFIER)"]]
    files.extensionEntitlements = files.appEntitlements
    let diagnosis = try examine(files)
    #expect(Set(diagnosis.findings.map(\.kind)) == [.buildVariable])
    #expect(diagnosis.findings.count == 4 && diagnosis.text.hasSuffix("\nIncomplete: 4 not judged."))
    let text = diagnosis.findings.map(\.description).joined()
    for value in [
      "$(PRODUCT_BUNDLE_IDENTIFIER)", "${APP_ID}.broadcast", "$(IPHONEOS_DEPLOYMENT_TARGET)",
      "group.$(PRODUCT_BUNDLE_IDENTIFIER)",
    ] { #expect(text.contains(value)) }
    #expect(!text.contains("PRODUCT_MODULE_NAME"))
  }

  /// An invalid value for a key of an SDK, and the doctor's words about it.
  private static let wrongValues: [(key: String, value: any Sendable, text: String)] = [
    ("RTCAppGroupIdentifier", "YOUR_APP_GROUP_ID", "is 'YOUR_APP_GROUP_ID' and does not begin with 'group.'"),
    ("RTCAppGroupIdentifier", "com.example", "is 'com.example' and does not begin with 'group.'"),
    ("RTCAppGroupIdentifier", "<#App Group#>", "and contains a blank"),
    ("RTCAppGroupIdentifier", " group.com.example", "and contains a blank"),
    ("RTCAppGroupIdentifier", "group.com.example\n", "and contains a blank"),
    ("RTCAppGroupIdentifier", "", "is empty"),
    ("RTCAppGroupIdentifier", ["group.com.example"], "is a list, not a string"),
    ("RTCAppGroupIdentifier", 7, "is a number or a date, not a string"),
    ("RTCScreenSharingExtension", "YOUR_EXTENSION_ID", "not a bundle identifier"),
    ("RTCScreenSharingExtension", "broadcast", "not a bundle identifier"),
    ("RTCScreenSharingExtension", " ", "is empty"),
    ("RTCScreenSharingExtension", "com.example.app.broadcast ", "and contains a blank"),
    ("RTCScreenSharingExtension", ["id": "com.example.app.broadcast"], "is a dictionary, not a string"),
  ]

  @Test(arguments: wrongValues.indices)
  func aValueThatNoSDKCanUseIsAProblemWhateverItLooksLike(index: Int) throws {
    let (key, value, text) = Self.wrongValues[index]
    let found = try examine(Files().changed { $0.app[key] = value }).findings
    #expect(found.map(\.kind) == [.sharedGroup, .sdkValue])
    #expect(
      found.last?.description.contains("\(key) \(text)") == true
        || found.last?.description.hasSuffix(text) == true)
    guard key == "RTCAppGroupIdentifier" else { return }
    let inner = try examine(Files().changed { $0.extension[key] = value }).findings
    #expect(inner.map(\.kind) == [.sharedGroup, .sdkValue])
  }

  @Test func aValueWithAVariableIsNamedAndNotJudged() throws {
    let diagnosis = try examine(
      Files().changed {
        $0.app["RTCAppGroupIdentifier"] = "$(APP_GROUP)"
        $0.app["RTCScreenSharingExtension"] = "$(SHARE_ID)"
      })
    #expect(diagnosis.findings.map(\.kind) == [.sharedGroup, .buildVariable])
    #expect(diagnosis.findings.last?.description.contains("$(APP_GROUP), $(SHARE_ID)") == true)
    #expect(diagnosis.exitCode == .notJudged)
  }

  @Test func aKeyThatOtherCodeMayUseIsJudgedOnlyBesideItsPartner() throws {
    let alone = try examine(
      Files().changed {
        $0.app["AppGroupName"] = "My Group"
        $0.app["TeamGroup"] = "My Group"
      })
    #expect(alone.problems.isEmpty && alone.warnings.map(\.kind) == [.sdkKeys])
    let beside = try examine(
      Files().changed {
        $0.app["AppGroupName"] = "My Group"
        $0.app["ScreencastExtensionBundleId"] = "com.example.app.broadcast"
      })
    #expect(beside.problems.map(\.kind) == [.sdkValue])
  }
}
