import CommandLineSupport
import Foundation
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
