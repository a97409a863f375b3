import Causes
import CommandLineSupport
import PhoneLink

/// Reads the bytes as the record of a producer that was killed for its memory.
package struct MemoryKillTarget: FuzzTarget {
  package static let name = "memory-kill"

  package init(folder: String) {}

  package func generatedSeeds() throws -> [[UInt8]] {
    let kill = MemoryKill(
      pid: 7, session: "ff", atNs: 1, limitBytes: 2, footprintBytes: 3, peakFootprintBytes: 4, heapBytes: 3,
      sharedFileBytes: ["frames.ring": 5])
    return [try kill.json]
  }

  package func run(_ bytes: [UInt8]) throws {
    guard let kill = MemoryKill(json: bytes) else { return }
    try require(kill.description.isOneLine, "'\(kill)' is not one line")
    try require(
      MemoryKill(json: try kill.json) == kill, "the record changes when it is written and read again")
  }
}
