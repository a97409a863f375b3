import AppleFoundation
import TestSupport

@Suite struct ContainerURLTests {
  @Test func theFolderOfAGroupExists() throws {
    let group = "group.com.example.test-\(UInt32.random(in: 0...UInt32.max))"
    let url = try #require(FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group))
    defer { try? FileManager.default.removeItem(at: url) }
    #expect(url.path == AppGroupRoot.standard().path + "/" + group)
    var isFolder: ObjCBool = false
    #expect(
      unsafe FileManager.default.fileExists(atPath: url.path + "/Library/Caches", isDirectory: &isFolder))
    #expect(isFolder.boolValue)
  }

  @Test(arguments: ["", "com.example", "group.", "group.a/../b"]) func anInvalidIdHasNoFolder(group: String) {
    #expect(FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group) == nil)
  }
}
