import ScreenBroadcast
import SharedMemory
import TestSupport

@Suite struct AppGroupContainerTests {
  private let folder = TemporaryFolder.ofSuite()

  @Test(arguments: [
    "group.a", "group.com.example.app", "group.com.example.my-app-2", "group.A.b",
    "group." + String(repeating: "a", count: 122),
  ]) func idsOfApplesFormAreTaken(group: String) throws {
    #expect(AppGroupRoot.isGroupID(group))
    #expect(try AppGroupContainer(root: "/r", group: group).folder == "/r/" + group)
  }

  @Test(arguments: [
    "", "group", "group.", "group..a", "group.a.", ".group.a", "com.example", "Group.a", "group.a/b",
    "group.../x",
    "group.a b", "group.ü", "group.a\u{301}", "group.a\u{0}", "group.a\n", "group._", "../group.a",
    "group.a..",
    "group." + String(repeating: "a", count: 123),
  ])
  func anythingElseIsRefused(group: String) {
    #expect(!AppGroupRoot.isGroupID(group))
    #expect(throws: AppGroupContainer.Failure.invalidGroup(group)) {
      try AppGroupContainer(root: "/r", group: group)
    }
    #expect(throws: AppGroupContainer.Failure.invalidGroup(group)) { try AppGroupContainer(group: group) }
  }

  @Test func theTreeIsPreparedAndClosedToOthers() throws {
    let container = try AppGroupContainer(root: folder.path + "/new", group: "group.a.b")
    try container.prepare()
    try container.prepare()
    for path in [container.folder, container.preferencesFolder, container.broadcastFolder] {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o700)
    }
    #expect(container.preferencesFile == container.folder + "/Library/Preferences/group.a.b.plist")
    #expect(container.framesFile == container.folder + "/Library/Caches/Broadcast/frames.ring")
    #expect(container.producerLockFile == container.folder + "/Library/Caches/Broadcast/producer.lock")
  }

  @Test(arguments: ["", "/Library", "/Library/Preferences", "/Library/Caches", "/Library/Caches/Broadcast"])
  func aLinkAnywhereInTheTreeIsRefused(place: String) throws {
    let container = try AppGroupContainer(in: folder)
    let path = container.folder + place
    try FileManager.default.moveItem(atPath: path, toPath: folder("moved"))
    try makeFile(of: S_IFLNK, at: path, leadingTo: folder("moved"))
    #expect(throws: FileError(.symbolicLink, path)) { try container.prepare() }
  }
}
