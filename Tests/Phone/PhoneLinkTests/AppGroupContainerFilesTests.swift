import PhoneLink
import ScreenBroadcast
import TestSupport

@Suite struct AppGroupContainerFilesTests {
  private let folder = TemporaryFolder.ofSuite()

  @Test func theFilesAreKnownBeforeTheyExist() throws {
    let container = try AppGroupContainer(in: folder)
    let other = container.broadcastFolder + "/other"
    try Data().write(to: URL(filePath: other))
    try Data().write(to: URL(filePath: container.producerLockFile))
    #expect(container.files.contains(container.framesFile) && container.files.contains(other))
    // The list includes the files through which apps follow the phone.
    #expect(container.files.contains(container.parentFolder + "/Device/lock"))
    #expect(container.files.filter { $0 == container.producerLockFile }.count == 1)
  }
}
