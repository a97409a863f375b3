// The module behind `import Darwin` in packages that set the module alias Darwin=AppleDarwin, so that `canImport(Darwin)` is
// true in those packages and in no other. What differs from Glibc is here; the enumeration `Darwin` serves files without the
// import.
//
// A file that imports Foundation too sees Glibc's functions beside these. Swift takes the functions of this file only where
// the argument needs no conversion, hence one function for each kind of argument. An optional address goes to Glibc's function,
// which demands a family.
@_exported import AppleFoundation

/// These functions take an address without a family too; see `Darwin.connect` of AppleFoundation.
public func connect(_ socket: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
  // UNSAFE: the caller's memory, as for the C function.
  unsafe AppleFoundation.Darwin.connect(socket, address, length)
}

public func connect(
  _ socket: Int32, _ address: UnsafeMutablePointer<sockaddr>, _ length: socklen_t
) -> Int32 {
  // UNSAFE: as in the first function.
  unsafe AppleFoundation.Darwin.connect(socket, address, length)
}

public func connect(_ socket: Int32, _ address: inout sockaddr, _ length: socklen_t) -> Int32 {
  // UNSAFE: as in the first function.
  unsafe AppleFoundation.Darwin.connect(socket, &address, length)
}

public func bind(_ socket: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
  // UNSAFE: as in `connect`.
  unsafe AppleFoundation.Darwin.bind(socket, address, length)
}

public func bind(_ socket: Int32, _ address: UnsafeMutablePointer<sockaddr>, _ length: socklen_t) -> Int32 {
  // UNSAFE: as in `connect`.
  unsafe AppleFoundation.Darwin.bind(socket, address, length)
}

public func bind(_ socket: Int32, _ address: inout sockaddr, _ length: socklen_t) -> Int32 {
  // UNSAFE: as in `connect`.
  unsafe AppleFoundation.Darwin.bind(socket, &address, length)
}
