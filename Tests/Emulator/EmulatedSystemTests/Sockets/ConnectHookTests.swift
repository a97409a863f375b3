import Foundation
import Platform
import Synchronization
import TestSupport
import Testing

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
    _ = try System.connect(path: own, waits: true)
    #expect(paths.withLock { $0.count } == 2)
    _ = consume listener
  }

  @Test func anUnconnectedSocketIsConnectedToAPeerOfThisProcess() throws {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let peer = try System.connectToPeer(descriptor)
    try System.send([1, 2, 3], to: peer)
    var bytes = [UInt8](repeating: 0, count: 8)
    // UNSAFE: the call fills the array at most.
    #expect(unsafe recv(descriptor, &bytes, bytes.count, 0) == 3)
    #expect(Array(bytes.prefix(3)) == [1, 2, 3])
    #expect(throws: SystemError.self) { _ = try System.connectToPeer(descriptor) }
    let number = try #require(System.fileNumber(of: descriptor))
    close(descriptor)
    // Another test may open a file under this descriptor at once.
    #expect(System.fileNumber(of: descriptor) != number)
  }
}
