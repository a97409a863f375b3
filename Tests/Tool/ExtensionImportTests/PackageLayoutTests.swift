import CommandLineSupport
import Foundation
import TestSupport
import Testing

@testable import ExtensionImport

/// An import writes new files in its package, and nothing else.
@Suite struct PackageLayoutTests {
  private let temporary = TemporaryFolder.ofSuite()
  private var folder: URL { temporary.url }
  private var target: URL { folder.appending(path: "Upload") }
  private var package: URL { folder.appending(path: "package") }

  private let imports = ExtensionImportTests()
  private let manager = FileManager.default

  private func failure(_ body: () throws -> String) -> ProgramFailure? {
    #expect(throws: ProgramFailure.self) { try body() }
  }

  private func exists(_ file: URL) -> Bool {
    // A link counts, also one that leads nowhere.
    (try? manager.attributesOfItem(atPath: file.path)) != nil
  }

  @Test func twoSourcesForOnePlaceAreRefused() throws {
    let (target, package) = (folder.appending(path: "Upload"), folder.appending(path: "out/package"))
    try imports.write(["A.swift": "@objc class A {}\n", "A+Linux.swift": "// mine\n"], in: target)
    let failure = failure { try imports.run(target, to: package) }
    #expect(failure?.exitCode == .usage)
    for name in ["A.swift", "A+Linux.swift"] {
      #expect(failure?.message.contains("\(target.path)/\(name) ") == true)
    }
    #expect(try imports.text(target, "A+Linux.swift") == "// mine\n")
    #expect(!exists(folder.appending(path: "out")))
    try imports.write(["B.swift": "@objc class B {}\n", "B+Linux.swift/B.swift": "// mine\n"], in: target)
    try manager.removeItem(at: target.appending(path: "A+Linux.swift"))
    #expect(self.failure { try imports.run(target, to: package) }?.exitCode == .cannotCreate)
    #expect(!exists(folder.appending(path: "out")))
    for name in ["B.swift", "B+Linux.swift"] { try manager.removeItem(at: target.appending(path: name)) }
    try imports.write(["A+Linux.swift": "// mine\n"], in: target)
    // A file of that name beside an original without changes is an ordinary one.
    try imports.write(["A.swift": "class A {}\n"], in: target)
    #expect(try imports.run(target, to: package).contains("2 Swift files, 2 linked"))
  }

  /// SwiftPM makes one object file for each name.
  @Test func twoFilesOfOneNameAreTaken() throws {
    try imports.write(["A/Type.swift": "class A {}\n", "B/Type.swift": "class B {}\n"], in: target)
    _ = try imports.run(target, to: package)
    #expect(try imports.text(package, "Sources/Upload/A/Type.swift") == "class A {}\n")
    #expect(try imports.text(package, "Sources/Upload/B+Type.swift") == "class B {}\n")
  }

  @Test(arguments: [
    "Sources", "Sources/Upload", "Sources/Upload/Support", "Tests", "Tests/UploadTests",
  ]) func aLinkInPlaceOfAFolderIsRefused(place: String) throws {
    let outside = folder.appending(path: "outside")
    try imports.write(ExtensionImportTests.files, in: target)
    _ = try imports.run(target, to: package)
    try manager.removeItem(at: package.appending(path: place))
    try imports.write(["outside/SampleHandler.swift": "// mine\n"], in: folder)
    try manager.createSymbolicLink(at: package.appending(path: place), withDestinationURL: outside)
    let failure = failure { try imports.run(target, to: package) }
    #expect(failure?.message.hasPrefix("\(package.path)/\(place) is a link") == true)
    // An import that is refused removes nothing of the earlier one.
    if place.hasPrefix("Tests") {
      #expect(exists(package.appending(path: "Sources/Upload/SampleHandler.swift")))
    }
    #expect(try manager.contentsOfDirectory(atPath: outside.path) == ["SampleHandler.swift"])
    #expect(try imports.text(outside, "SampleHandler.swift") == "// mine\n")
  }

  @Test(
    arguments: [
      "Sources/Upload/main.swift", "Sources/Upload/Info.plist", "Sources/Upload/SampleHandler.swift",
      "Sources/Upload/Support/Heartbeat+Linux.swift", "Tests/UploadTests/UploadTests.swift",
    ], [true, false])
  func nothingIsWrittenThroughALinkInPlaceOfAFile(place: String, exists: Bool) throws {
    let outside = folder.appending(path: "outside.swift")
    try imports.write(ExtensionImportTests.files, in: target)
    _ = try imports.run(target, to: package)
    if exists { try Data("// mine\n".utf8).write(to: outside) }
    try manager.removeItem(at: package.appending(path: place))
    try manager.createSymbolicLink(at: package.appending(path: place), withDestinationURL: outside)
    let report = try imports.run(target, to: package)
    #expect(self.exists(outside) == exists)
    guard exists else { return }
    #expect(try imports.text(folder, "outside.swift") == "// mine\n")
    #expect(report.contains(place))
  }

