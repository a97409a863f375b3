// Apps force-unwrap the base address of bytes that are not empty.
// swift-format-ignore-file: NeverForceUnwrap

import Darwin
import Foundation
import Testing

// Calls the names of AppleDarwin in the forms that apps use, in a file that also imports Foundation. The test is that the
// file compiles, here and in SwiftSixTests (a symbolic link to this file).

private final class Socket {
  let descriptor: Int32
  init(_ descriptor: Int32) { self.descriptor = descriptor }
  deinit { close(descriptor) }

  func send(_ data: Data) -> Int {
    data.withUnsafeBytes { Darwin.send(descriptor, $0.baseAddress, $0.count, 0) }
  }

  func receive(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let received = recv(descriptor, &bytes, count, MSG_WAITALL)
    return Array(bytes.prefix(max(0, received)))
  }
}

private func sends(_ socket: Int32, _ bytes: [UInt8]) -> [Int] {
  let data = Data(bytes)
  let count = bytes.count
  let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
  defer { memory.deallocate() }
  memory.initialize(from: bytes, count: count)
  var number = UInt32(7)
  let raw = UnsafeRawPointer(memory)
  let optional: UnsafeRawPointer? = raw
  send(socket, raw, count, 0)
  Darwin.send(socket, raw, count, 0)
  _ = send(socket, raw, count, 0)
  let shapes = [
    send(socket, raw, count, 0), send(socket, optional, count, 0), send(socket, raw + 1, count - 1, 0),
    send(socket, raw.advanced(by: 1), count - 1, 0), send(socket, memory, count, 0),
    send(socket, UnsafePointer(memory), count, 0), send(socket, UnsafeMutableRawPointer(memory), count, 0),
    send(socket, bytes, count, 0), send(socket, [1, 2] as [UInt8], 2, 0), send(socket, "text", 4, 0),
    send(socket, &number, MemoryLayout<UInt32>.size, 0),
    send(socket, NSData(data: data).bytes, data.count, 0),
  ]
  let closures = [
    data.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, 0) },
    data.withUnsafeBytes { send(socket, $0.baseAddress!, data.count, MSG_DONTWAIT) },
    data.withUnsafeBytes { (buffer: UnsafeRawBufferPointer) -> Int in
      guard let start = buffer.baseAddress else { return 0 }
      return send(socket, start.assumingMemoryBound(to: UInt8.self), buffer.count, 0)
    },
    data.withUnsafeBytes { buffer in
      let result = send(socket, buffer.baseAddress!.advanced(by: 1), buffer.count - 1, 0)
      return result
    },
    bytes.withUnsafeBufferPointer { send(socket, $0.baseAddress, $0.count, 0) },
    withUnsafeBytes(of: number) { send(socket, $0.baseAddress, $0.count, 0) },
    withUnsafePointer(to: &number) { send(socket, $0, MemoryLayout<UInt32>.size, 0) },
    "text".withCString { send(socket, $0, 4, 0) },
  ]
  let writes = [
    write(socket, raw, count), write(socket, bytes, count), Darwin.write(socket, bytes, count),
    data.withUnsafeBytes { write(socket, $0.baseAddress, $0.count) },
    data.withUnsafeBytes { write(socket, $0.baseAddress!, $0.count) }, write(socket, &number, 4),
  ]
  return shapes + closures + writes
}

private func receives(_ socket: Int32) -> [Int] {
  var byte: UInt8 = 0
  var bytes = [UInt8](repeating: 0, count: 2)
  var data = Data(count: 2)
  return [
    recv(socket, &byte, 1, MSG_PEEK), recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT),
    recv(socket, &byte, 1, Int32(MSG_WAITALL)), Darwin.recv(socket, &byte, 1, MSG_WAITALL),
    recv(socket, &bytes, bytes.count, 0), bytes.withUnsafeMutableBytes { recv(socket, $0.baseAddress, 1, 0) },
    bytes.withUnsafeMutableBytes { recv(socket, $0.baseAddress!, 1, MSG_WAITALL) },
    bytes.withUnsafeMutableBufferPointer { recv(socket, $0.baseAddress, 1, 0) },
    data.withUnsafeMutableBytes { recv(socket, $0.baseAddress!.advanced(by: 1), 1, 0) },
    read(socket, &byte, 1), Darwin.read(socket, &byte, 1), read(socket, &bytes, 1),
    data.withUnsafeMutableBytes { read(socket, $0.baseAddress, 1) },
  ]
}

