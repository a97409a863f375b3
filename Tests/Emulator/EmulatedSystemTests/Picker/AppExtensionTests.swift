import CommandLineSupport
import Foundation
import Platform
import ReplayKit
import TestSupport
import Testing

@testable import EmulatedSystem

@MainActor @Suite(.serialized) struct AppExtensionTests {
  private let temporary = TemporaryFolder.ofSuite(ofPrograms: true)
  private var folder: URL { temporary.url }

  private func install(
    _ name: String, _ identifier: String, in folder: URL,
    point: String = ExtensionBundle.point, executable: String = "Broadcast",
    mode: Int? = 0o700
  ) throws {
    let bundle = try ExtensionBundle.make(
      name, identifier, in: folder, executable: executable, principalClass: "Module.SampleHandler",
      point: point)
    guard let mode else { return }
    let program = bundle.appending(path: "Broadcast")
    try Data("#!/bin/sh\n".utf8).write(to: program)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: program.path)
  }

  private func choose(_ identifier: String? = nil, in folder: URL) throws -> AppExtension {
    try AppExtension.chosen(in: folder.path, preferring: identifier)
  }

  private func failure(_ identifier: String? = nil, in folder: URL) -> ProgramFailure? {
    #expect(throws: ProgramFailure.self) { try choose(identifier, in: folder) }
  }

  private func noExtension(in folder: URL, _ problems: String = "") -> ProgramFailure {
    .refusedExtension("There is no extension in \(folder.path), which needs bundles 'Name.appex'." + problems)
  }

  @Test func thePreferredExtensionIsChosenByItsIdentifier() throws {
    try install("One", "com.example.one", in: folder)
    try install("Two", "com.example.two", in: folder)
    let chosen = try choose("com.example.two", in: folder)
    #expect(chosen.identifier == "com.example.two")
    #expect(chosen.executable == folder.path + "/Two.appex/Broadcast")
    #expect(chosen.infoPlist == folder.path + "/Two.appex/Info.plist")
  }

  @Test func withoutAPreferenceOnlyASingleExtensionIsChosen() throws {
    try install("One", "com.example.one", in: folder)
    try install("Setup", "com.example.setup", in: folder, point: "com.apple.broadcast-services-setupui")
    #expect(try choose(in: folder).identifier == "com.example.one")
    try install("Two", "com.example.two", in: folder)
    #expect(
      failure(in: folder)
        == .refusedExtension(
          "The picker shows 2 extensions: 'com.example.one', 'com.example.two'; choose one with --extension."
        ))
  }

  @Test func theErrorOfAMissingExtensionListsTheOthers() throws {
    #expect(failure(in: folder) == noExtension(in: folder))
    #expect(failure("com.example.x", in: folder)?.message.contains("there is none") == true)
    try install("One", "com.example.one", in: folder)
    try FileManager.default.createDirectory(
      at: folder.appending(path: "Broken.appex"), withIntermediateDirectories: true)
    try Data().write(to: folder.appending(path: "Readme.txt"))
    let text = try #require(failure("com.example.x", in: folder)).message
    #expect(text.contains("has the identifier 'com.example.x'; there is 'com.example.one'. "))
    #expect(text.contains("Broken.appex/Info.plist"))
    #expect(failure("com.example.x", in: folder)?.exitCode == .usage)
  }

  @Test func anExtensionOfAnotherKindIsRefused() throws {
    let point = "com.apple.broadcast-services-setupui"
    try install("Setup", "com.example.setup", in: folder, point: point)
    let path = folder.path + "/Setup.appex/Info.plist"
    for identifier in [nil, "com.example.setup"] {
      #expect(
        failure(identifier, in: folder)?.message.hasPrefix("\(path) belongs to an extension for '\(point)'")
          == true)
    }
  }

  @Test func twoExtensionsWithOneIdentifierAreRefused() throws {
    try install("One", "com.example.one", in: folder)
    try install("Twin", "com.example.one", in: folder)
    let paths = ["One", "Twin"].map { "'\(folder.path)/\($0).appex'" }.joined(separator: ", ")
    #expect(
      failure("com.example.one", in: folder)
        == .refusedExtension("2 extensions have the identifier 'com.example.one': \(paths); remove one."))
    #expect(failure(in: folder)?.message.contains("'com.example.one', 'com.example.one'") == true)
  }

  @Test func aProgramThatIsMissingOrNotExecutableOrOutsideTheBundleIsRefused() throws {
    for (executable, mode) in [("Broadcast", nil), ("Broadcast", 0o600), ("../../sh", 0o700), ("..", 0o700)] {
      try withFolder(ofPrograms: true) { folder in
        try install("One", "com.example.one", in: folder, executable: executable, mode: mode)
        let path = folder.path + "/One.appex/" + executable
        #expect(
          failure(in: folder)
            == ProgramFailure(.inputOutput, "\(path), which CFBundleExecutable names, is not a program."))
      }
    }
  }

  @Test func aBundleWithoutIdentifierOrProgramNameIsUnreadable() throws {
    let bundle = folder.appending(path: "One.appex")
    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
    let path = bundle.path + "/Info.plist"
    for (list, key) in [
      ([:], "CFBundleIdentifier"), (["CFBundleIdentifier": ""], "CFBundleIdentifier"),
      (["CFBundleIdentifier": "com.example.one"], "CFBundleExecutable"),
    ] as [([String: String], String)] {
      try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
        .write(to: URL(filePath: path))
      #expect(
        failure(in: folder)
          == noExtension(in: folder, " \(path) has no \(key), which every bundle needs."))
    }
  }

  @Test func aMissingFolderIsNamed() {
    let folder = URL(filePath: "/nonexistent/extensions")
    let error = FileError(.call("open", Errno(rawValue: ENOENT)), folder.path)
    #expect(
      failure(in: folder)
        == ProgramFailure(.inputOutput, "The folder of extensions cannot be read: \(error)."))
  }

  @Test func aFileInPlaceOfTheFolderIsNamed() {
    #expect(
      failure(in: URL(filePath: "/dev/null"))
        == ProgramFailure(
          .cannotCreate, "/dev/null is not a folder; name the folder of the installed extensions."))
  }

  @Test func aTapOnThePickerChoosesAnExtension() throws {
    try install("One", "com.example.one", in: folder)
    var choices: [EmulatedPicker.Choice] = []
    var microphones: [Bool] = []
    let picker = EmulatedPicker(folder: folder.path, wantsMicrophone: true) {
      choices.append($0)
      microphones.append($1)
    }
    picker.install()
    let view = RPSystemBroadcastPickerView()
    withExtendedLifetime(picker) {
      for preferred in [nil, "com.example.x"] {
        view.preferredExtension = preferred
        view.showsMicrophoneButton = preferred == nil
        view.subviews.compactMap { $0 as? UIButton }.first?.sendActions(for: .touchUpInside)
      }
    }
    #expect(choices.count == 2 && microphones == [true, false])
    #expect(try choices[0].get().identifier == "com.example.one")
    #expect(throws: ProgramFailure.self) { try choices[1].get() }
  }
}
