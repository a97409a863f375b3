import CommandLineSupport

/// A producer was killed for its memory. This is its last fact, and no program prints it.
///
/// On a device there is no such record, and the app is not informed. Amounts are in bytes.
package struct MemoryKill: FactBody, Equatable {
  package static let event = "memoryKill"
  package var pid: Int32
  /// The random ID of its session, in hexadecimal; `nil` if it had none yet.
  package var session: String?
  /// The time of the record, in nanoseconds of the monotonic clock.
  package var atNs: UInt64
  package var limitBytes: UInt64
  /// The footprint (private memory that was written).
  package var footprintBytes: UInt64
  package var peakFootprintBytes: UInt64
  // The parts of the footprint.
  package var pixelBufferBytes: UInt64
  /// Memory of the allocator, excluding pixel buffers.
  package var heapBytes: UInt64
  package var stackBytes: UInt64
  /// The rest of the footprint, mainly modified data of the program and its libraries.
  package var otherBytes: UInt64
  /// The emulated system's memory in the same process. Not part of the footprint.
  package var systemBytes: UInt64
  /// The mapped files of the broadcast, by name. Not part of the footprint.
  package var sharedFileBytes: [String: UInt64]
  /// Other mapped files, such as the program itself. Not part of the footprint.
  package var mappedFileBytes: UInt64

  /// The maximum number of entries in ``sharedFileBytes``.
  package static let sharedFileLimit = 16

  package init(
    pid: Int32, session: String?, atNs: UInt64, limitBytes: UInt64, footprintBytes: UInt64,
    peakFootprintBytes: UInt64, pixelBufferBytes: UInt64 = 0, heapBytes: UInt64 = 0, stackBytes: UInt64 = 0,
    otherBytes: UInt64 = 0, systemBytes: UInt64 = 0, sharedFileBytes: [String: UInt64] = [:],
    mappedFileBytes: UInt64 = 0
  ) {
    self.pid = pid
    self.session = session
    self.atNs = atNs
    self.limitBytes = limitBytes
    self.footprintBytes = footprintBytes
    self.peakFootprintBytes = peakFootprintBytes
    self.pixelBufferBytes = pixelBufferBytes
    self.heapBytes = heapBytes
    self.stackBytes = stackBytes
    self.otherBytes = otherBytes
    self.systemBytes = systemBytes
    self.sharedFileBytes = sharedFileBytes
    self.mappedFileBytes = mappedFileBytes
  }

  /// Whether the numbers are consistent and the strings are printable.
  var isConsistent: Bool {
    let counted = [pixelBufferBytes, heapBytes, stackBytes, otherBytes]
    return pid > 0 && limitBytes > 0 && footprintBytes > limitBytes && peakFootprintBytes >= footprintBytes
      && counted.allSatisfy { $0 <= footprintBytes }
      && session.map { UInt64($0, radix: 16) != nil } ?? true
      && sharedFileBytes.count <= Self.sharedFileLimit
      && sharedFileBytes.keys.allSatisfy { name in
        (1...255).contains(name.utf8.count) && name.utf8.allSatisfy { (0x20...0x7E).contains($0) }
      }
  }
}

extension MemoryKill: CustomStringConvertible {
  /// The event in words that follow the name of the process in a sentence.
  package var description: String {
    let parts = [
      ("pixel buffers", pixelBufferBytes), ("heap", heapBytes), ("stacks", stackBytes), ("other", otherBytes),
    ].map { "\($0) \(Double($1).mebibytesText)" }
    return "was killed for its memory: \(Double(footprintBytes).mebibytesText) of "
      + "\(Double(limitBytes).mebibytesText); \(parts.joined(separator: ", "))"
  }

  /// Returns the line of the kernel's log for a program.
  package func logLine(program: String) -> String {
    "EXC_RESOURCE -> \(program)[\(pid)] exceeded mem limit: ActiveHard \(limitBytes >> 20) MB (fatal)"
  }
}
