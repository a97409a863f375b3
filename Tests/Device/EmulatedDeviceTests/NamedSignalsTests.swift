import TestSupport

@testable import EmulatedDevice
@testable import Platform

@Suite struct NamedSignalsTests {
  private let root = TemporaryFolder.ofSuite()
  private func signals() throws -> NamedSignals { try NamedSignals(root: root.path, folder: "signals") }

  private func post(_ name: String) throws { try NamedSignals.post(name, root: root.path, folder: "signals") }

  private func files(_ names: String...) -> [String] { names.map { NamedSignals.fileName(for: $0) } }

  @Test func aPostReachesAllReceiversAndLeavesNoFile() throws {
    let (first, second) = (try signals(), try signals())
    try post("b")
    try post("a")
    try post("b")
    for receiver in [first, second] {
      #expect(try receiver.take() == NamedSignals.Posts(fileNames: files("b", "a", "b")))
      #expect(try receiver.take() == NamedSignals.Posts())
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: root("signals")).isEmpty)
  }

  @Test func aLaterReceiverGetsNoEarlierPost() throws {
    try post("a")
    let receiver = try signals()
    #expect(try receiver.take() == NamedSignals.Posts())
  }

  @Test(arguments: [
    "", ".", "..", "../../escape", "/etc/passwd", "a/b", "%", "~", "ä ö", "line\nfeed", "null\0byte",
    String(repeating: "x", count: 5000), String(repeating: "é/", count: 300),
  ]) func anyTextIsAName(_ name: String) throws {
    let file = NamedSignals.fileName(for: name)
    #expect(!file.contains("/") && !file.contains("\0") && !file.hasPrefix("."))
    #expect(1...255 ~= file.utf8.count)
    let receiver = try signals()
    try post(name)
    #expect(try receiver.take().fileNames == [file])
    #expect(root.names == ["signals"])
  }

  @Test func differentNamesHaveDifferentFiles() {
    let long = String(repeating: "x", count: 5000)
    let names = ["", "%", "a", "A", "a.b", "a%2eb", "a/b", "a_b", long, long + "x", long + "y", "%25", "."]
    #expect(Set(names.map { NamedSignals.fileName(for: $0) }).count == names.count)
  }

  /// Another process has created the file and not removed it yet, or was killed in between. The post arrives as the removal
  /// of the file, because the file's creation would arrive before the post began.
  @Test func aPostThatFindsTheFileOfAnotherArrivesAfterItBegan() throws {
    let receiver = try signals()
    let file = root("signals") + "/" + files("a")[0]
    #expect(FileManager.default.createFile(atPath: file, contents: nil))
    #expect(try receiver.take() == NamedSignals.Posts())
    try post("a")
    #expect(try receiver.take().fileNames == files("a"))
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  @Test func aLinkInPlaceOfTheFileIsNotFollowed() throws {
    _ = try signals()
    let target = root("target")
    try FileManager.default.createSymbolicLink(
      atPath: root("signals") + "/" + files("a")[0], withDestinationPath: target)
    #expect(throws: FileError.self) { try post("a") }
    #expect(!FileManager.default.fileExists(atPath: target))
  }

  @Test(arguments: [true, false]) func aFolderThatIsGoneIsCreatedAndWatchedAgain(isRemoved: Bool) throws {
    let receiver = try signals()
    try FileManager.default.moveItem(atPath: root("signals"), toPath: root("aside"))
    if isRemoved { try FileManager.default.removeItem(atPath: root("aside")) }
    #expect(try receiver.take().isIncomplete)
    try post("a")
    #expect(try receiver.take() == NamedSignals.Posts(fileNames: files("a")))
    try NamedSignals.post("b", root: root.path, folder: "aside")
    #expect(try receiver.take() == NamedSignals.Posts())
  }

  @Test func aFileInPlaceOfTheFolderEndsNothing() throws {
    let receiver = try signals()
    try FileManager.default.moveItem(atPath: root("signals"), toPath: root("aside"))
    #expect(FileManager.default.createFile(atPath: root("signals"), contents: nil))
    for _ in 1...2 { #expect(throws: FileError(.notAFolder, root("signals"))) { try receiver.take() } }
    try FileManager.default.removeItem(atPath: root("signals"))
    #expect(try receiver.take().isIncomplete)
    try post("a")
    #expect(try receiver.take() == NamedSignals.Posts(fileNames: files("a")))
  }

  @Test(
    .enabled(
      if: eventLimit ?? 0 <= 100_000,
      "fs.inotify.max_queued_events is above 100,000, which takes too long to exceed"))
  func anOverflowIsReported() throws {
    let limit = try #require(Self.eventLimit)
    let receiver = try signals()
    for number in 0...limit { try post(number.isMultiple(of: 2) ? "even" : "odd") }
    let posts = try receiver.take()
    #expect(posts.isIncomplete && posts.fileNames.count == limit)
    try post("a")
    #expect(try receiver.take() == NamedSignals.Posts(fileNames: files("a")))
  }

  /// The maximum number of events that inotify queues; `nil` if the system does not state it.
  private static let eventLimit: Int? = {
    let text = try? String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
    return text.flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
  }()
}
