// The module behind `import Darwin` in packages that set the module alias Darwin=AppleDarwin. With the alias,
// `canImport(Darwin)` is true in those packages only. It has the functions that differ from Glibc. Files without the
// import use the enumeration `Darwin`.
//
// A file that also imports Foundation sees Glibc's functions too. Swift prefers the functions of this file only if the
// argument needs no conversion, so there is one function for each kind of argument. An optional address goes to Glibc's
// function, which requires a family.
@_exported import AppleFoundation

/// These functions also take an address without a family; see `Darwin.connect` of AppleFoundation.
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