  @Test func aManifestThatIsALinkIsNoEarlierImport() throws {
    try imports.write(ExtensionImportTests.files, in: target)
    try imports.write(["package/mine": "", "nowhere/mine": ""], in: folder)
    try manager.createSymbolicLink(
      at: package.appending(path: "Package.swift"),
      withDestinationURL: folder.appending(path: "Package.swift"))
    #expect(failure { try imports.run(target, to: package) }?.exitCode == .cannotCreate)
    #expect(!exists(folder.appending(path: "Package.swift")))
  }

  @Test(arguments: ["file", "dangling", "file/package"]) func whatIsNoFolderIsNoPackage(name: String) throws {
    try imports.write(ExtensionImportTests.files, in: target)
    try imports.write(["file": "mine"], in: folder)
    try manager.createSymbolicLink(
      atPath: folder.path + "/dangling", withDestinationPath: folder.path + "/outside")
    let failure = failure { try imports.run(target, to: folder.appending(path: name)) }
    #expect(failure?.exitCode == .cannotCreate)
    #expect(try imports.text(folder, "file") == "mine")
    #expect(!exists(folder.appending(path: "outside")))
  }

  @Test func aSecondImportKeepsWhatAPersonMade() throws {
    try imports.write(
      [
        "A.swift": "import ReplayKit\nclass A: RPBroadcastSampleHandler {}\n", "B.swift": "class B {}\n",
        "C.swift": "@objc class C {}\n",
      ], in: target)
    _ = try imports.run(target, to: package)
    let sources = "Sources/Upload"
    let list = try imports.text(package, "\(sources)/Info.plist")
    try manager.removeItem(at: package.appending(path: "\(sources)/B.swift"))
    let mine = [
      "\(sources)/Info.plist": list.replacing(
        "</dict>\n</plist>", with: "<key>Mine</key><true/>\n</dict>\n</plist>"),
      "\(sources)/main.swift": "// mine\n", "Tests/UploadTests/UploadTests.swift": "// mine\n",
      // A file in place of a link, files of the package alone, and a copy of a copy.
      "\(sources)/B.swift": "// mine\n", "\(sources)/Mine+Linux.swift": "// mine\n",
      "\(sources)/D.swift": try imports.text(package, "\(sources)/C+Linux.swift"),
    ]
    try imports.write(mine, in: package)
    try Data([0xFF, 0xFE, 0x41, 0x00]).write(to: package.appending(path: "\(sources)/UTF16+Linux.swift"))
    try imports.write(["Shared/Shared.swift": "let shared = 1\n"], in: folder)
    try manager.createSymbolicLink(
      atPath: "\(package.path)/\(sources)/Shared.swift", withDestinationPath: "../../../Shared/Shared.swift"
    )
    // A link into the target that a person made.
    try manager.createSymbolicLink(
      atPath: "\(package.path)/\(sources)/Again.swift", withDestinationPath: "../../../Upload/A.swift")
    let report = try imports.run(target, to: package)
    #expect(exists(package.appending(path: "\(sources)/Again.swift")))
    for (path, text) in mine { #expect(try imports.text(package, path) == text, "\(path)") }
    #expect(try imports.text(package, "\(sources)/Shared.swift") == "let shared = 1\n")
    #expect(exists(package.appending(path: "\(sources)/UTF16+Linux.swift")))
    #expect(
      report.contains(
        "\nKept as they are: \(sources)/B.swift, \(sources)/Info.plist, \(sources)/main.swift, "
          + "Tests/UploadTests/UploadTests.swift. This import would write them otherwise; remove a file to get it "
          + "anew.\n"))
    #expect(!report.contains("a short one was written"))
  }

