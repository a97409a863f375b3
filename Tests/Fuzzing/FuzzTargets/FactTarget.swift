import Causes
import CommandLineSupport
import Foundation
import Platform

/// Reads the bytes as a line of the facts file. The seeds include the record of a producer that was killed for its memory.
package struct FactTarget: FuzzTarget {
  package static let name = "fact"

  package init(folder: String) {}

  package func generatedSeeds() throws -> [[UInt8]] {
    let kill = MemoryKill(
      pid: 7, session: "ff", atNs: 1, limitBytes: 2, footprintBytes: 3, peakFootprintBytes: 4, heapBytes: 3,
      sharedFileBytes: ["frames.ring": 5])
    let facts: [any FactBody] = [kill, StartedEvent(fps: 60), SecondEvent(seconds: 1, framesDelivered: 60)]
    return facts.compactMap { Fact($0, at: .zero, pid: 7).json.map(Array.init) }
  }

  package func run(_ bytes: [UInt8]) throws {
    guard let fact = Fact(json: Data(bytes)), let kill = fact.body as? MemoryKill else { return }
    let isOneLine = kill.description.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    try require(isOneLine, "'\(kill)' is not one line")
    let again = fact.json.flatMap { Fact(json: $0)?.body as? MemoryKill }
    try require(again == kill, "the record changes when it is written and read again")
  }
}
