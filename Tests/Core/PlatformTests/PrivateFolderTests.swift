import Foundation
import TestSupport
import Testing

@testable import Platform

@Suite struct PrivateFolderTests {
  private let folder = TemporaryFolder.ofSuite()
  private var path: String { folder("private") }

  private func permissions(_ path: String) throws -> UInt32 {
    try System.statusWithoutFollowing(path).permissions
  }

  @Test func aFolderIsCreatedClosedToOthers() throws {
    try PrivateFolder.prepare(path)
    #expect(try permissions(path) == 0o700)
    try PrivateFolder.prepare(path)
    #expect(folder.names == ["private"])
  }

  @Test(arguments: [0o777, 0o750, 0o701, 0o1777])
  func aFolderOpenToOthersIsClosed(mode: Int) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    // UNSAFE: the path is lent to the call.
    #expect(unsafe chmod(path, mode_t(mode)) == 0)
    try PrivateFolder.prepare(path)
    #expect(try permissions(path) == 0o700)
  }

  @Test func aLinkToAFolderIsRefused() throws {
    try FileManager.default.createDirectory(atPath: folder("real"), withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder("real"))
    #expect(throws: FileError(.symbolicLink, path)) { try PrivateFolder.prepare(path) }
    #expect(throws: FileError(.symbolicLink, path)) { try PrivateFolder.prepareRoot(path) }
    #expect(throws: FileError(.symbolicLink, path)) { try PrivateFolder.prepareRoot(path + "//") }
  }

  @Test func aLinkToNothingIsRefused() throws {
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder("nothing"))
    #expect(throws: FileError(.symbolicLink, path)) { try PrivateFolder.prepare(path) }
    #expect(folder.names == ["private"])
  }

  @Test func aFileInItsPlaceIsRefused() throws {
    try PlainFile.replace(path, with: [])
    #expect(throws: FileError(.notAFolder, path)) { try PrivateFolder.prepare(path) }
    #expect(throws: FileError(.notAFolder, path)) { try PrivateFolder.prepareRoot(path) }
  }

  @Test func aFileAboveItIsNamed() throws {
    try PlainFile.replace(path, with: [])
    #expect(throws: FileError(.notAFolder, path)) { try PrivateFolder.prepare(path + "/a") }
    #expect(throws: FileError(.notAFolder, path)) { try PrivateFolder.prepareRoot(path + "/a/b/c") }
  }

  @Test func aFolderIsCreatedOnlyWhereItsParentIs() throws {
    #expect(throws: FileError.self) { try PrivateFolder.prepare(path + "/a") }
    #expect(throws: FileError.self) { try PrivateFolder.prepareRoot(path + "/a") }
    try PrivateFolder.prepareRoot(path + "/")
    #expect(try permissions(path) == 0o700)
    #expect(throws: FileError.self) { try PrivateFolder.prepareRoot("/mistyped-container") }
    #expect(!FileManager.default.fileExists(atPath: "/mistyped-container"))
  }

  @Test func theRootMayBeSharedAndKeepsItsMode() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    // UNSAFE: the path is lent to the call.
    #expect(unsafe chmod(path, 0o1777) == 0)
    try PrivateFolder.prepareRoot(path)
    #expect(try permissions(path) == 0o1777)
  }

  @Test(arguments: [0o777, 0o733, 0o703] as [mode_t])
  func aRootInWhichAllUsersCanMoveFoldersIsRefused(mode: mode_t) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    // UNSAFE: the path is lent to the call.
    #expect(unsafe chmod(path, mode) == 0)
    #expect(throws: FileError(.openToOthers, path)) { try PrivateFolder.prepareRoot(path) }
    #expect(throws: FileError(.openToOthers, path)) { try PrivateFolder.prepareRoot(path + "/a/b") }
    #expect(try permissions(path) == mode)
    #expect(!FileManager.default.fileExists(atPath: path + "/a"))
  }

  @Test(
    .enabled(if: TemporaryFolder.canGiveAway, "only root can give a folder away, outside a user namespace"),
    arguments: [0o775, 0o770] as [mode_t])
  func aRootInWhichAGroupCanMoveFoldersIsRefusedUnlessItIsTheUsersOwn(mode: mode_t) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    // UNSAFE: the path is lent to the calls.
    #expect(unsafe chmod(path, mode) == 0)
    try PrivateFolder.prepareRoot(path)
    #expect(unsafe chown(path, getuid(), 12345) == 0)
    #expect(throws: FileError(.openToOthers, path)) { try PrivateFolder.prepareRoot(path) }
    #expect(unsafe chmod(path, mode | 0o1000) == 0)
    try PrivateFolder.prepareRoot(path)
  }

  @Test(
    .enabled(if: TemporaryFolder.canGiveAway, "only root can give a folder away, outside a user namespace"))
  func aRootBelowAFolderOrALinkOfAnotherUserIsRefused() throws {
    let link = folder("link")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    try PrivateFolder.prepareRoot(link + "/mine")
    // UNSAFE: the paths are lent to the calls.
    #expect(unsafe chown(path, 12345, 12345) == 0)
    for path in [path, link] {
      for name in ["mine", "new/below"] {
        #expect(throws: FileError(.foreignOwner(12345), self.path)) {
          try PrivateFolder.prepareRoot("\(path)/\(name)")
        }
      }
    }
    #expect(!FileManager.default.fileExists(atPath: path + "/new"))
    #expect(unsafe chown(path, getuid(), getgid()) == 0)
    #expect(unsafe lchown(link, 12345, 12345) == 0)
    #expect(throws: FileError(.foreignOwner(12345), link)) {
      try PrivateFolder.prepareRoot(link + "/mine")
    }
  }

  @Test func linksThatEndNowhereAreRefused() throws {
    try FileManager.default.createSymbolicLink(atPath: folder("one"), withDestinationPath: "two")
    try FileManager.default.createSymbolicLink(atPath: folder("two"), withDestinationPath: folder("one"))
    let error = #expect(throws: FileError.self) { try PrivateFolder.prepareRoot(folder("one") + "/a") }
    #expect(error?.code == ELOOP)
  }

  @Test func parentsOfTheRootMayBeLinks() throws {
    try FileManager.default.createDirectory(atPath: folder("real"), withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(atPath: folder("link"), withDestinationPath: folder("real"))
    try PrivateFolder.prepareRoot(folder("link") + "/a")
    #expect(try permissions(folder("real") + "/a") == 0o700)
  }

  @Test(
    .enabled(if: TemporaryFolder.canGiveAway, "only root can give a folder away, outside a user namespace"))
  func aFolderOfAnotherUserIsRefused() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    // UNSAFE: the path is lent to the call.
    #expect(unsafe chown(path, 12345, 12345) == 0)
    #expect(throws: FileError(.foreignOwner(12345), path)) { try PrivateFolder.prepare(path) }
    #expect(throws: FileError(.foreignOwner(12345), path)) {
      try PrivateFolder.prepareRoot(path)
    }
  }
}
