import TestSupport

@testable import ContainerDoctor

/// Tests the doctor's findings in a built app.
@Suite struct BuiltAppTests {
  private let temporary = TemporaryFolder.ofSuite()
  private var folder: URL { temporary.url }

  private typealias Files = ConfigurationDoctorTests.Files
  private static let group = "group.com.example"

  /// Creates a valid `App.app` with the extension in `PlugIns` or in another folder.
  @discardableResult private func build(
    _ files: Files = Files(), in folder: URL, place: String = "App.app/PlugIns/Broadcast.appex"
  ) throws -> Place {
    let manager = FileManager.default
    let source = folder.appending(path: "source")
    var files = files
    let versions = ["CFBundleVersion": "7", "CFBundleShortVersionString": "1.2"]
    files.app.merge(versions) { own, _ in own }
    files.extension.merge(versions) { own, _ in own }
    files.extension.merge(["CFBundleName": "Broadcast", "CFBundleDisplayName": "Share"]) { own, _ in own }
    if files.app["CFBundleExecutable"] == nil { files.app["CFBundleExecutable"] = "App" }
    if files.extension["CFBundleExecutable"] == nil { files.extension["CFBundleExecutable"] = "Broadcast" }
    try manager.createDirectory(at: source, withIntermediateDirectories: true)
    try files.write(to: source, isBinary: true)
    for (name, path) in [("app", "App.app"), ("extension", place)] {
      let bundle = folder.appending(path: path)
      try manager.createDirectory(at: bundle, withIntermediateDirectories: true)
      try manager.copyItem(at: source.appending(path: name), to: bundle.appending(path: "Info.plist"))
      try program(signedFor: Self.group).write(
        to: bundle.appending(path: name == "app" ? "App" : "Broadcast"))
    }
    try manager.removeItem(at: source)
    return Place(folder)
  }

  private func entitlements(_ groups: [String]) throws -> Data {
    try PropertyListSerialization.data(
      fromPropertyList: ["com.apple.security.application-groups": groups], format: .xml, options: 0)
  }

