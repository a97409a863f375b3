import PhoneLink
import TestSupport

@Suite struct ProcessSocketsTests {
  /// A shell's child inherits the socket through which Foundation watches the shell. Here the shell's stdin is such a
  /// socket.
  @Test(.endsOtherSockets) func aSocketToAnAncestorStays() throws {
    let output = Mutex(Data())
    var shell: ChildProcess?
    let socket = try System.connectedSocket { far in
      shell = try ChildProcess(
        URL(filePath: "/bin/sh"), ["-c", "exec 3<&0; sleep 86400 & echo $!; wait"],
        input: FileHandle(fileDescriptor: far.rawValue)
      ) { data in output.withLock { $0 += data } }
    }
    defer { shell?.kill() }
    #expect(holds { output.withLock { $0.last == UInt8(ascii: "\n") } })
    let text = String(decoding: output.withLock(\.self), as: UTF8.self)
    let sleeper = try #require(Int32(text.trimmingCharacters(in: .newlines)))
    defer { _ = kill(sleeper, SIGKILL) }
    try ProcessSockets.shutDown(of: sleeper)
    var buffer: [UInt8] = [0]
    #expect(try System.receiveAvailable(socket, into: &buffer) == nil, "the socket is at its end")
  }
}
