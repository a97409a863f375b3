import TestSupport

@testable import ExtensionImport

/// Tests which files are read from a folder that contains more than one target.
@Suite struct XcodeTargetTests: ImportSuite {
  let temporary = TemporaryFolder.ofSuite()

  @Test func linksToFoldersAreLeftOutByName() throws {
    let target = folder.appending(path: "App/Upload")
    try write(targetFiles, in: target)
    try write(["Shared/Shared.swift": "let a = 1\n"], in: folder)
    for (path, goal) in [
      ("loop", "."), ("up", ".."), ("Support/back", ".."), ("Support/back2", "../../.."), ("etc", "/etc"),
      ("Shared", "../../Shared"), ("again", "Support"), ("self", "self"), ("none", "nowhere"),
    ] { try link(path, to: goal, in: target) }
    let report = try run(target)
    #expect(report.contains("2 Swift files, 1 linked, 1 copied"))
    for (path, goal) in [
      ("loop", target.path), ("up", folder.path + "/App"), ("Support/back", target.path),
      ("Support/back2", folder.path), ("etc", "/etc"), ("Shared", folder.path + "/Shared"),
      ("again", target.path + "/Support"),
    ] {
      #expect(report.contains("\nleft out: \(path), a link to the folder \(goal); "), "\(path)")
    }
    // The folder of the link is imported with `--add`.
    let added = try run(target, additions: [folder.path + "/Shared"])
    #expect(added.contains("3 Swift files, 2 linked, 1 copied"))
  }

  @Test func filesThatAreNoSourcesAreLeftOutByName() throws {
    try write(targetFiles)
    try write(["Other.plist": "broken", "Other.entitlements": "broken", "Größe.swift": "let größe = \"📏\"\n"])
    try link("Dangling.swift", to: "nowhere.swift", in: target)
    try link("Dangling.plist", to: "nowhere.plist", in: target)
    try link("Device.swift", to: "/dev/null", in: target)
    try link("Twice.swift", to: "SampleHandler.swift", in: target)
    let utf16 = try #require("let a = 1\n".data(using: .utf16))
    try utf16.write(to: target.appending(path: "UTF16.swift"))
    let report = try run()
    #expect(report.contains("3 Swift files, 2 linked, 1 copied"))
    for line in [
      "\(target.path)/Other.plist is not a property list.",
      "\(target.path)/Other.entitlements is not a property list.",
      "Dangling.swift: it is not a plain file with", "\(target.path)/Dangling.plist",
      "Device.swift: it is not a plain file with",
      "UTF16.swift: it is not a plain file with UTF-8 text",
      "Twice.swift: it is already imported as SampleHandler.swift.",
    ] { #expect(report.contains("\nleft out: \(line)"), "\(line)") }
    // The Info.plist must be read, so it is not skipped.
    try write(["Info.plist": "broken"])
    #expect(failure()?.message == "\(target.path)/Info.plist is not a property list.")
  }

  @Test func aFolderThatIsAddedTwiceIsTakenOnce() throws {
    let target = folder.appending(path: "App/Upload")
    try write(targetFiles, in: target)
    let report = try run(target, additions: [target.path + "/Support", folder.path + "/App"])
    #expect(report.contains("2 Swift files, 1 linked, 1 copied"))
    #expect(report.contains("\nleft out: Support/: it is already imported as Support/."))
    let missing = folder.path + "/Missing"
    #expect(failure(target, additions: [missing])?.message == "\(missing) does not exist; correct --add.")
  }

  /// Files of views in a shared folder, and of the app's database.
  @Test func filesThatTheHandlerDoesNotNeedAreLeftOutByName() throws {
    try write(targetFiles)
    try write(
      [
        "Map.swift": "\(anImport) MapKit\nclass MapModel { let region = MKCoordinateRegion() }\n",
        "Row.swift": "\(anImport) SwiftUI\nstruct Row: View { var body: some View { Text(Labels.row) } }\n",
        "Labels.swift": "\(anImport) SwiftUI\nenum Labels { static let row = Color.brand.description }\n",
        "Store.swift": "\(anImport) GRDB\nfinal class Store { let queue = DatabaseQueue() }\n",
        "Notes.swift": "struct Notes { let store = Store() }\n",
        "Plain.swift": "struct Plain {}\n",
        // The handler needs the other names of these files.
        "Player.swift":
          "\(anImport) AVKit\nprivate let a = 1\nextension String { var isPlaying: Bool { false } }\n",
        "Used.swift":
          "extension Heartbeat: P { var a: Bool { \"\".isPlaying }; var b: Int { Constants.rate } }\n",
        "Constants.swift": """
        \(anImport) SwiftUI
        enum Constants { static let rate = 30 }

        @available(iOS 14, *)
        public extension Color {
          static let brand = Color.red
        }
        #Preview { Row() }
        """,
      ])
    let report = try run()
    for (place, reason) in [
      ("Map.swift", "imports MapKit"), ("Row.swift", "imports SwiftUI"), ("Labels.swift", "imports SwiftUI"),
      ("Store.swift", "imports GRDB"), ("Notes.swift", "uses a file that is left out"),
    ] {
      #expect(report.contains("\nleft out: \(place), which \(reason): the handler does not need it."))
      #expect(!exists("Sources/Upload/\(place)", in: package))
    }
    #expect(exists("Sources/Upload/Plain.swift", in: package) && !report.contains("missing:"))
    #expect(report.contains("changed: a declaration for views, 2 x: Constants.swift:5, Constants.swift:8."))
    let constants = try text(package, "Sources/Upload/Constants+Linux.swift")
    #expect(constants.hasSuffix("\(anImport) Combine\nenum Constants { static let rate = 30 }\n\n\n\n\n\n"))
    #expect(try text(package, "Sources/Upload/Player+Linux.swift").contains("\n\(anImport) AVFoundation\n"))
  }

  @Test func filesAreLeftOutOnRequest() throws {
    try write(targetFiles)
    try write(["Support/Other.swift": "let a = 1\n", "Heartbeat.swift/C.swift": "let c = 1\n"])
    let report = try run(without: ["Other.swift", target.path + "/Heartbeat.swift"])
    #expect(report.contains("2 Swift files, 1 linked, 1 copied"))
    for place in ["Support/Other.swift", "Heartbeat.swift"] {
      #expect(report.contains("\nleft out: \(place), by --without."))
    }
    #expect(
      failure(without: ["ther.swift"])?.message == "No file of the target is 'ther.swift'; correct --without."
    )
  }

  /// The package starts the handler itself, and a program can have only one such file.
  @Test func theStartOfAnotherProgramIsLeftOut() throws {
    try write(targetFiles)
    try write(["Upload/main.swift": "print(1)\n", "App/Core/main.swift": "print(1)\n"], in: folder)
    let report = try run(additions: [folder.path + "/App"])
    #expect(report.contains("2 Swift files, 1 linked, 1 copied"))
    for place in ["main.swift", "App/Core/main.swift"] {
      #expect(report.contains("\nleft out: \(place): a program starts in it,"), "\(place)")
    }
    #expect(try text(package, "Sources/Upload/main.swift").contains("BroadcastExtensionMain"))
  }

  @Test func codeThatIsTooDeepIsNamedWithItsLine() throws {
    try write(targetFiles)
    try write(["Deep.swift": "\n\nlet a = " + String(repeating: "\"\\(", count: 100_000)])
    #expect(failure()?.message.hasPrefix("\(target.path)/Deep.swift:3: more than 256") == true)
  }
}