  private func bigEndian(_ number: Int) -> Data {
    Data([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) })
  }

  /// Returns a program with a signature: a code directory with flags, and a blob of entitlements.
  private func program(signedFor group: String? = nil, flags: Int = 0) throws -> Data {
    var program = Data(count: 5000) + Data([0xFA, 0xDE, 0x0C, 0x02]) + bigEndian(44) + bigEndian(0x20400)
    program += bigEndian(flags) + Data(count: 28)
    guard let group else { return program }
    let list = try entitlements([group])
    return program + Data([0xFA, 0xDE, 0x71, 0x71]) + bigEndian(list.count + 8) + list + Data(count: 300)
  }

  private func kinds(_ app: String, extension: String? = nil) throws -> [Finding.Kind] {
    try ConfigurationDoctor(app: app, extension: `extension`).examine().findings.map(\.kind)
  }

  private struct Place {
    let app: String
    let appex: String
    init(_ folder: URL) {
      (app, appex) = (folder.path + "/App.app", folder.path + "/App.app/PlugIns/Broadcast.appex")
    }
    var program: URL { URL(filePath: appex + "/Broadcast") }
  }

  @Test func theSignatureDecidesAndUnknownIsNotHealthy() throws {
    let place = try build(in: folder)
    let right = try ConfigurationDoctor(app: place.app).examine()
    #expect(right.findings.map(\.kind) == [.sharedGroup] && right.exitCode == .ok)
    #expect(right.findings.first?.path == place.appex + "/Broadcast")

    // A program without a signature, with a signature of the linker alone, and with a damaged one.
    let signed = try program(signedFor: Self.group)
    for (bytes, reason) in [
      (Data("program".utf8), "its program is not signed"),
      (try program(flags: 0x20002), "its program is not signed"),
      (Data(signed.prefix(5060)), "the signature of its program is damaged"),
    ] {
      try bytes.write(to: place.program)
      let diagnosis = try ConfigurationDoctor(app: place.app).examine()
      #expect(diagnosis.findings.map(\.kind) == [.noEntitlements])
      #expect(diagnosis.findings.first?.description.contains(reason) == true)
      #expect(diagnosis.exitCode == .notJudged && diagnosis.failure?.exitCode == .notJudged)
      #expect(diagnosis.text.hasSuffix("\nIncomplete: 1 not judged."))
    }
    // Xcode's intermediate file is next to the bundle. Older versions of Xcode put it into the bundle.
    for path in [place.appex + ".xcent", place.appex + "/archived-expanded-entitlements.xcent"] {
      try entitlements([Self.group]).write(to: URL(filePath: path))
      #expect(try kinds(place.app) == [.sharedGroup])
      try entitlements(["group.other"]).write(to: URL(filePath: path))
      #expect(try kinds(place.app) == [.groupUnlike, .groupValue])
      // The final signature takes precedence over the intermediate file.
      try signed.write(to: place.program)
      #expect(try kinds(place.app) == [.sharedGroup])
      try Data("program".utf8).write(to: place.program)
    }
    // A signature without entitlements proves that there is no group.
    try program().write(to: place.program)
    #expect(try kinds(place.app) == [.groupMissing, .groupValue])
  }

  /// The program of an app contains the selectors of its calls.
  @Test func aProgramThatAsksNeedsTheTextOfTheQuestion() throws {
    let place = try build(in: folder)
    let program = URL(filePath: place.app + "/App")
    func write(_ text: String) throws {
      try (try self.program(signedFor: Self.group) + Data(text.utf8)).write(to: program)
    }
    try write("requestRecordPermission:\0_OBJC_CLASS_$_PHPhotoLibrary\0")
    #expect(try kinds(place.app) == [.sharedGroup, .noPurpose, .noPurpose])
    let url = URL(filePath: place.app + "/Info.plist")
    var info = try PropertyListFile.dictionary(url.path)
    info["NSMicrophoneUsageDescription"] = "For the call."
    info["NSPhotoLibraryAddUsageDescription"] = "To save the recording."
    try PropertyListSerialization.data(fromPropertyList: info, format: .binary, options: 0).write(to: url)
    #expect(try kinds(place.app) == [.sharedGroup])
    info["NSMicrophoneUsageDescription"] = ""
    try PropertyListSerialization.data(fromPropertyList: info, format: .binary, options: 0).write(to: url)
    let diagnosis = try ConfigurationDoctor(app: place.app).examine()
    #expect(diagnosis.findings.last?.description.contains("no NSMicrophoneUsageDescription") == true)
    #expect(diagnosis.exitCode == .ok)
  }

  @Test(.timeLimit(.minutes(10))) func aFIFOInABundleIsNotWaitedFor() throws {
    let place = try build(in: folder)
    for path in [place.appex + "/Broadcast", place.appex + "/embedded.mobileprovision"] {
      try? FileManager.default.removeItem(atPath: path)
      try makeFile(of: S_IFIFO, at: path)
    }
    #expect(throws: ProgramFailure.self) { try ConfigurationDoctor(app: place.app).examine() }
    try FileManager.default.removeItem(atPath: place.appex + "/embedded.mobileprovision")
    #expect(try kinds(place.app).contains(.noEntitlements))
  }

  @Test func aBuildForTheSimulatorHasItsEntitlementsInASection() throws {
    try build(in: folder)
    let list = try entitlements(["group.com.example"])
    func littleEndian(_ number: Int, _ count: Int) -> Data {
      Data((0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
    }
    // The header of the section, the section at 4096, and a signature without a group.
    var bytes = Data(count: 200) + Data("__entitlements\0\0__TEXT".utf8) + Data(count: 10)
    bytes += littleEndian(4096, 8) + littleEndian(list.count, 8) + littleEndian(4096, 4)
    bytes += Data(count: 4096 - bytes.count) + list + (try program(flags: 2))
    try bytes.write(to: Place(folder).program)
    #expect(try kinds(Place(folder).app) == [.sharedGroup])
  }

  @Test func aMissingProgramIsFound() throws {
    try withFolder { folder in
      let place = try build(in: folder)
      try entitlements([Self.group]).write(to: URL(filePath: place.appex + ".xcent"))
      try FileManager.default.removeItem(at: place.program)
      let diagnosis = try ConfigurationDoctor(app: place.app).examine()
      #expect(diagnosis.findings.map(\.kind) == [.noProgram, .sharedGroup])
      #expect(diagnosis.exitCode == .notInOrder && diagnosis.findings.first?.path == place.program.path)
    }
    try withFolder { folder in
      try build(Files().changed { $0.extension["CFBundleExecutable"] = "" }, in: folder)
      let diagnosis = try ConfigurationDoctor(app: Place(folder).app).examine()
      #expect(diagnosis.problems.map(\.description) == ["it has no CFBundleExecutable"])
      #expect(diagnosis.gaps.first?.description.contains("its program is not named") == true)
    }
    try withFolder { folder in
      let place = try build(in: folder)
      try entitlements([Self.group]).write(to: URL(filePath: place.app + ".xcent"))
      try FileManager.default.removeItem(atPath: place.app + "/App")
      #expect(try kinds(place.app) == [.noAppProgram, .sharedGroup])
    }
  }

  /// An invalid value of a key in the bundle of the extension or of the app, and the finding.
  private static let wrongKeys: [(key: String, value: String?, kind: Finding.Kind, text: String)] = [
    ("CFBundleVersion", "", .noVersion, "it has no CFBundleVersion"),
    ("CFBundleName", "", .noName, "it has no CFBundleName"),
    ("CFBundleDisplayName", "", .noName, "it has no CFBundleDisplayName"),
    ("CFBundleIdentifier", nil, .noIdentifier, "it has no CFBundleIdentifier"),
    ("NSExtensionPointIdentifier", "com.apple.widget", .extensionPoint, "is 'com.apple.widget'"),
  ]

  @Test(arguments: wrongKeys.indices) func aKeyThatABundleLacksOrHasWrongIsAProblem(index: Int) throws {
    let (key, value, kind, text) = Self.wrongKeys[index]
    let files = Files().changed {
      switch kind {
      case .noIdentifier: $0.app[key] = value
      // The only extension of an app is examined whatever its extension point is.
      case .extensionPoint: $0.keys[key] = value
      default: $0.extension[key] = value
      }
    }
    try build(files, in: folder)
    let diagnosis = try ConfigurationDoctor(app: Place(folder).app).examine()
    #expect(diagnosis.findings.map(\.kind) == [kind, .sharedGroup])
    #expect(diagnosis.problems.first?.description.hasSuffix(text) == true)
  }

  @Test func bundlesInTheExtensionAreAProblemAndThoseInTheAppAreNot() throws {
    let place = try build(in: folder)
    func make(_ path: String) throws {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    for path in [place.app + "/Frameworks", place.appex + "/Base.lproj", place.appex + "/Assets.bundle"] {
      try make(path)
    }
    #expect(try kinds(place.app) == [.sharedGroup])
    for (count, name) in ["PlugIns", "Frameworks"].enumerated() {
      try make(place.appex + "/" + name)
      #expect(try kinds(place.app) == Array(repeating: .nestedBundles, count: count + 1) + [.sharedGroup])
    }
  }

  @Test func aProfileIsForTheBundleAndInForce() throws {
    let place = try build(in: folder)
    func kinds(_ name: String, until end: Date) throws -> [Finding.Kind] {
      let list: [String: Any] = [
        "ExpirationDate": end,
        "Entitlements": [
          "application-identifier": "TEAM." + name, "com.apple.security.application-groups": [Self.group],
        ],
      ]
      try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0).write(
        to: URL(filePath: place.appex + "/embedded.mobileprovision"))
      return try self.kinds(place.app)
    }
    let later = Date(timeIntervalSinceNow: 86_400)
    for name in ["com.example.app.broadcast", "*", "com.example.*"] {
      #expect(try kinds(name, until: later) == [.sharedGroup], "\(name)")
    }
    for name in ["com.example.app", "com.example.app.broadcast2", "com.other.*"] {
      #expect(try kinds(name, until: later) == [.profileIdentifier, .sharedGroup], "\(name)")
    }
    #expect(try kinds("*", until: Date(timeIntervalSince1970: 0)) == [.profileExpired, .sharedGroup])
  }

  @Test func theProfileGrantsTheGroupsOfTheSignature() throws {
    let place = try build(in: folder)
    let file = URL(filePath: place.appex + "/embedded.mobileprovision")
    func grant(_ groups: [String]?) throws {
      let entitlements: [String: Any] =
        groups.map { ["com.apple.security.application-groups": $0] } ?? ["get-task-allow": true]
      let list = try PropertyListSerialization.data(
        fromPropertyList: ["Name": "Team", "Entitlements": entitlements], format: .xml, options: 0)
      try (Data([0x30, 0x82, 0x01, 0x02]) + list + Data([0, 1, 2])).write(to: file)
    }
    for groups in [[Self.group], ["group.other", Self.group]] {
      try grant(groups)
      #expect(try kinds(place.app) == [.sharedGroup])
    }
    for (groups, end) in [(["group.other"], ", but 'group.other'"), (nil, "")] as [([String]?, String)] {
      try grant(groups)
      let problems = try ConfigurationDoctor(app: place.app).examine().problems
      let text = "it does not grant 'group.com.example' of the entitlements\(end)"
      #expect(problems.map(\.description) == [text])
      #expect(problems.first?.kind == .profileGroups && problems.first?.path == file.path)
    }
    try Data("nothing".utf8).write(to: file)
    let failure = #expect(throws: ProgramFailure.self) { try kinds(place.app) }
    #expect(failure?.message == "\(file.path) is not a provisioning profile.")
  }

  @Test func anAppWithoutItsExtensionIsAProblem() throws {
    try build(in: folder, place: "Broadcast.appex")
    let (app, appex) = (folder.path + "/App.app", folder.path + "/Broadcast.appex")
    let missing = try ConfigurationDoctor(app: app).examine()
    #expect((missing.findings.map(\.kind), missing.exitCode) == ([.noExtension], .notInOrder))
    #expect(try kinds(app, extension: appex).first == .extensionOutside)
  }

  @Test func anAppWithAStreamNeedsAnExtensionForOlderPhonesAlone() throws {
    for (target, findings) in [("16.0", [Finding.Kind.noEarlierPath]), ("27.0", [])] {
      try withFolder { folder in
        let files = Files().changed {
          $0.app["UIBackgroundModes"] = ["audio", "screen-capture"]
          $0.app["MinimumOSVersion"] = target
        }
        try build(files, in: folder, place: "Broadcast.appex")
        #expect(try kinds(folder.path + "/App.app") == findings)
      }
    }
  }

  @Test func whatCannotBeExaminedIsRefusedInOneSentence() throws {
    try build(in: folder)
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
    let appex = app + "/PlugIns/Broadcast.appex"
    for (refusal, start) in [
      (failure(folder.path, list), "The folder \(folder.path) has no Info.plist;"),
      (failure(list), "\(list) does not contain the extension;"),
      (failure(appex, list), "\(appex)/Info.plist belongs to an extension;"),
    ] { #expect(refusal?.message.hasPrefix(start) == true, "\(start)") }
    try FileManager.default.copyItem(atPath: appex, toPath: app + "/PlugIns/Second.appex")
    let second = failure(app)
    #expect(second?.message.contains("extensions: 'Broadcast.appex', 'Second.appex'; ") == true)
    #expect(second?.exitCode == .usage)
  }
}
