import Foundation
import Platform
import Synchronization
import TestSupport
import Testing

@testable import EmulatedSystem

/// The hook in `connect` decides on local stream sockets with a path, and on nothing else.
@Suite struct ConnectHookTests {
  /// Calls the C function for a socket of `type`; returns 0 or the error.
  private func connect(_ path: String, type: Int32 = Int32(SOCK_STREAM.rawValue)) -> Int32 {
    let descriptor = socket(AF_UNIX, type, 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // UNSAFE: the path of a temporary folder fits; the call takes the address through its first member.
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    return result == 0 ? 0 : errno
  }

  /// On the main thread, where each start of an emulated broadcast sets the hook of the process.
  @MainActor @Test func aCallGoesThroughTheHookAndTheOwnCallsOfThisLayerDoNot() throws {
    let folder = try TemporaryFolder()
    let paths = Mutex<[String]>([])
    let (own, other) = (folder.path + "/own", folder.path + "/none")
    // The hook outlives the test, and the folder must not.
    System.interposeConnect { [path = folder.path] call in
      guard call.path.hasPrefix(path) else { return .connectDirectly }
      paths.withLock { $0.append(call.path) }
      return call.path == own ? .failed(Errno(rawValue: ETIMEDOUT)) : .connectDirectly
    }
    #expect(connect(own) == ETIMEDOUT)
    #expect(connect(other) == ENOENT)
    #expect(connect(own, type: Int32(SOCK_DGRAM.rawValue)) == ENOENT)
    #expect(paths.withLock { $0 } == [own, other])
    let listener = try System.listen("own", in: PrivateFolder.open(folder.path))
    _ = try System.connectOnward(SocketEnd().call(own))
    #expect(paths.withLock { $0.count } == 2)
    _ = consume listener
  }

  /// At ports at which nothing listens, so that no other test uses them.
  @MainActor @Test func aCallForTCPGoesThroughTheHookAndOneForPacketsDoesNot() throws {
    let listener = try Listener(family: AF_INET)
    let port = try listener.port
    listener.stop()
    let calls = Mutex<[System.ConnectCall]>([])
    System.interposeConnect { call in
      guard call.path == "127.0.0.1:\(port)" else { return .connectDirectly }
      calls.withLock { $0.append(call) }
      return .failed(Errno(rawValue: ETIMEDOUT))
    }
    func connect(_ type: Int32) -> Int32 {
      let descriptor = socket(AF_INET, type, 0)
      defer { close(descriptor) }
      var address = sockaddr_in()
      (address.sin_family, address.sin_port) = (sa_family_t(AF_INET), port.bigEndian)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      // UNSAFE: the call takes the address through its first member.
      let result = unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      return result == 0 ? 0 : errno
    }
    #expect(connect(Int32(SOCK_STREAM.rawValue)) == ETIMEDOUT)
    #expect(connect(Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue)) == ETIMEDOUT)
    #expect(connect(Int32(SOCK_DGRAM.rawValue)) == 0)
    #expect(calls.withLock { $0.map(\.waits) } == [true, false])
  }

  @Test func anUnconnectedSocketIsConnectedToAPeerOfThisProcess() async throws {
    let end = try SocketEnd()
    let call = try end.call("/none")
    #expect(!System.isInUse(call.descriptor))
    let peer = try System.connectToPeer(call)
    #expect(System.isInUse(call.descriptor))
    try System.send([1, 2, 3], to: peer)
    #expect(try await end.receive() == [1, 2, 3])
    #expect(throws: SystemError.self) { _ = try System.connectToPeer(call) }
    let number = try #require(System.fileNumber(of: call.descriptor))
    end.close()
    // Another test may open a file under this descriptor at once.
    #expect(System.fileNumber(of: call.descriptor) != number)
  }
}
