// The module behind `import Darwin` in packages that set the module alias Darwin=AppleDarwin, so that `canImport(Darwin)` is
// true in those packages and in no other. What differs from Glibc is here; the enumeration `Darwin` serves files without the
// import.
@_exported import AppleFoundation

/// Connects a socket, to an address without a family too; see `Darwin.connect` of AppleFoundation.
public func connect(_ socket: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
  // UNSAFE: the caller's memory, as for the C function.
  unsafe AppleFoundation.Darwin.connect(socket, address, length)
}

/// Binds a socket, to an address without a family too.
public func bind(_ socket: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
  // UNSAFE: as in `connect`.
  unsafe AppleFoundation.Darwin.bind(socket, address, length)
}

/// Sends bytes over a socket, without a signal when the other side is closed.
@discardableResult
public func send(_ socket: Int32, _ buffer: UnsafeRawPointer!, _ count: Int, _ flags: Int32) -> Int {
  // UNSAFE: as in `connect`.
  unsafe AppleFoundation.Darwin.send(socket, buffer, count, flags)
}
