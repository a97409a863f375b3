import CommandLineSupport
import Foundation
import TestSupport
import Testing

@testable import ContainerDoctor

/// Each finding about the files of an app and its extension has a configuration that has it and one that has not.
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
    #expect(diagnosis.findings.map(\.kind) == [.sharedGroup])
    #expect(diagnosis.failure == nil)
    #expect(diagnosis.text.hasPrefix("Configuration of ") && diagnosis.text.hasSuffix("\nHealthy."))
  }

  private static let groups = "com.apple.security.application-groups"

  /// A change of the valid configuration, and what the doctor finds then.
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
    add(.extensionPoint, "is 'com.apple.broadcast-services-setupui'") {
      $0.keys["NSExtensionPointIdentifier"] = "com.apple.broadcast-services-setupui"
    }
    add(.processMode, "RPBroadcastProcessMode is missing") { $0.keys["RPBroadcastProcessMode"] = nil }
    add(.processMode, "is 'RPBroadcastProcessModeMP4Clip'") {
      $0.keys["RPBroadcastProcessMode"] = "RPBroadcastProcessModeMP4Clip"
    }
    add(.principalClass, "is missing") { $0.keys["NSExtensionPrincipalClass"] = nil }
    add(.principalClass, "'My-Extension.SampleHandler', which is no name") {
      $0.keys["NSExtensionPrincipalClass"] = "My-Extension.SampleHandler"
    }
    add(.plainClass, "'SampleHandler', without a module") {
      $0.keys["NSExtensionPrincipalClass"] = "SampleHandler"
    }
    add(.groupMissing, "it has no entry under com.apple.security.application-groups") {
      $0.extensionEntitlements = [:]
      $0.extension["RTCAppGroupIdentifier"] = nil
    }
    add(.groupMissing, "it has no list of texts, or an empty one,") {
      $0.appEntitlements = [groups: "group.com.example"]
      $0.app["RTCAppGroupIdentifier"] = "com.example"
      $0.extension["RTCAppGroupIdentifier"] = nil
    }
    add(.groupPrefix, "'com.example.group' does not begin with 'group.'") {
      $0.appEntitlements = [groups: ["group.com.example", "com.example.group"]]
    }
    add(.groupUnlike, "the extension has 'group.com.Example', and the app has 'group.com.example'") {
      $0.extensionEntitlements = [groups: ["group.com.Example"]]
      $0.extension["RTCAppGroupIdentifier"] = nil
    }
    add(.groupValue, "TeamGroup is 'group.com.other', and the entitlements have 'group.com.example'") {
      $0.app["TeamGroup"] = "group.com.other"
    }
    add(.groupValue, "TeamGroups is 'group.com.other'") {
      $0.extension["TeamGroups"] = ["group.com.example", "group.com.other"]
    }
    add(.groupValue, "RTCAppGroupIdentifier is 'group.two', and in the app's Info.plist 'group.com.example'")
    {
      $0.extensionEntitlements = [groups: ["group.com.example", "group.two"]]
      $0.extension["RTCAppGroupIdentifier"] = "group.two"
    }
    add(.extensionValue, "is 'com.example.app.screen', and the extension is 'com.example.app.broadcast'") {
      $0.app["RTCScreenSharingExtension"] = "com.example.app.screen"
    }
    add(.extensionValue, "OwnBroadcastExtensionID is 'com.example.app.old'") {
      $0.app["OwnBroadcastExtensionID"] = "com.example.app.old"
    }
    add(.sdkKeys, "RTCScreenSharingExtension or DailyScreenCaptureExtensionBundleIdentifier is missing") {
      $0.app["RTCScreenSharingExtension"] = nil
    }
    add(.sdkKeys, "AppGroupName is missing") {
      $0.app["ScreencastExtensionBundleId"] = "com.example.app.broadcast"
    }
    add(.sdkKeys, "RTKRTCAppGroupIdentifier of RealtimeKit is in the app's Info.plist only") {
      $0.app["RTKRTCAppGroupIdentifier"] = "group.com.example"
      $0.app["RTKRTCScreenSharingExtension"] = "com.example.app.broadcast"
    }
    add(.targetAbove, "the extension needs iOS 17.4, and the app runs from iOS 16.0 on") {
      $0.extension["MinimumOSVersion"] = "17.4"
    }
    add(.targetOld, "the app runs from iOS 11 on") {
      $0.app["MinimumOSVersion"] = "11"
      $0.extension["MinimumOSVersion"] = "11"
    }
    add(.noBackgroundAudio, "UIBackgroundModes is missing") { $0.app["UIBackgroundModes"] = nil }
    add(.noBackgroundAudio, "UIBackgroundModes has 'fetch' and not 'audio'") {
      $0.app["UIBackgroundModes"] = ["fetch"]
    }
    add(.noEntitlements, "its entitlements are unknown") { $0.appEntitlements = nil }
    add(.buildVariable, "Xcode sets $(PRODUCT_BUNDLE_IDENTIFIER) when it builds") {
      $0.app["CFBundleIdentifier"] = "$(PRODUCT_BUNDLE_IDENTIFIER)"
    }
    return faults
  }()

  @Test(arguments: faults.indices)
  func eachFaultIsFoundAndNoOther(index: Int) throws {
    let (kind, text) = (Self.faults[index].kind, Self.faults[index].text)
    let diagnosis = try examine(Self.faults[index].files)
    let found = diagnosis.findings.filter { $0.kind != .sharedGroup }
    #expect(found.map(\.kind) == [kind], "\(found.map(\.description))")
    #expect(found.first?.description.contains(text) == true, "\(found.map(\.description))")
    #expect(diagnosis.exitCode == (kind.severity == .problem ? .notInOrder : .ok))
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
    #expect(diagnosis.findings.count == 4)
    let text = diagnosis.findings.map(\.description).joined()
    for value in [
      "$(PRODUCT_BUNDLE_IDENTIFIER)", "${APP_ID}.broadcast", "$(IPHONEOS_DEPLOYMENT_TARGET)",
      "group.$(PRODUCT_BUNDLE_IDENTIFIER)",
    ] {
      #expect(text.contains(value))
    }
    #expect(!text.contains("PRODUCT_MODULE_NAME"))
  }

  /// Makes `App.app` with the extension in `PlugIns`, or in another folder.
  private func build(
    _ files: Files, in folder: URL, place: String = "App.app/PlugIns/Broadcast.appex"
  ) throws {
    let manager = FileManager.default
    let source = folder.appending(path: "source")
    let bundles = ["app": folder.appending(path: "App.app"), "extension": folder.appending(path: place)]
    try manager.createDirectory(at: source, withIntermediateDirectories: true)
    try files.write(to: source, isBinary: true)
    for (name, bundle) in bundles {
      try manager.createDirectory(at: bundle, withIntermediateDirectories: true)
      try manager.copyItem(at: source.appending(path: name), to: bundle.appending(path: "Info.plist"))
    }
  }

  private func entitlements(_ group: String) throws -> Data {
    try PropertyListSerialization.data(
      fromPropertyList: [Self.groups: [group]], format: .xml, options: 0)
  }

  @Test func aBuiltAppIsExaminedWithItsExtensionAndItsEntitlements() throws {
    try withFolder { folder in
      var files = Files()
      files.extension["CFBundleExecutable"] = "Broadcast"
      try build(files, in: folder)
      let (app, appex) = (folder.path + "/App.app", folder.path + "/App.app/PlugIns/Broadcast.appex")
      let doctor = ConfigurationDoctor(app: app)
      #expect(try doctor.examine().findings.map(\.kind) == [.noEntitlements, .noEntitlements])

      // In the file of older versions of Xcode, and in the signature of the program.
      let entitlements = try entitlements("group.com.example")
      try entitlements.write(to: URL(filePath: app + "/archived-expanded-entitlements.xcent"))
      var program = Data(count: 5000) + Data([0xFA, 0xDE, 0x71, 0x71])
      program += Data([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: (entitlements.count + 8) >> $0) })
      program += entitlements + Data(count: 300)
      try program.write(to: URL(filePath: appex + "/Broadcast"))
      let diagnosis = try doctor.examine()
      #expect(diagnosis.findings.map(\.kind) == [.sharedGroup])
      #expect(diagnosis.findings.first?.path == appex + "/Broadcast")

      // A damaged signature is unknown.
      try program.prefix(5009).write(to: URL(filePath: appex + "/Broadcast"))
      #expect(try doctor.examine().findings.map(\.kind) == [.noEntitlements])
      // Xcode's intermediate file is beside the bundle.
      try self.entitlements("group.other").write(to: URL(filePath: appex + ".xcent"))
      #expect(try doctor.examine().findings.map(\.kind) == [.groupUnlike, .groupValue])
    }
  }

  @Test func anAppWithoutItsExtensionIsAProblem() throws {
    try withFolder { folder in
      try build(Files(), in: folder, place: "Broadcast.appex")
      let (app, appex) = (folder.path + "/App.app", folder.path + "/Broadcast.appex")
      let missing = try ConfigurationDoctor(app: app).examine()
      #expect(missing.findings.map(\.kind) == [.noExtension, .noEntitlements])
      #expect(missing.exitCode == .notInOrder)
      let outside = try ConfigurationDoctor(app: app, extension: appex).examine()
      #expect(outside.findings.map(\.kind).first == .extensionOutside)
    }
  }

  @Test func aBuiltAppWithoutAnIdentifierIsAProblem() throws {
    try withFolder { folder in
      try build(Files().changed { $0.app["CFBundleIdentifier"] = nil }, in: folder)
      let findings = try ConfigurationDoctor(app: folder.path + "/App.app").examine().findings
      #expect(findings.map(\.kind) == [.noIdentifier, .noEntitlements, .noEntitlements])
    }
  }

  @Test func theOnlyExtensionOfAnAppIsExaminedWhateverItsPoint() throws {
    try withFolder { folder in
      try build(Files().changed { $0.keys["NSExtensionPointIdentifier"] = "com.apple.widget" }, in: folder)
      let diagnosis = try ConfigurationDoctor(app: folder.path + "/App.app").examine()
      #expect(diagnosis.findings.map(\.kind).contains(.extensionPoint))
      #expect(!diagnosis.findings.map(\.kind).contains(.noExtension))
    }
  }

  @Test func whatCannotBeExaminedIsRefusedInOneSentence() throws {
    try withFolder { folder in
      try build(Files(), in: folder)
      let app = folder.path + "/App.app"
      let list = app + "/Info.plist"
      func failure(_ app: String, _ extension: String? = nil) -> ProgramFailure? {
        #expect(throws: ProgramFailure.self) {
          try ConfigurationDoctor(app: app, extension: `extension`).examine()
        }
      }
      try Data("no list".utf8).write(to: folder.appending(path: "text"))
      let (text, missing) = (folder.path + "/text", folder.path + "/missing")
      #expect(failure(missing, list)?.exitCode == .inputOutput)
      #expect(failure(missing, list)?.message.contains(missing) == true)
      #expect(failure(text, list)?.message == "\(text) is not a property list.")
      #expect(failure(app, missing)?.exitCode == .inputOutput)
      #expect(
        failure(folder.path, list)?.message
          == "The folder \(folder.path) has no Info.plist; name a built .app or .appex, or the file of an Info.plist."
      )
      #expect(
        failure(list)?.message
          == "\(list) does not contain its extension; name its Info.plist with --extension.")
      let appex = app + "/PlugIns/Broadcast.appex"
      #expect(
        failure(appex, list)?.message
          == "\(appex)/Info.plist belongs to an extension; name the app with --app.")
      try FileManager.default.copyItem(atPath: appex, toPath: app + "/PlugIns/Second.appex")
      #expect(
        failure(app)?.message
          == "\(app) contains 2 broadcast upload extensions: 'Broadcast.appex', 'Second.appex'; "
          + "choose one with --extension.")
      #expect(failure(app)?.exitCode == .usage)
    }
  }
}
