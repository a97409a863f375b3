import TestSupport

@testable import Platform

@Suite struct PrivateFolderTests {
  private let folder = TemporaryFolder.ofSuite()
  private var path: String { folder("private") }

  private func permissions(_ path: String) throws -> UInt32 {
    try System.statusWithoutFollowing(path).permissions
  }

  private func makeFolder(_ mode: mode_t = 0o755) throws {
    try makeFile(of: S_IFDIR, at: path)
    try changeMode(of: path, to: mode)
  }

  @Test func aFolderIsCreatedClosedToOthers() throws {
    try PrivateFolder.prepare(path)
    #expect(try permissions(path) == 0o700)
    try PrivateFolder.prepare(path)
    #expect(folder.names == ["private"])
  }

  @Test(arguments: [0o777, 0o750, 0o701, 0o1777] as [mode_t])
  func aFolderOpenToOthersIsClosed(mode: mode_t) throws {
    try makeFolder(mode)
    try PrivateFolder.prepare(path)
    #expect(try permissions(path) == 0o700)
  }

  @Test func aLinkToAFolderIsRefused() throws {
    try makeFile(of: S_IFDIR, at: folder("real"))
    try makeFile(of: S_IFLNK, at: path, leadingTo: folder("real"))
    #expect(throws: FileError(.symbolicLink, path)) { try PrivateFolder.prepare(path) }
    #expect(throws: FileError(.symbolicLink, path)) { try PrivateFolder.prepareRoot(path) }
    #expect(throws: FileError(.symbolicLink, path)) { try PrivateFolder.prepareRoot(path + "//") }
  }

  @Test func aLinkToNothingIsRefused() throws {
    try makeFile(of: S_IFLNK, at: path, leadingTo: folder("nothing"))
    #expect(throws: FileError(.symbolicLink, path)) { try PrivateFolder.prepare(path) }
    #expect(folder.names == ["private"])
  }

  @Test(arguments: [("", ""), ("/a", "/a/b/c")]) func aFileInItsPlaceOrAboveItIsNamed(
    below: String, root: String
  ) throws {
    try PlainFile.replace(path, with: [])
    #expect(throws: FileError(.notAFolder, path)) { try PrivateFolder.prepare(path + below) }
    #expect(throws: FileError(.notAFolder, path)) { try PrivateFolder.prepareRoot(path + root) }
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
    try makeFolder(0o1777)
    try PrivateFolder.prepareRoot(path)
    #expect(try permissions(path) == 0o1777)
  }

  @Test(arguments: [0o777, 0o733, 0o703] as [mode_t])
  func aRootInWhichAllUsersCanMoveFoldersIsRefused(mode: mode_t) throws {
    try makeFolder(mode)
    #expect(throws: FileError(.openToOthers, path)) { try PrivateFolder.prepareRoot(path) }
    #expect(throws: FileError(.openToOthers, path)) { try PrivateFolder.prepareRoot(path + "/a/b") }
    #expect(try permissions(path) == mode)
    #expect(!FileManager.default.fileExists(atPath: path + "/a"))
  }

  @Test(
    .enabled(if: TemporaryFolder.canGiveAway, "only root can give a folder away, outside a user namespace"),
    arguments: [0o775, 0o770] as [mode_t])
  func aRootInWhichAGroupCanMoveFoldersIsRefusedUnlessItIsTheUsersOwn(mode: mode_t) throws {
    try makeFolder(mode)
    try PrivateFolder.prepareRoot(path)
    try giveAway(path, to: getuid())
    #expect(throws: FileError(.openToOthers, path)) { try PrivateFolder.prepareRoot(path) }
    try changeMode(of: path, to: mode | 0o1000)
    try PrivateFolder.prepareRoot(path)
  }

  @Test(
    .enabled(if: TemporaryFolder.canGiveAway, "only root can give a folder away, outside a user namespace"))
  func aRootBelowAFolderOrALinkOfAnotherUserIsRefused() throws {
    let link = folder("link")
    try makeFolder()
    try makeFile(of: S_IFLNK, at: link, leadingTo: path)
    try PrivateFolder.prepareRoot(link + "/mine")
    try giveAway(path)
    for path in [path, link] {
      for name in ["mine", "new/below"] {
        #expect(throws: FileError(.foreignOwner(12345), self.path)) {
          try PrivateFolder.prepareRoot("\(path)/\(name)")
        }
      }
    }
    #expect(!FileManager.default.fileExists(atPath: path + "/new"))
    try giveAway(path, to: getuid(), getgid())
    try giveAway(link)
    #expect(throws: FileError(.foreignOwner(12345), link)) { try PrivateFolder.prepareRoot(link + "/mine") }
  }

  @Test func linksThatEndNowhereAreRefused() throws {
    try makeFile(of: S_IFLNK, at: folder("one"), leadingTo: "two")
    try makeFile(of: S_IFLNK, at: folder("two"), leadingTo: folder("one"))
    let error = #expect(throws: FileError.self) { try PrivateFolder.prepareRoot(folder("one") + "/a") }
    #expect(error?.code == ELOOP)
  }

  @Test func parentsOfTheRootMayBeLinks() throws {
    try makeFile(of: S_IFDIR, at: folder("real"))
    try makeFile(of: S_IFLNK, at: folder("link"), leadingTo: folder("real"))
    try PrivateFolder.prepareRoot(folder("link") + "/a")
    #expect(try permissions(folder("real") + "/a") == 0o700)
  }

  @Test(
    .enabled(if: TemporaryFolder.canGiveAway, "only root can give a folder away, outside a user namespace"))
  func aFolderOfAnotherUserIsRefused() throws {
    try makeFolder()
    try giveAway(path)
    #expect(throws: FileError(.foreignOwner(12345), path)) { try PrivateFolder.prepare(path) }
    #expect(throws: FileError(.foreignOwner(12345), path)) { try PrivateFolder.prepareRoot(path) }
  }
}
