import Foundation
import TestSupport
import Testing

@testable import Platform

@Suite struct FileSystemStatusTests {
  @Test func theKindsAreKnownByTheirNumbers() {
    let kinds: [(UInt64, String, FileSystemStatus.Place)] = [
      (0x0102_1994, "tmpfs", .memory), (0xEF53, "ext4", .disk), (0x6969, "nfs", .remote),
      (0x1234, "0x1234", .disk),
    ]
    for (number, name, place) in kinds {
      let kind = FileSystemStatus.kind(ofMagic: number)
      #expect(kind.name == name && kind.place == place)
    }
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/shm"), "this system has no /dev/shm"))
  func memoryIsKnownAsSuch() throws {
    let status = try System.fileSystem(of: "/dev/shm")
    #expect(status.name == "tmpfs" && status.place == .memory)
    #expect(status.takesFiles && !status.isReadOnly)
    #expect(try System.fileSystem(of: "/proc").place == .disk)
    #expect(throws: FileError(.call("statfs", Errno(rawValue: ENOENT)), "/no/such")) {
      try System.fileSystem(of: "/no/such")
    }
  }

  @Test(.enabled(if: TemporaryFolder.canMount, "only root can mount a file system that fills up"))
  func theRoomIsWhatIsLeft() throws {
    let tiny = try TemporaryFolder(diskSpace: 1 << 20)
    #expect(try System.fileSystem(of: tiny.path).freeByteCount == 1 << 20)
    try tiny.fill()
    #expect(try System.fileSystem(of: tiny.path).freeByteCount == 0)
  }
}
