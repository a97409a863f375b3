import TestSupport

@testable import ExtensionImport

/// Tests that an import writes new files in its package, and nothing else.
@Suite struct PackageLayoutTests: ImportSuite {
  let temporary = TemporaryFolder.ofSuite()
  private let manager = FileManager.default

  @Test func twoSourcesForOnePlaceAreRefused() throws {
    let package = folder.appending(path: "out/package")
    try write(["A.swift": "@objc class A {}\n", "A+Linux.swift": "// mine\n"])
    let failure = failure(to: package)
    #expect(failure?.exitCode == .usage)
    for name in ["A.swift", "A+Linux.swift"] {
      #expect(failure?.message.contains("\(target.path)/\(name) ") == true)
    }
    #expect(try text(target, "A+Linux.swift") == "// mine\n")
    #expect(!exists("out", in: folder))
    try write(["B.swift": "@objc class B {}\n", "B+Linux.swift/B.swift": "// mine\n"])
    try remove("A+Linux.swift", in: target)
    #expect(self.failure(to: package)?.exitCode == .cannotCreate && !exists("out", in: folder))
    for name in ["B.swift", "B+Linux.swift"] { try remove(name, in: target) }
    try write(["A+Linux.swift": "// mine\n"])
    // Next to an original that needs no changes, a file of that name is an ordinary file.
    try write(["A.swift": "class A {}\n"])
    #expect(try run(to: package).contains("2 Swift files, 2 linked"))
  }

  /// SwiftPM creates one object file per file name.
  @Test func twoFilesOfOneNameAreTaken() throws {
    try write(["A/Type.swift": "class A {}\n", "B/Type.swift": "class B {}\n"])
    _ = try run()
    #expect(try text(package, "Sources/Upload/A/Type.swift") == "class A {}\n")
    #expect(try text(package, "Sources/Upload/B+Type.swift") == "class B {}\n")
  }

