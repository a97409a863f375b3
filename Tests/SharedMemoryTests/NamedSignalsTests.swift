import Foundation
import Synchronization
import TestSupport
import Testing

@testable import SharedMemory

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
      #expect(try listener.take() == NamedSignals.Heard(fileNames: files("b", "a", "b")))
      #expect(try listener.take() == NamedSignals.Heard())
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: root("signals")).isEmpty)
  }

  @Test func whoListensLaterHearsNothingOfBefore() throws {
    try post("a")
    let listener = try signals()
    #expect(try listener.take() == NamedSignals.Heard())
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

  @Test func whatAKilledProcessLeftIsNoObstacle() throws {
    let listener = try signals()
    #expect(FileManager.default.createFile(atPath: root("signals") + "/" + files("a")[0], contents: nil))
    try post("a")
    #expect(try listener.take().fileNames == files("a"))
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
    #expect(try listener.take() == NamedSignals.Heard(fileNames: files("a")))
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
    #expect(try listener.take() == NamedSignals.Heard(fileNames: files("a")))
  }

  /// The last post of each poster is heard after it was made, whatever the others do with the same name.
  @Test func theLastOfManyPostsAtOnceIsNotLost() throws {
    let listener = try signals()
    let posted = Counter()
    let group = DispatchGroup()
    for _ in 0..<4 {
      DispatchQueue.global().async(group: group) {
        for _ in 0..<500 {
          // What was counted before a post must be seen by whoever hears it.
          posted.increment()
          do { try self.post("same") } catch { Issue.record(error) }
        }
      }
    }
    var lastSeen = 0
    while group.wait(timeout: .now()) == .timedOut {
      if !(try listener.take().fileNames.isEmpty) { lastSeen = posted.value }
    }
    if !(try listener.take().fileNames.isEmpty) { lastSeen = posted.value }
    #expect(lastSeen == 2000)
  }
}

private final class Counter: Sendable {
  private let count = Mutex(0)
  var value: Int { count.withLock { $0 } }
  func increment() { count.withLock { $0 += 1 } }
}
