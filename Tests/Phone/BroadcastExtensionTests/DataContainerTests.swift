import TestSupport

@testable import BroadcastExtension

@Suite struct DataContainerTests {
  private let temporary = TemporaryFolder.ofSuite()

  /// The first extension of a user must create the root folder too.
  @Test func theRootIsMadeWithTheFolders() throws {
    let container = DataContainer(of: "group.com.example.a", root: temporary.url.path + "/broadcast-1")
    try container.make()
    #expect(FileManager.default.fileExists(atPath: container.folder + "/Library/Caches"))
  }
}