private func address(_ path: String) -> sockaddr_un {
  var address = sockaddr_un()
  let size = MemoryLayout.size(ofValue: address.sun_path)
  withUnsafeMutablePointer(to: &address.sun_path) { field in
    _ = path.withCString { text in
      field.withMemoryRebound(to: CChar.self, capacity: size) { strlcpy($0, text, size) }
    }
  }
  return address
}

/// Calls `connect` and `bind` in each form, and returns the results.
private func connections(_ socket: Int32, _ local: inout sockaddr_un) -> [Int32] {
  let length = socklen_t(MemoryLayout<sockaddr_un>.size)
  let short = socklen_t(MemoryLayout<sockaddr>.size)
  var plain = sockaddr()
  let found = UnsafeMutablePointer<addrinfo>.allocate(capacity: 1)
  defer { found.deallocate() }
  found.initialize(to: addrinfo())
  return withUnsafeMutablePointer(to: &plain) { pointer in
    let optional: UnsafePointer<sockaddr>? = UnsafePointer(pointer)
    found.pointee.ai_addr = pointer
    return [
      connect(socket, pointer, short), connect(socket, UnsafePointer(pointer), short),
      connect(socket, optional, short), connect(socket, found.pointee.ai_addr, short),
      Darwin.connect(socket, pointer, short), bind(socket, pointer, short),
      bind(socket, UnsafePointer(pointer), short), bind(socket, optional, short),
      bind(socket, found.pointee.ai_addr, short), Darwin.bind(socket, pointer, short),
    ]
  } + [
    connect(socket, &plain, short), bind(socket, &plain, short), Darwin.connect(socket, &plain, short),
    withUnsafePointer(to: &local) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, length) }
    },
    withUnsafePointer(to: &local) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, length) }
    },
    withUnsafeMutablePointer(to: &local) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, length) }
    },
    withUnsafeMutablePointer(to: &local) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, length) }
    },
    withUnsafeBytes(of: &local) { connect(socket, $0.bindMemory(to: sockaddr.self).baseAddress, length) },
    withUnsafeBytes(of: &local) {
      connect(socket, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), length)
    },
  ]
}

private func options(_ socket: Int32) -> [Int32] {
  var on: Int32 = 1
  var time = timeval(tv_sec: 1, tv_usec: 0)
  let size = socklen_t(MemoryLayout<Int32>.size)
  setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &on, size)
  return [
    setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout.size(ofValue: on))),
    withUnsafePointer(to: &on) { setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, $0, size) },
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size)),
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, size),
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &on, size),
  ]
}

@Suite struct DarwinTests {
  private func pair() -> (Socket, Socket) {
    var ends: [Int32] = [-1, -1]
    #expect(socketpair(AF_UNIX, SOCK_STREAM, 0, &ends) == 0)
    return (Socket(ends[0]), Socket(ends[1]))
  }

  @Test func eachFormOfSendIsSent() {
    let (first, second) = pair()
    let bytes: [UInt8] = [1, 2]
    let counts = sends(first.descriptor, bytes)
    #expect(counts.allSatisfy { $0 > 0 })
    #expect(second.receive(3 * 2 + counts.reduce(0, +)).count == 3 * 2 + counts.reduce(0, +))
    #expect(second.send(Data(repeating: 5, count: 16)) == 16)
    #expect(receives(first.descriptor).allSatisfy { $0 > 0 })
    #expect(shutdown(first.descriptor, SHUT_WR) == 0 && Darwin.shutdown(first.descriptor, SHUT_RDWR) == 0)
    #expect(shutdown(first.descriptor, Int32(SHUT_RDWR)) == 0)
    #expect(second.receive(1).isEmpty)
  }