  /// The links of an import are relative: the target may move, and the package.
  @Test func linksOfAnEarlierImportAreReplaced() throws {
    try imports.write(ExtensionImportTests.files, in: target)
    _ = try imports.run(target, to: package)
    let moved = folder.appending(path: "App/Upload")
    try manager.createDirectory(at: folder.appending(path: "App"), withIntermediateDirectories: true)
    try manager.moveItem(at: target, to: moved)
    let report = try imports.run(moved, to: package)
    #expect(
      try imports.text(package, "Sources/Upload/SampleHandler.swift")
        == ExtensionImportTests.files["SampleHandler.swift"])
    #expect(!report.contains("SampleHandler.swift,"))
    #expect(
      try imports.text(package, ".producer-import").split(separator: "\n").sorted() == [
        "Sources/Upload/Info.plist\t../../../App/Upload/Info.plist",
        "Sources/Upload/SampleHandler.swift\t../../../App/Upload/SampleHandler.swift",
        "Sources/Upload/Support/Heartbeat+Linux.swift",
      ])
    // Links and copies of files that the target has no more go, but not through a link to another folder.
    try manager.removeItem(at: moved.appending(path: "Support"))
    try imports.write(["Other.swift": "let a = 1\n"], in: moved)
    let support = package.appending(path: "Sources/Upload/Support")
    let copy = support.appending(path: "Heartbeat+Linux.swift")
    #expect(exists(copy))
    try manager.moveItem(at: support, to: folder.appending(path: "Support"))
    try manager.createSymbolicLink(at: support, withDestinationURL: folder.appending(path: "Support"))
    _ = try imports.run(moved, to: package)
    #expect(exists(copy))
    try manager.removeItem(at: moved.appending(path: "Other.swift"))
    _ = try imports.run(moved, to: package)
    #expect(!exists(package.appending(path: "Sources/Upload/Other.swift")))
  }

  @Test func linksLeadToTheTargetThroughAFolderThatIsALink() throws {
    try imports.write(ExtensionImportTests.files, in: folder.appending(path: "Upload"))
    try manager.createDirectory(
      at: folder.appending(path: "deep/er/real"), withIntermediateDirectories: true)
    try manager.createSymbolicLink(
      at: folder.appending(path: "link"), withDestinationURL: folder.appending(path: "deep/er/real"))
    _ = try imports.run(folder.appending(path: "Upload"), to: folder.appending(path: "link/package"))
    #expect(
      try imports.text(folder, "link/package/Sources/Upload/SampleHandler.swift").contains(
        "class SampleHandler"))
    // The folder of a target is found through a link, too.
    try manager.createSymbolicLink(
      at: folder.appending(path: "back"), withDestinationURL: folder.appending(path: "Upload"))
    #expect(
      failure {
        try imports.run(folder.appending(path: "Upload"), to: folder.appending(path: "back/package"))
      }?
      .message.contains("which is imported") == true)
  }

  @Test func anImportThatFailsLeavesNothing() throws {
    let (target, package) = (folder.appending(path: "Upload"), folder.appending(path: "out/package"))
    // The name of the copy is longer than a file system allows.
    try imports.write(ExtensionImportTests.files, in: target)
    try imports.write(["\(String(repeating: "n", count: 244)).swift": "@objc class A {}\n"], in: target)
    #expect(failure { try imports.run(target, to: package) }?.exitCode == .cannotCreate)
    #expect(!exists(folder.appending(path: "out")))
    try imports.write(
      [
        "Info.plist": ExtensionImportTests.infoPlist.replacing(
          "$(PRODUCT_MODULE_NAME)", with: String(repeating: "m", count: 5000))
      ], in: target)
    #expect(
      failure { try imports.run(target, to: package) }?.message.contains(
        "too long (lstat); shorten it: a name has at most 255 bytes") == true)
    #expect(!exists(folder.appending(path: "out")))
  }

  @Test func aTextThatIsNoClassIsRefused() throws {
    try imports.write(ExtensionImportTests.files, in: target)
    for name in [
      "M.SampleHandler(); import Glibc; let _ = system(\"id\")", "M.a b", "M.1a", "x\ny", "a-b", "M.class",
    ] {
      try imports.write(
        [
          "Info.plist": ExtensionImportTests.infoPlist.replacing(
            "$(PRODUCT_MODULE_NAME).SampleHandler", with: name)
        ], in: target)
      #expect(
        failure { try imports.run(target, to: package) }?.message.contains("which is no name of a class")
          == true,
        "\(name)")
    }
    #expect(!exists(package))
  }

  @Test func textsOfAPersonAreLiteralsInCodeAndWordsInCommands() throws {
    let name = "it's \"\\(x)\n$(id) ü"
    let (target, package) = (folder.appending(path: "\(name)/Upload"), folder.appending(path: "to \(name)"))
    try imports.write(ExtensionImportTests.files, in: target)
    let emulator = folder.appending(path: "em\"u\\(1)")
    try imports.write(["Package.swift": try Document("Package.swift").text], in: emulator)
    let report = try imports.run(target, to: package, emulator: emulator.path)
    let literal = "it's \\\"\\\\(x)\\u{a}$(id) ü"
    #expect(
      try imports.text(package, "Sources/Upload/Support/Heartbeat+Linux.swift").contains(
        "\n#sourceLocation(file: \"\(folder.path)/\(literal)/Upload/Support/Heartbeat.swift\", line: 1)\n"))
    #expect(try imports.text(package, "Package.swift").contains("path: \"../em\\\"u\\\\(1)\")"))
    #expect(report.contains("\n  cd $'\(folder.path)/to it\\'s \"\\\\(x)\\012$(id) ü'\n"))
    let url = folder.appending(path: "remote")
    _ = try imports.run(target, to: url, emulator: "file:///srv/em\"u\\(1).git@1.0.0")
    #expect(try imports.text(url, "Package.swift").contains("package: \"em\\\"u\\\\(1)\""))
    #expect("a\"\\\u{0}".swiftLiteral == "\"a\\\"\\\\\\u{0}\"")
  }

  @Test(arguments: [
    ("ScreenCapture", "ScreenCaptureExtension"), ("BroadcastExtension", "MyBroadcastExtension"),
    ("Endurance", "EnduranceExtension"), ("class", "classExtension"), ("ReplayKit", "ReplayKitExtension"),
    ("Broadcast", "Broadcast"), ("Upload", "Upload"),
  ]) func theModuleHasANameOfItsOwn(folderName: String, module: String) throws {
    let target = folder.appending(path: folderName)
    try imports.write(ExtensionImportTests.files, in: target)
    _ = try imports.run(target, to: package)
    #expect(try manager.contentsOfDirectory(atPath: folder.path + "/package/Sources") == [module])
  }

  /// The program accepts the Info.plist as it is.
  @Test func theHandlerHasTheNameThatTheInfoPlistGivesIt() throws {
    try imports.write(ExtensionImportTests.files, in: target)
    func main(_ name: String, module: String) throws -> String {
      try imports.write(
        [
          "Info.plist": ExtensionImportTests.infoPlist.replacing(
            "$(PRODUCT_MODULE_NAME).SampleHandler", with: name)
        ], in: target)
      let package = folder.appending(path: "package-\(UUID())")
      _ = try imports.run(target, to: package)
      return try imports.text(package, "Sources/\(module)/main.swift")
    }
    for (name, module) in [
      ("BroadcastExtension.SampleHandler", "MyBroadcastExtension"),
      ("My-App.SampleHandler", "My_App"), ("$(A)$(B).SampleHandler", "Upload"),
    ] {
      #expect(
        try main(name, module: module).contains(
          "run([PrincipalClass(SampleHandler(), objectiveCName: \"\(name)\")])"))
    }
    for (name, module) in [
      ("${PRODUCT_MODULE_NAME}.SampleHandler", "Upload"), ("MyApp.SampleHandler", "MyApp"),
      ("$(PRODUCT_NAME:c99extidentifier).SampleHandler", "Upload"),
      ("SampleHandler", "Upload"),
    ] {
      #expect(try main(name, module: module).contains("run(SampleHandler())"))
    }
  }

  @Test func theCommandNamesOnlyWhatTheProgramAccepts() throws {
    try imports.write(ExtensionImportTests.files, in: target)
    func report(infoPlist: String = ExtensionImportTests.infoPlist, group: String? = nil) throws -> String {
      try imports.write(["Info.plist": infoPlist], in: target)
      if let group {
        try imports.write(
          [
            "A.entitlements":
              "<plist><dict><key>com.apple.security.application-groups</key><array><string>\(group)</string></array></dict></plist>"
          ], in: target)
      }
      return try imports.run(target, to: package)
    }
    let right = try report()
    #expect(right.contains("--info-plist Sources/Upload/Info.plist --group group.com.example.info"))
    #expect(!right.contains("missing: "))
    let withoutMode = try report(
      infoPlist: ExtensionImportTests.infoPlist.replacing(
        "RPBroadcastProcessMode</key>", with: "Other</key>"))
    #expect(withoutMode.contains("Info.plist has no RPBroadcastProcessMode;"))
    #expect(withoutMode.contains("\n  .build/debug/Upload --group group.com.example.info --duration 10\n"))
    let withoutGroup = ExtensionImportTests.infoPlist.replacing("group.com.example.info", with: "none")
    for group in ["group.&lt;your-team&gt;", "$(APP_GROUP)", "group.$(BUNDLE_ID)"] {
      let report = try report(infoPlist: withoutGroup, group: group)
      #expect(report.contains("is no app group that exists here"), "\(group)")
      #expect(report.contains("Info.plist --duration 10\n"), "\(group)")
    }
    // One that is right is taken instead.
    #expect(try report().contains("--group group.com.example.info"))
  }
}
