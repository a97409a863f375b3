import Foundation
import TestSupport
import Testing

@testable import Platform
@testable import ReplayKit

@Suite struct NamedSignalsTests {
  private let root: TemporaryFolder

  init() throws { root = try TemporaryFolder() }

  private func signals() throws -> NamedSignals { try NamedSignals(root: root.path, folder: "signals") }

  private func post(_ name: String) throws { try NamedSignals.post(name, root: root.path, folder: "signals") }

  private func files(_ names: String...) -> [String] { names.map { NamedSignals.fileName(for: $0) } }

  @Test func whatIsPostedIsHeardByAllWhoListenAndNothingStays() throws {
    let (first, second) = (try signals(), try signals())
    try post("b")
    try post("a")
    try post("b")
    for listener in [first, second] {
      #expect(try listener.take() == NamedSignals.Posts(fileNames: files("b", "a", "b")))
      #expect(try listener.take() == NamedSignals.Posts())
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: root("signals")).isEmpty)
  }

  @Test func whoListensLaterHearsNothingOfBefore() throws {
    try post("a")
    let listener = try signals()
    #expect(try listener.take() == NamedSignals.Posts())
  }

  @Test(arguments: [
    "", ".", "..", "../../escape", "/etc/passwd", "a/b", "%", "~", "ä ö", "line\nfeed", "null\0byte",
    String(repeating: "x", count: 5000), String(repeating: "é/", count: 300),
  ])
  func anyTextIsAName(_ name: String) throws {
    let file = NamedSignals.fileName(for: name)
    #expect(!file.contains("/") && !file.contains("\0") && !file.hasPrefix("."))
    #expect(1...255 ~= file.utf8.count)
    let listener = try signals()
    try post(name)
    #expect(try listener.take().fileNames == [file])
    #expect(root.names == ["signals"])
  }

  @Test func differentNamesHaveDifferentFiles() {
    let long = String(repeating: "x", count: 5000)
    let names = ["", "%", "a", "A", "a.b", "a%2eb", "a/b", "a_b", long, long + "x", long + "y", "%25", "."]
    #expect(Set(names.map { NamedSignals.fileName(for: $0) }).count == names.count)
  }

  /// Another process is between the making of the file and its removal, or was killed there. What is heard is the
  /// removal: a file that was made before a post began would be heard too early for it.
  @Test func aPostThatFindsTheFileOfAnotherIsHeardAfterItBegan() throws {
    let listener = try signals()
    let file = root("signals") + "/" + files("a")[0]
    #expect(FileManager.default.createFile(atPath: file, contents: nil))
    #expect(try listener.take() == NamedSignals.Posts())
    try post("a")
    #expect(try listener.take().fileNames == files("a"))
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  @Test func aLinkInPlaceOfTheFileIsNotFollowed() throws {
    _ = try signals()
    let target = root("target")
    try FileManager.default.createSymbolicLink(
      atPath: root("signals") + "/" + files("a")[0], withDestinationPath: target)
    #expect(throws: StorageError.self) { try post("a") }
    #expect(!FileManager.default.fileExists(atPath: target))
  }

  @Test func aFolderThatWasRemovedIsMadeAndWatchedAgain() throws {
    let listener = try signals()
    try FileManager.default.removeItem(atPath: root("signals"))
    #expect(try listener.take().isIncomplete)
    try post("a")
    #expect(try listener.take() == NamedSignals.Posts(fileNames: files("a")))
  }

  @Test func whenMoreIsPostedThanTheSystemKeepsItIsSaid() throws {
    let limit = try #require(
      Int(
        try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
          .trimmingCharacters(in: .whitespacesAndNewlines)))
    try #require(limit <= 100_000)
    let listener = try signals()
    for number in 0...limit { try post(number.isMultiple(of: 2) ? "even" : "odd") }
    let heard = try listener.take()
    #expect(heard.isIncomplete && heard.fileNames.count == limit)
    try post("a")
    #expect(try listener.take() == NamedSignals.Posts(fileNames: files("a")))
  }
}
