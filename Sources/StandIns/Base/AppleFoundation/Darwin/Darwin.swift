import Foundation

/// The C functions of sys/socket.h and unistd.h that handlers call by their module, as in `Darwin.connect(…)`.
///
/// It is an enumeration, not a module: with a module of this name, `#if canImport(Darwin)` would be true, also in
/// SwiftPM's test runner.
public enum Darwin {
  public static func socket(_ domain: Int32, _ type: Int32, _ proto: Int32) -> Int32 {
    Foundation.socket(domain, type, proto)
  }

  /// As on Darwin, an address without a family is a Unix socket's. A path longer than a device's limit (103 bytes) is
  /// rejected with `ENAMETOOLONG`.
  public static func connect(
    _ socket: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t
  ) -> Int32 {
    // UNSAFE: the caller's address of `length` bytes, as for the C function; the copy is not longer than its memory.
    unsafe withUnixAddress(address, length) { unsafe Foundation.connect(socket, $0, $1) }
  }

  /// An address without a family is a Unix socket's; see ``connect(_:_:_:)``.
  public static func bind(_ socket: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
    // UNSAFE: as in `connect`.
    unsafe withUnixAddress(address, length) { unsafe Foundation.bind(socket, $0, $1) }
  }

  public static func listen(_ socket: Int32, _ backlog: Int32) -> Int32 { Foundation.listen(socket, backlog) }

  public static func accept(
    _ socket: Int32, _ address: UnsafeMutablePointer<sockaddr>?, _ length: UnsafeMutablePointer<socklen_t>?
  ) -> Int32 {
    // UNSAFE: the caller's memory, as for the C function.
    let descriptor = unsafe Foundation.accept(socket, address, length)
    // The socket of an app that was suspended does not listen any more.
    if descriptor < 0, errno == EINVAL { errno = ECONNABORTED }
    return descriptor
  }

  @discardableResult
  public static func shutdown(_ socket: Int32, _ how: Int32) -> Int32 { Foundation.shutdown(socket, how) }

  public static func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t = 0) -> Int32 {
    // UNSAFE: the caller's string, as for the C function.
    unsafe Foundation.open(path, flags, mode)
  }

  @discardableResult
  public static func lockf(_ descriptor: Int32, _ function: Int32, _ size: off_t) -> Int32 {
    Foundation.lockf(descriptor, function, size)
  }

  @discardableResult
  public static func close(_ descriptor: Int32) -> Int32 { Foundation.close(descriptor) }

  public static func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer!, _ count: Int) -> Int {
    // UNSAFE: the caller's memory of `count` bytes, as for the C function.
    unsafe Foundation.read(descriptor, buffer, count)
  }

  @discardableResult
  public static func write(_ descriptor: Int32, _ buffer: UnsafeRawPointer!, _ count: Int) -> Int {
    // UNSAFE: as in `read`.
    unsafe Foundation.write(descriptor, buffer, count)
  }

  @discardableResult
  public static func send(_ socket: Int32, _ buffer: UnsafeRawPointer!, _ count: Int, _ flags: Int32) -> Int {
    // UNSAFE: as in `read`.
    unsafe Foundation.send(socket, buffer, count, flags)
  }

  public static func recv(
    _ socket: Int32, _ buffer: UnsafeMutableRawPointer!, _ count: Int, _ flags: Int32
  ) -> Int {
    // UNSAFE: as in `read`.
    unsafe Foundation.recv(socket, buffer, count, flags)
  }

  /// Calls `body` with a copy of the address in which the family is set.
  private static func withUnixAddress(
    _ address: UnsafePointer<sockaddr>, _ length: socklen_t,
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    let size = Int(length)
    guard size <= MemoryLayout<sockaddr_storage>.size, size > MemoryLayout<sa_family_t>.size else {
      errno = EINVAL
      return -1
    }
    var storage = sockaddr_storage()
    // UNSAFE: both memories have `size` bytes; the family is within them.
    return unsafe withUnsafeMutableBytes(of: &storage) { bytes in
      unsafe bytes.copyMemory(from: UnsafeRawBufferPointer(start: address, count: size))
      guard let copy = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return -1 }
      if unsafe copy.pointee.sa_family == 0 { unsafe copy.pointee.sa_family = sa_family_t(AF_UNIX) }
      if unsafe copy.pointee.sa_family == sa_family_t(AF_UNIX),
        unsafe bytes[MemoryLayout<sa_family_t>.size..<size].prefix(while: { $0 != 0 }).count > 103
      {
        errno = ENAMETOOLONG
        return -1
      }
      return unsafe body(copy, length)
    }
  }
}

/// The number that Darwin's `socket` takes. Glibc's constant has a separate type, and stays available.
public let SOCK_STREAM: Int32 = 1
public let SOCK_DGRAM: Int32 = 2
public let NSEC_PER_SEC: UInt64 = 1_000_000_000
public let NSEC_PER_MSEC: UInt64 = 1_000_000
public let NSEC_PER_USEC: UInt64 = 1_000
public let USEC_PER_SEC: UInt64 = 1_000_000
public let noErr: Int32 = 0

/// Only calls `body`: Swift on Linux has no autoreleased objects.
public func autoreleasepool<Result, Failure: Error>(
  invoking body: () throws(Failure) -> Result
) throws(Failure) -> Result {
  try body()
}
