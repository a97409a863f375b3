import TestSupport

@testable import BroadcastCheck

@Suite struct ContainerContentTests {
  /// A socket that the extension leaves behind must count, even if the extension is no longer known.
  @Test func onlyWhatTheAppHasOpenIsTheApps() throws {
    let folder = try TemporaryFolder()
    let socket = try System.listen("s", in: PrivateFolder.open(folder.path))
    let content = try ContainerContent(below: folder.path)
    #expect(content.sockets == ["s"])
    let app = ProcessInfo.processInfo.processIdentifier
    #expect(try content.open(below: folder.path, app: app) == ["s"])
    #expect(try content.open(below: folder.path, app: nil) == [])
    #expect(try content.open(below: folder.path, app: 1) == [])
    _ = consume socket
  }
}
