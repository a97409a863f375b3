import SharedMemory

// What the headers of both rings have.
extension Inspection {
  /// Adds the version of a ring; returns whether it is the known one.
  mutating func addVersion(_ version: UInt32, known: UInt32) -> Bool {
    add(.version, version)
    return expect(version == known, "the version is \(version), and version \(known) is known")
  }

  mutating func addSession(_ session: UInt64, pid: UInt32, state: UInt64) {
    add(.session, String(session, radix: 16))
    expect(session != 0, "the session has no number")
    add(.pid, Int32(bitPattern: pid))
    let known = RingState(rawValue: state)
    add(.state, known.map { "\($0)" } ?? "\(state)")
    expect(known != nil, "the state is \(state), and states are 1 to 4")
  }

  /// Checks the size of a file against its header and its geometry, and its end mark; returns whether the sizes agree.
  mutating func expectSize(_ size: Int, stated: UInt64, of bytes: [UInt8], parts: String) -> Bool {
    let isStated = expect(
      stated == UInt64(size), "the header states \(stated) bytes, and its \(parts) make \(size)")
    guard expect(bytes.count == size, "the file has \(bytes.count) bytes, and its \(parts) make \(size)")
    else {
      return false
    }
    expect(
      bytes.suffix(8).elementsEqual(bytes.prefix(8)),
      "the end mark is missing: the file was cut short and enlarged")
    return isStated
  }
}