  @Test(arguments: [
    "Sources", "Sources/Upload", "Sources/Upload/Support", "Tests", "Tests/UploadTests",
  ]) func aLinkInPlaceOfAFolderIsRefused(place: String) throws {
    let outside = folder.appending(path: "outside")
    try write(targetFiles)
    _ = try run()
    try remove(place, in: package)
    try write(["outside/SampleHandler.swift": "// mine\n"], in: folder)
    try link(place, to: outside.path, in: package)
    #expect(failure()?.message.hasPrefix("\(package.path)/\(place) is a link") == true)
    // A rejected import removes nothing of the earlier import.
    if place.hasPrefix("Tests") { #expect(exists("Sources/Upload/SampleHandler.swift", in: package)) }
    #expect(try manager.contentsOfDirectory(atPath: outside.path) == ["SampleHandler.swift"])
    #expect(try text(outside, "SampleHandler.swift") == "// mine\n")
  }

  @Test(
    arguments: [
      "Sources/Upload/main.swift", "Sources/Upload/Info.plist", "Sources/Upload/SampleHandler.swift",
      "Sources/Upload/Support/Heartbeat+Linux.swift", "Tests/UploadTests/UploadTests.swift",
    ], [true, false])
  func nothingIsWrittenThroughALinkInPlaceOfAFile(place: String, exists: Bool) throws {
    let outside = folder.appending(path: "outside.swift")
    try write(targetFiles)
    _ = try run()
    if exists { try Data("// mine\n".utf8).write(to: outside) }
    try remove(place, in: package)
    try link(place, to: outside.path, in: package)
    let report = try run()
    #expect(self.exists("outside.swift", in: folder) == exists)
    guard exists else { return }
    #expect(try text(folder, "outside.swift") == "// mine\n")
    #expect(report.contains(place))
  }

  @Test func aManifestThatIsALinkIsNoEarlierImport() throws {
    try write(targetFiles)
    try write(["package/mine": "", "nowhere/mine": ""], in: folder)
    try link("Package.swift", to: folder.path + "/Package.swift", in: package)
    #expect(failure()?.exitCode == .cannotCreate && !exists("Package.swift", in: folder))
  }

  @Test(arguments: ["file", "dangling", "file/package"]) func whatIsNoFolderIsNoPackage(name: String) throws {
    try write(targetFiles)
    try write(["file": "mine"], in: folder)
    try link("dangling", to: "\(folder.path)/outside", in: folder)
    #expect(failure(to: folder.appending(path: name))?.exitCode == .cannotCreate)
    #expect(try text(folder, "file") == "mine")
    #expect(!exists("outside", in: folder))
  }

  @Test func aSecondImportKeepsWhatAPersonMade() throws {
    try write(
      [
        "A.swift": "import ReplayKit\nclass A: RPBroadcastSampleHandler {}\n", "B.swift": "class B {}\n",
        "C.swift": "@objc class C {}\n",
      ])
    _ = try run()
    let sources = "Sources/Upload"
    let list = try text(package, "\(sources)/Info.plist")
    try remove("\(sources)/B.swift", in: package)
    let mine = [
      "\(sources)/Info.plist": list.replacing(
        "</dict>\n</plist>", with: "<key>Mine</key><true/>\n</dict>\n</plist>"),
      "\(sources)/main.swift": "// mine\n", "Tests/UploadTests/UploadTests.swift": "// mine\n",
      // A file that replaced a link, files that only the package has, and a copy of a copy.
      "\(sources)/B.swift": "// mine\n", "\(sources)/Mine+Linux.swift": "// mine\n",
      "\(sources)/D.swift": try text(package, "\(sources)/C+Linux.swift"),
    ]
    try write(mine, in: package)
    try Data([0xFF, 0xFE, 0x41, 0x00]).write(to: package.appending(path: "\(sources)/UTF16+Linux.swift"))
    try write(["Shared/Shared.swift": "let shared = 1\n"], in: folder)
    try link("\(sources)/Shared.swift", to: "../../../Shared/Shared.swift", in: package)
    // A link into the target that a person has made.
    try link("\(sources)/Again.swift", to: "../../../Upload/A.swift", in: package)
    let report = try run()
    #expect(exists("\(sources)/Again.swift", in: package))
    for (path, content) in mine { #expect(try text(package, path) == content, "\(path)") }
    #expect(try text(package, "\(sources)/Shared.swift") == "let shared = 1\n")
    #expect(exists("\(sources)/UTF16+Linux.swift", in: package))
    let kept = ["B.swift", "Info.plist", "main.swift"].map { "\(sources)/\($0)" }
    #expect(
      report.contains(
        "\nKept unchanged: \(kept.joined(separator: ", ")), Tests/UploadTests/UploadTests.swift. "))
    #expect(!report.contains("a minimal Info.plist was written"))
  }

  /// The links of an import are relative, because the target and the package may move.
  @Test func linksOfAnEarlierImportAreReplaced() throws {
    try write(targetFiles)
    _ = try run()
    let moved = folder.appending(path: "App/Upload")
    try manager.createDirectory(at: folder.appending(path: "App"), withIntermediateDirectories: true)
    try manager.moveItem(at: target, to: moved)
    let report = try run(moved, to: package)
    #expect(try text(package, "Sources/Upload/SampleHandler.swift") == targetFiles["SampleHandler.swift"])
    #expect(!report.contains("SampleHandler.swift,"))
    #expect(
      try text(package, ".producer-import").split(separator: "\n").sorted() == [
        "Sources/Upload/Info.plist\t../../../App/Upload/Info.plist",
        "Sources/Upload/SampleHandler.swift\t../../../App/Upload/SampleHandler.swift",
        "Sources/Upload/Support/Heartbeat+Linux.swift",
      ])
    // Links and copies of files that the target no longer has are removed, but not through a link to another folder.
    try remove("Support", in: moved)
    try write(["Other.swift": "let a = 1\n"], in: moved)
    let sources = package.appending(path: "Sources/Upload")
    let copy = "Support/Heartbeat+Linux.swift"
    #expect(exists(copy, in: sources))
    try manager.moveItem(at: sources.appending(path: "Support"), to: folder.appending(path: "Support"))
    try link("Support", to: folder.path + "/Support", in: sources)
    _ = try run(moved, to: package)
    #expect(exists(copy, in: sources))
    try remove("Other.swift", in: moved)
    _ = try run(moved, to: package)
    #expect(!exists("Sources/Upload/Other.swift", in: package))
  }

