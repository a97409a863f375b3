import AppleFoundation
import EmulatedDevice
import TestSupport

/// Files with a protection class, on a phone that is locked and unlocked.
@Suite struct FileProtectionTests {
  private let folder: TemporaryFolder
  private let clock = TestClock()
  private let timers = Recorder<@Sendable () -> Void>()
  private let device: Device

  init() throws {
    folder = try TemporaryFolder()
    device = Device(
      role: .extension, clock: clock, ownRoot: folder.path, runAfter: { [timers] in timers.add($1) })
  }

  private func url(_ name: String) -> URL { URL(filePath: folder.path).appending(path: name) }

  private func lock(for time: Duration) {
    device.change { $0.isLocked = true }
    clock.advance(by: time)
    for timer in timers.values { timer() }
  }

  private func code(_ body: () throws -> Void) -> Int {
    do {
      try body()
      return 0
    } catch {
      return (error as NSError).code
    }
  }

  /// The classes by the ways to set them.
  private func make() throws {
    let manager = FileManager.default
    try Data([1]).write(to: url("complete"), options: .completeFileProtection)
    try Data([1]).write(to: url("atomic"), options: [.atomic, .completeFileProtection])
    _ = manager.createFile(
      atPath: url("created").path, contents: Data([1]),
      attributes: [.protectionKey: FileProtectionType.complete])
    try Data([1]).write(to: url("open"), options: .completeFileProtectionUnlessOpen)
    try Data([1]).write(to: url("plain"))
    try Data([1]).write(to: url("none"), options: .noFileProtection)
    try manager.createDirectory(
      at: url("folder"), withIntermediateDirectories: false,
      attributes: [.protectionKey: FileProtectionType.complete])
    try Data([1]).write(to: url("folder/inherited"))
    try Data([1]).write(to: url("changed"))
    try manager.setAttributes(
      [.protectionKey: FileProtectionType.complete], ofItemAtPath: url("changed").path)
  }

  private static let complete = ["complete", "atomic", "created", "folder/inherited", "changed"]

  @Test func theClassOfAFileIsKept() throws {
    try make()
    let types: [(String, FileProtectionType)] =
      (Self.complete + ["folder"]).map { ($0, .complete) } + [
        ("open", .completeUnlessOpen), ("plain", .completeUntilFirstUserAuthentication), ("none", .none),
      ]
    for (name, type) in types {
      let attributes = try FileManager.default.attributesOfItem(atPath: url(name).path)
      let value = attributes[.protectionKey] as? FileProtectionType
      #expect(value?.rawValue == type.rawValue, "\(name)")
    }
  }

  @Test func aLockOfTenSecondsTakesProtectedFilesAway() throws {
    try make()
    let handles = try ["complete", "open", "plain"].map { try FileHandle(forUpdating: url($0)) }
    func codes(_ names: [String]) -> [[Int]] {
      names.map { name in
        [code { _ = try Data(contentsOf: url(name)) }, code { try Data([2]).write(to: url(name)) }]
      }
    }
    lock(for: .seconds(9))
    #expect(codes(Self.complete).allSatisfy { $0 == [0, 0] })
    lock(for: .seconds(1))
    #expect(codes(Self.complete + ["open"]).allSatisfy { $0 == [257, 513] })
    #expect(codes(["plain", "none"]).allSatisfy { $0 == [0, 0] })
    // A new file.
    #expect(code { try Data([1]).write(to: url("folder/new")) } == 513)
    #expect(code { try Data([1]).write(to: url("new"), options: .completeFileProtectionUnlessOpen) } == 0)
    #expect(
      handles.map { handle in code { try handle.write(contentsOf: Data([3])) } == 0 } == [false, true, true])
    #expect(handles.map { handle in code { _ = try handle.read(upToCount: 1) } == 0 } == [false, true, true])
    device.change { $0.isLocked = false }
    #expect(codes(Self.complete + ["open"]).allSatisfy { $0 == [0, 0] })
    #expect(code { try handles[0].write(contentsOf: Data([3])) } == 0)
  }

  /// As on a device, code that uses the pages crashes.
  @Test func aLockTakesMappedFilesAway() async {
    await #expect(processExitsWith: .signal(SIGSEGV)) {
      let tests = try FileProtectionTests()
      try tests.make()
      let file = unsafe open(tests.url("complete").path, O_RDWR)
      // UNSAFE: the first byte of a mapped file.
      let byte = unsafe mmap(nil, 1, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)?.assumingMemoryBound(
        to: UInt8.self)
      unsafe byte?.pointee = 1
      tests.lock(for: .seconds(9))
      unsafe byte?.pointee = 2
      tests.lock(for: .seconds(1))
      unsafe byte?.pointee = 3
    }
  }
}
