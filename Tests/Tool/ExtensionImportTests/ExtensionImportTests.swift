import TestSupport

@testable import ExtensionImport

/// Tests packages that are created from the folder of an Xcode target.
@Suite struct ExtensionImportTests: ImportSuite {
  let temporary = TemporaryFolder.ofSuite()

  @Test func aTargetBecomesAPackageOfLinksAndCopies() throws {
    let (target, package) = (folder.appending(path: "My Upload"), folder.appending(path: "out/package"))
    try write(targetFiles, in: target)
    let report = try run(target, to: package)
    let sources = package.appending(path: "Sources/My_Upload")
    for name in ["SampleHandler.swift", "Info.plist"] {
      let goal = try FileManager.default.destinationOfSymbolicLink(atPath: "\(sources.path)/\(name)")
      #expect(goal == "../../../../My Upload/\(name)")
      #expect(try text(sources, name) == targetFiles[name])
    }
    let copy = try text(sources, "Support/Heartbeat+Linux.swift").split(separator: "\n", maxSplits: 2)
    #expect(copy[1].hasPrefix("#sourceLocation(file: \"\(target.path)/Support/Heartbeat.swift\", line: 1)"))
    #expect(copy[2].hasPrefix("#if (os(iOS) || os(Linux))\nimport CoreFoundation\n"))
    #expect(copy[2].contains("selector: Selector(Heartbeat.tick)"))
    #expect(
      try text(sources, "main.swift")
        == "import BroadcastExtension\n\nBroadcastExtensionMain.run(SampleHandler())\n")
    #expect(try text(package, "Tests/My_UploadTests/My_UploadTests.swift").contains("group.com.example.info"))
    #expect(try text(package, "Package.swift").contains(".package(name: \"broadcast-emulator\", path: \""))
    #expect(
      report.missing(
        "2 Swift files, 1 linked, 1 copied with changes, from My Upload.",
        "changed: #selector, 2 x: Support/Heartbeat.swift:8, Support/Heartbeat.swift:10.",
        "changed: @objc, 2 x: Support/Heartbeat.swift:12, Support/Heartbeat.swift:13.",
        "--info-plist Sources/My_Upload/Info.plist --group group.com.example.info ") == [])
    #expect(!report.contains("missing"))
  }

  @Test func aSecondImportBringsTheSourcesUpToDateAndKeepsTheRest() throws {
    try write(targetFiles)
    _ = try run()
    try write(
      [
        "Package.swift": try text(package, "Package.swift") + "// mine",
        "Sources/Upload/Mine.swift": "// mine",
      ], in: package)
    try remove("Support", in: target)
    try write(
      ["SampleHandler.swift": "import ReplayKit\n@objc class SampleHandler: RPBroadcastSampleHandler {}\n"],
      in: target)
    let report = try run()
    #expect(report.contains("Kept unchanged: Package.swift. This import would write them differently; "))
    #expect(try text(package, "Package.swift").hasSuffix("// mine"))
    #expect(try text(package, "Sources/Upload/Mine.swift") == "// mine")
    #expect(try text(package, "Sources/Upload/SampleHandler+Linux.swift").contains("\nclass SampleHandler"))
    #expect(!exists("Sources/Upload/Support/Heartbeat+Linux.swift", in: package))
    // The original was not overwritten through the link.
    #expect(try text(target, "SampleHandler.swift").contains("@objc class"))
  }

  @Test func whatIsMissingIsNamedWithCounts() throws {
    try write(
      [
        "A.swift":
          "import LiveKit\nimport Missing\nimport CoreML\nclass Handler: LKSampleHandler, P { var a: MLModel? }\n",
        "B.swift": "import LiveKit\n@objc protocol P { @objc optional func f() }\n",
        "Upload-Bridging-Header.h": "", "Helper.m": "", "Model.bin": "",
        "Assets.xcassets/Contents.json": "{}",
      ])
    let report = try run()
    #expect(
      report.missing(
        "missing: import LiveKit, 2 x: A.swift:1, B.swift:1: LiveKit cannot run here",
        "missing: import Missing, 1 x: A.swift:2:",
        "Missing cannot run here; test the code around it: put '#if canImport(Missing)' around its use, or give its "
          + "sources with --add Missing=PATH.",
        "1 x: A.swift:3: there is no stand-in; use instead: send the pictures to the app",
        "missing: 2 files of other languages: Helper.m, Upload-Bridging-Header.h;",
        "not imported: 2 resources: Assets.xcassets, Model.bin.",
        "missing: the target has no Info.plist of an extension; a minimal Info.plist was written.",
        "to edit: B.swift:2: 'optional' needs Objective-C") == [])
    #expect(try text(folder, "package/Sources/Upload/main.swift").contains("run(Handler())"))
  }

  @Test func anInfoPlistThatIsWrittenNamesTheHandler() throws {
    try write(["A.swift": "class Uploader: RPBroadcastSampleHandler {}\n"])
    _ = try run()
    let list = try text(package, "Sources/Upload/Info.plist")
    #expect(list.contains("$(PRODUCT_MODULE_NAME).Uploader<"))
  }

  @Test func theInfoPlistDecidesModuleAndClass() throws {
    func imported(_ principalClass: String) throws -> (module: String, main: String) {
      try write(
        [
          "Info.plist": infoPlist(principalClass: principalClass),
          "A.swift":
            "import WebRTC\n@objc(Upload) class Handler: RPBroadcastSampleHandler {}\nclass B: RPBroadcastSampleHandler {}",
        ])
      let package = folder.appending(path: "package-\(principalClass)")
      _ = try run(to: package)
      let module = try FileManager.default.contentsOfDirectory(atPath: package.path + "/Sources")[0]
      #expect(
        try text(package, "Package.swift").contains(
          ".product(name: \"WebRTC\", package: \"broadcast-emulator\")"))
      return (module, try text(package, "Sources/\(module)/main.swift"))
    }
    let literal = try imported("ScreenUpload.B")
    let report = try run(to: folder.appending(path: "package-ScreenUpload.B"))
    #expect(!report.contains("missing: no file has the class"))
    #expect(literal.module == "ScreenUpload" && literal.main.contains("run(B())"))
    _ = try imported("Upload.Elsewhere")
    let other = try run(to: folder.appending(path: "package-Upload.Elsewhere"))
    #expect(other.contains("missing: no file has the class Elsewhere that the Info.plist names"))
    let objectiveC = try imported("Upload")
    #expect(objectiveC.main.contains("run([PrincipalClass(Handler(), objectiveCName: \"Upload\")])"))
  }

  /// Xcode 8's template has both handlers, and its Info.plist names the handler of movie files.
  @Test func theHandlerOfMovieFilesIsNotRun() throws {
    try write([
      "Info.plist": infoPlist(principalClass: "$(PRODUCT_MODULE_NAME).MovieClipHandler"),
      "MovieClipHandler.swift": "class MovieClipHandler: RPBroadcastMP4ClipHandler {}\n",
      "SampleHandler.swift": "class SampleHandler: RPBroadcastSampleHandler {}\n",
    ])
    _ = try run()
    #expect(try text(package, "Sources/Upload/main.swift").contains("run(SampleHandler())"))
  }

  @Test func aMarkOfTheByteOrderIsNotCopied() throws {
    try write(["A.swift": "\u{FEFF}import ReplayKit\n@objc class A: RPBroadcastSampleHandler {}\n"])
    _ = try run()
    let copy = try text(folder, "package/Sources/Upload/A+Linux.swift")
    #expect(
      !copy.unicodeScalars.contains("\u{FEFF}") && copy.hasSuffix("\nclass A: RPBroadcastSampleHandler {}\n"))
  }

  @Test func furtherFilesAndFoldersBelongToTheTarget() throws {
    try write(targetFiles)
    try write(
      ["Shared/Names.swift": "let name = 1\n", "Extra.swift": "@testable import Shared\nlet extra = 1\n"],
      in: folder)
    let report = try run(additions: [folder.path + "/Shared", folder.path + "/Extra.swift"])
    #expect(report.contains("4 Swift files, 2 linked"))
    #expect(report.contains("changed: import Shared, 1 x: Extra.swift:1.") && !report.contains("missing"))
    #expect(try text(folder, "package/Sources/Upload/Shared/Names.swift") == "let name = 1\n")
    // The folder of a module may have another name.
    try FileManager.default.moveItem(
      at: folder.appending(path: "Shared"), to: folder.appending(path: "Sources=x"))
    let other = try run(additions: ["Shared=\(folder.path)/Sources=x", folder.path + "/Extra.swift"])
    #expect(other.contains("changed: import Shared, 1 x: Extra.swift:1.") && !other.contains("missing"))
    #expect(try text(folder, "package/Sources/Upload/Shared/Names.swift") == "let name = 1\n")
  }

  /// An open class of a framework is for subclasses, and may trap when it is created.
  @Test func aClassThatHasSubclassesIsNotTheHandler() throws {
    let open = "open class Base: RPBroadcastSampleHandler { public override init() { fatalError() } }\n"
    try write(["A.swift": open, "B.swift": "class Mine: Base {}\nclass Own: MySampleHandler {}\n"])
    _ = try run()
    #expect(try text(package, "Sources/Upload/main.swift").contains("run(Own())"))
    try write(["B.swift": "class MySampleHandler: Base {}\n"])
    let report = try run(to: folder.appending(path: "alone"))
    #expect(report.contains("missing: the class Base is open, so the handler is probably a subclass;"))
  }

  /// The workflow of a package contains its names, and installs the libraries that its code needs.
  @Test func theWorkflowIsThatOfTheExamplesWithTheLibrariesOfTheCode() throws {
    let example = try Document("Docs/Examples/github-actions.yml").text
    func workflow(_ code: String, to name: String = "MyExtension") throws -> String {
      try write(targetFiles.merging(["Code.swift": code]) { $1 }, in: target)
      let package = folder.appending(path: "\(UUID())/\(name)")
      _ = try run(to: package)
      return try text(package, "github-actions.yml")
    }
    let all = try workflow("let a = image.jpegData(compressionQuality: 1), b = AVAssetWriter.self\n")
    #expect(
      all
        == example.replacing("debug/MyExtension", with: "debug/Upload").replacing(
          "Sources/MyExtension/Info.plist", with: "Sources/Upload/Info.plist --group group.com.example.info"))
    #expect(try workflow("let b = AVAssetWriter.self\n").contains("apt-get install -y ffmpeg\n"))
    let none = try workflow("")
    #expect(
      !none.contains("apt-get") && none.contains("          submodules: true\n      - uses: actions/cache"))
    // A name that YAML would parse differently is replaced.
    #expect(try workflow("", to: "a: b").contains("working-directory: Upload\n"))
  }

  /// The test of a handler that sends to a socket contains the app's end of the socket.
  @Test(arguments: [
    "var a = sockaddr_un(); open", "let a = NWConnection(to: .unix(path: p), using: .tcp); open",
  ])
  func theTestPlaysTheAppOfASocket(call: String) throws {
    try write(
      targetFiles.merging([
        "Socket.swift": "func f(_ url: URL) { \(call)(url.appendingPathComponent(\"rtc_SSFD\")) }\n"
      ]) { $1 }, in: target)
    _ = try run()
    let tests = package.appending(path: "Tests/UploadTests")
    #expect(
      try text(tests, "UploadTests.swift").contains(
        "AppSocket(path: broadcast.containerFolder + \"/rtc_SSFD\")"))
    #expect(
      try text(tests, "AppSocket.swift") == Document("Docs/Examples/Tests/HandlerTests/AppSocket.swift").text)
    // The handler of a placeholder group has no container.
    try write(["Info.plist": infoPlist.replacing("group.com.example.info", with: "group.")])
    let other = folder.appending(path: "other")
    _ = try run(to: other)
    #expect(try !text(other, "Tests/UploadTests/UploadTests.swift").contains("AppSocket"))
  }

  @Test func whatIsNoTargetIsRefusedWithTheWayOut() throws {
    let target = folder.appending(path: "App/Upload")
    try write(targetFiles, in: target)
    try write(
      ["App/App.xcodeproj/project.pbxproj": "", "Only/A.m": "", "Full/file": "", "Empty/README.md": ""],
      in: folder)
    func failure(_ name: String, to package: String = "package", emulator: String? = nil) -> ProgramFailure? {
      self.failure(folder.appending(path: name), to: folder.appending(path: package), emulator: emulator)
    }
    #expect(
      failure("App/App.xcodeproj")?.message.hasSuffix("/project.pbxproj is not a property list.") == true)
    for (name, tool) in [("Made", "Project.swift"), ("Pods", "Podfile")] {
      for target in ["Upload", "Setup"] {
        try write(targetFiles, in: folder.appending(path: "\(name)/\(target)"))
      }
      try write(["\(name)/\(tool)": "", "\(name)/App.swift": "class App {}\n"], in: folder)
      let message = try #require(failure(name)?.message)
      #expect(message.missing("/\(name)/\(tool) cannot be read;", "'\(folder.path)/\(name)/Upload'.") == [])
    }
    // A folder whose Info.plist is in a subfolder is accepted.
    try write(["Below/Other/Info.plist": infoPlist], in: folder)
    try write(["Below/A.swift": "class SampleHandler: RPBroadcastSampleHandler {}\n"], in: folder)
    #expect(throws: Never.self) { try run(folder.appending(path: "Below"), to: package) }
    #expect(failure("Missing")?.exitCode == .inputOutput)
    #expect(failure("Only")?.message.contains("no Swift file, and 1 of other languages") == true)
    #expect(failure("Empty")?.message.contains("name the folder of the extension's target") == true)
    #expect(failure("App/Upload", to: "Full")?.exitCode == .cannotCreate)
    #expect(failure("App/Upload", to: "App/Upload/package")?.exitCode == .usage)
    #expect(
      failure("App/Upload", emulator: "nowhere")?.message.hasPrefix("--emulator expects the folder") == true)
  }

  /// A project that cannot be read, that has another tool, or that has no extension is worse than the folder of the extension.
  @Test(arguments: [
    ("App.xcodeproj/project.pbxproj", "broken", " is not a property list."),
    ("App.xcodeproj/project.pbxproj", "{ objects = {}; }", " has no target of a broadcast upload extension."),
    ("Project.yml", "targets: {}", " has no target of a broadcast upload extension."),
    ("Project.swift", "", " cannot be read: generate its project, and import the project."),
    ("Package.swift", "", ""),
  ]) func theOnlyFolderOfAnExtensionReplacesItsProject(name: String, content: String, reason: String) throws {
    let app = folder.appending(path: "App")
    try write(targetFiles, in: app.appending(path: "Upload"))
    try write([name: content, "Views/View.swift": "class View {}\n"], in: app)
    try link("Linked.swift", to: "../../Outside.swift", in: app.appending(path: "Upload"))
    try write(["Outside.swift": "let a = 1\n"], in: folder)
    let report = try run(app)
    #expect(report.contains("2 Swift files, 1 linked, 1 copied with changes, from Upload."))
    #expect(
      report.contains("\nOnly the folder \(app.path)/Upload was imported. ") == !reason.isEmpty, "\(report)")
    #expect(report.contains("\(reason) Give files that") || reason.isEmpty, "\(report)")
    // The person named the folder of the project, and no other.
    #expect(report.contains("left out: Linked.swift: it is outside of \(app.path);"), "\(report)")
    #expect(failure(app, to: folder.appending(path: "b"), targetName: "Other") != nil)
    // The project itself was named. It can be read.
    if reason.contains("has no target") {
      let project = app.appending(path: String(name.split(separator: "/")[0]))
      #expect(try run(project, to: folder.appending(path: "c")).contains("\(reason) Give files that"))
    }
  }

  @Test func thePackageDependsOnAFolderOrAVersion() throws {
    let url = try EmulatorPackage("https://example.com/team/emulator.git@1.2.3")
    let dependency = url.dependency(from: URL(filePath: "/a"))
    #expect(
      (dependency.name, dependency.declaration)
        == ("emulator", ".package(url: \"https://example.com/team/emulator.git\", from: \"1.2.3\")"))
    #expect(
      try EmulatorPackage("git@example.com:team/emulator@1.2.3-beta")
        == .remote(url: "git@example.com:team/emulator", requirement: "from: \"1.2.3-beta\""))
    #expect(
      try EmulatorPackage("/srv/emulator.git@1.0.0")
        == .remote(url: "file:///srv/emulator.git", requirement: "from: \"1.0.0\""))
    let commit = "0123456789abcdef0123456789abcdef01234567"
    #expect(
      try EmulatorPackage("https://example.com/emulator@\(commit)").dependency(from: URL(filePath: "/a"))
        .declaration == ".package(url: \"https://example.com/emulator\", revision: \"\(commit)\")")
    for text in [
      "https://example.com/e@main", "https://example.com/e@0123abc", "https://example.com/e@1.0.0\"",
      "e@\(commit)",
    ] { #expect(throws: ProgramFailure.self) { try EmulatorPackage(text) } }
    let clone = Document.package
    let program = clone.appending(path: ".build/debug/producer")
    #expect(try EmulatorPackage(ofProgram: program) == .folder(clone.resolvingSymlinksInPath()))
    #expect(throws: ProgramFailure.self) {
      try EmulatorPackage(ofProgram: URL(filePath: "/usr/bin/producer"))
    }
    #expect(EmulatorPackage.path(to: URL(filePath: "/a/b/c"), from: URL(filePath: "/a/d")) == "../b/c")
    #expect(EmulatorPackage.path(to: URL(filePath: "/b/c"), from: URL(filePath: "/a/d")) == "/b/c")
  }

  @Test func theStandInsAreThoseOfTheManifest() throws {
    let modules = KnownModules(manifest: try Document("Package.swift").text)
    for name in ["ReplayKit", "UIKit", "AppleDarwin", "Darwin", "Foundation", "WebRTC"] {
      #expect(modules.has(name) && !modules.lacks(name))
    }
    #expect(modules.lacks("LiveKit"))
    // Without the manifest, no module counts as missing.
    #expect(!KnownModules(manifest: nil).lacks("LiveKit"))
  }

  @Test func theSettingsOfAPackageAreThoseOfTheExamples() throws {
    try write(targetFiles)
    _ = try run()
    let settings = try #require(
      try text(folder, "package/Package.swift").firstMatch(of: /\/\/ Foundation brings[\s\S]*?\n\]\n/))
    #expect(try Document("Docs/Examples/Package.swift").text.contains(settings.0))
  }
}