  @Test func linksLeadToTheTargetThroughAFolderThatIsALink() throws {
    try write(targetFiles)
    try manager.createDirectory(at: folder.appending(path: "deep/er/real"), withIntermediateDirectories: true)
    try link("link", to: folder.path + "/deep/er/real", in: folder)
    _ = try run(to: folder.appending(path: "link/package"))
    #expect(
      try text(folder, "link/package/Sources/Upload/SampleHandler.swift").contains("class SampleHandler"))
    // The folder of a target is also found through a link.
    try link("back", to: target.path, in: folder)
    let back = folder.appending(path: "back/package")
    #expect(failure(to: back)?.message.contains("inside the imported folder") == true)
  }

  @Test func anImportThatFailsLeavesNothing() throws {
    let package = folder.appending(path: "out/package")
    // The name of the copy is longer than a file system allows.
    try write(targetFiles)
    try write(["\(String(repeating: "n", count: 244)).swift": "@objc class A {}\n"])
    #expect(failure(to: package)?.exitCode == .cannotCreate && !exists("out", in: folder))
    try write(
      [
        "Info.plist": infoPlist.replacing(
          "$(PRODUCT_MODULE_NAME)", with: String(repeating: "m", count: 5000))
      ])
    #expect(failure(to: package)?.message.contains("too long (lstat); shorten it") == true)
    #expect(!exists("out", in: folder))
  }

  @Test func aTextThatIsNoClassIsRefused() throws {
    try write(targetFiles)
    for name in [
      "M.SampleHandler(); import Glibc; let _ = system(\"id\")", "M.a b", "M.1a", "x\ny", "a-b", "M.class",
    ] {
      try write(["Info.plist": infoPlist(principalClass: name)])
      #expect(failure()?.message.contains("not the name of a class") == true, "\(name)")
    }
    #expect(!exists("package", in: folder))
  }

  @Test func textsOfAPersonAreLiteralsInCodeAndWordsInCommands() throws {
    let name = "it's \"\\(x)\n$(id) ü"
    let (target, package) = (folder.appending(path: "\(name)/Upload"), folder.appending(path: "to \(name)"))
    try write(targetFiles, in: target)
    let emulator = folder.appending(path: "em\"u\\(1)")
    try write(["Package.swift": try Document("Package.swift").text], in: emulator)
    let report = try run(target, to: package, emulator: emulator.path)
    let literal = "it's \\\"\\\\(x)\\u{a}$(id) ü"
    #expect(
      try text(package, "Sources/Upload/Support/Heartbeat+Linux.swift").contains(
        "\n#sourceLocation(file: \"\(folder.path)/\(literal)/Upload/Support/Heartbeat.swift\", line: 1)\n"))
    #expect(try text(package, "Package.swift").contains("path: \"../em\\\"u\\\\(1)\")"))
    #expect(report.contains("\n  cd $'\(folder.path)/to it\\'s \"\\\\(x)\\012$(id) ü'\n"))
    let url = folder.appending(path: "remote")
    _ = try run(target, to: url, emulator: "file:///srv/em\"u\\(1).git@1.0.0")
    #expect(try text(url, "Package.swift").contains("package: \"em\\\"u\\\\(1)\""))
    #expect("a\"\\\u{0}".swiftLiteral == "\"a\\\"\\\\\\u{0}\"")
  }

  @Test(arguments: [
    ("ScreenCapture", "ScreenCaptureExtension"), ("BroadcastExtension", "MyBroadcastExtension"),
    ("Endurance", "EnduranceExtension"), ("class", "classExtension"), ("ReplayKit", "ReplayKitExtension"),
    ("Broadcast", "Broadcast"), ("Upload", "Upload"),
  ]) func theModuleHasANameOfItsOwn(folderName: String, module: String) throws {
    let target = folder.appending(path: folderName)
    try write(targetFiles, in: target)
    _ = try run(target)
    #expect(try manager.contentsOfDirectory(atPath: folder.path + "/package/Sources") == [module])
  }

  /// The program must accept the Info.plist unchanged.
  @Test func theHandlerHasTheNameThatTheInfoPlistGivesIt() throws {
    try write(targetFiles)
    func main(_ name: String, module: String) throws -> String {
      try write(["Info.plist": infoPlist(principalClass: name)])
      let package = folder.appending(path: "package-\(UUID())")
      _ = try run(to: package)
      return try text(package, "Sources/\(module)/main.swift")
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
    try write(targetFiles)
    func report(infoPlist: String = infoPlist, group: String? = nil) throws -> String {
      try write(["Info.plist": infoPlist])
      if let group {
        try write(
          [
            "A.entitlements":
              "<plist><dict><key>com.apple.security.application-groups</key><array><string>\(group)</string></array></dict></plist>"
          ])
      }
      return try run()
    }
    let right = try report()
    #expect(right.contains("--info-plist Sources/Upload/Info.plist --group group.com.example.info"))
    #expect(!right.contains("missing: "))
    let withoutMode = try report(
      infoPlist: infoPlist.replacing("RPBroadcastProcessMode</key>", with: "Other</key>"))
    #expect(withoutMode.contains("Info.plist has no RPBroadcastProcessMode;"))
    #expect(withoutMode.contains("\n  .build/debug/Upload --group group.com.example.info --duration 10\n"))
    let withoutGroup = infoPlist.replacing("group.com.example.info", with: "none")
    for group in ["group.&lt;your-team&gt;", "$(APP_GROUP)", "group.$(BUNDLE_ID)"] {
      let report = try report(infoPlist: withoutGroup, group: group)
      #expect(report.contains("is not a usable app group id"), "\(group)")
      #expect(report.contains("Info.plist --duration 10\n"), "\(group)")
    }
    // A valid group is used instead.
    #expect(try report().contains("--group group.com.example.info"))
  }
}
