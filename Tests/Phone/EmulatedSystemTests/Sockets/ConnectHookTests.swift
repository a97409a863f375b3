import TestSupport

@testable import EmulatedSystem

/// The hook in `connect` gets calls for local stream sockets with a path and for TCP, and no others.
///
/// Tests that replace the hook run in separate processes, because connections of other tests need the hook of the proxy.
@Suite struct ConnectHookTests {
  @Test func aCallGoesThroughTheHookAndTheOwnCallsOfThisLayerDoNot() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let paths = Mutex<[String]>([])
      let (own, other) = (folder.path + "/own", folder.path + "/none")
      System.interposeConnect { [path = folder.path] call in
        guard call.name.hasPrefix(path) else { return .connectDirectly }
        paths.withLock { $0.append(call.name) }
        return call.name == own ? .failed(Errno(rawValue: ETIMEDOUT)) : .connectDirectly
      }
      #expect(SocketEnd.connectByC(SocketEnd.address(own), SOCK_STREAM) == ETIMEDOUT)
      #expect(SocketEnd.connectByC(SocketEnd.address(other), SOCK_STREAM) == ENOENT)
      #expect(SocketEnd.connectByC(SocketEnd.address(own), SOCK_DGRAM) == ENOENT)
      #expect(paths.withLock { $0 } == [own, other])
      let listener = try System.listen("own", in: PrivateFolder.open(folder.path))
      _ = try System.connectOnward(SocketEnd().call(own), within: .zero)
      #expect(paths.withLock { $0.count } == 2)
      _ = consume listener
    }
  }

  /// Uses a port on which nothing listens, and which no other test can get.
  @Test func aCallForTCPGoesThroughTheHookAndOneForPacketsDoesNot() async {
    await #expect(processExitsWith: .success) {
      let owner = try Listener(family: AF_INET, backlog: nil)
      let port = try owner.port
      let calls = Mutex<[System.ConnectCall]>([])
      System.interposeConnect { call in
        guard call.name == "127.0.0.1:\(port)" else { return .connectDirectly }
        calls.withLock { $0.append(call) }
        return .failed(Errno(rawValue: ETIMEDOUT))
      }
      let address = SocketEnd.address(port: port)
      #expect(SocketEnd.connectByC(address, SOCK_STREAM) == ETIMEDOUT)
      #expect(SocketEnd.connectByC(address, SOCK_STREAM, waits: false) == ETIMEDOUT)
      #expect(SocketEnd.connectByC(address, SOCK_DGRAM) == 0)
      #expect(calls.withLock { $0.map(\.waits) } == [true, false])
      withExtendedLifetime(owner) {}
    }
  }

  @Test func anUnconnectedSocketIsConnectedToAPeerOfThisProcess() async throws {
    let end = try SocketEnd()
    let call = try end.call("/none")
    #expect(!System.isInUse(call.descriptor))
    let peer = try System.connectToPeer(call)
    #expect(System.isInUse(call.descriptor))
    try System.send([1, 2, 3], to: peer)
    #expect(try await end.receive() == [1, 2, 3])
    #expect(throws: FileError.self) { _ = try System.connectToPeer(call) }
    let number = try #require(System.fileNumber(of: call.descriptor))
    end.close()
    // Another test may reuse the descriptor immediately.
    #expect(System.fileNumber(of: call.descriptor) != number)
  }
}