  @Test func eachFormOfConnectIsCalled() {
    var local = address("/nowhere")
    #expect(connections(-1, &local).allSatisfy { $0 == -1 })
    #expect(errno == EBADF)
    #expect(options(-1).allSatisfy { $0 == -1 })
  }

  @Test func anAddressWithoutAFamilyIsOneOfAPath() {
    var address = sockaddr()
    withUnsafeMutableBytes(of: &address.sa_data) { $0.copyBytes(from: "/no/where".utf8) }
    let length = socklen_t(MemoryLayout<sockaddr>.size)
    let socket = Socket(socket(PF_UNIX, SOCK_STREAM, 0))
    func code(_ result: Int32) -> Int32 { result == -1 ? errno : 0 }
    let codes = [
      code(connect(socket.descriptor, &address, length)), code(bind(socket.descriptor, &address, length)),
      code(Darwin.connect(socket.descriptor, &address, length)),
      code(Darwin.bind(socket.descriptor, &address, length)),
      withUnsafePointer(to: &address) { code(connect(socket.descriptor, $0, length)) },
      withUnsafePointer(to: &address) { code(bind(socket.descriptor, $0, length)) },
      withUnsafeMutablePointer(to: &address) { code(connect(socket.descriptor, $0, length)) },
      withUnsafeMutablePointer(to: &address) { code(bind(socket.descriptor, $0, length)) },
    ]
    #expect(codes.allSatisfy { $0 == ENOENT }, "\(codes)")
  }

  @Test func socketsAreMadeWithTheConstantsOfDarwin() {
    let sockets = [
      socket(AF_INET, SOCK_STREAM, IPPROTO_TCP), Darwin.socket(AF_INET, SOCK_DGRAM, IPPROTO_UDP),
      socket(AF_INET, Int32(SOCK_STREAM), Int32(IPPROTO_TCP)), Darwin.socket(AF_UNIX, SOCK_STREAM, 0),
    ].map(Socket.init)
    #expect(sockets.allSatisfy { $0.descriptor >= 0 })
    let server = sockets[3].descriptor
    var length = socklen_t(MemoryLayout<sockaddr_un>.size)
    var peer = sockaddr_un()
    #expect(listen(-1, 5) == -1 && Darwin.listen(-1, SOMAXCONN) == -1)
    #expect(accept(server, nil, nil) == -1 && Darwin.accept(server, nil, nil) == -1)
    let accepted = withUnsafeMutablePointer(to: &peer) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { accept(server, $0, &length) }
    }
    #expect(accepted == -1)
  }

  @Test func timesAndMemoryAreRead() {
    var base = mach_timebase_info_data_t()
    mach_timebase_info(&base)
    guard mach_timebase_info(&base) == KERN_SUCCESS else {
      Issue.record("no unit of time")
      return
    }
    #expect(mach_absolute_time() * UInt64(base.numer) / UInt64(base.denom) / NSEC_PER_MSEC > 0)
    var information = task_vm_info_data_t()
    var count = mach_msg_type_number_t(MemoryLayout<task_vm_info>.size) / 4
    let result: kern_return_t = withUnsafeMutablePointer(to: &information) {
      $0.withMemoryRebound(to: integer_t.self, capacity: Int(count)) {
        task_info(mach_task_self_, task_flavor_t(TASK_VM_INFO), $0, &count)
      }
    }
    #expect(result == KERN_SUCCESS && information.phys_footprint > 0)
    var name = [CChar](repeating: 1, count: 4)
    #expect(strlcpy(&name, "text", name.count) == 4 && autoreleasepool { noErr } == 0)
  }
}
