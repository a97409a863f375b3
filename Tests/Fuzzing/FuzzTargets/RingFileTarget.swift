import Platform
import SharedMemory

/// Opens and reads the bytes as a frame ring's file.
package struct RingFileTarget: FuzzTarget {
  package static let name = "ring"

  private let path: String

  package init(folder: String) { path = folder + "/frames.ring" }

  package func generatedSeeds() throws -> [[UInt8]] {
    let writer = try FrameRingWriter(path: path, slotCount: 2, payloadCapacity: 16)
    var seeds = [try PlainFile.read(path, limit: .max)]
    for byteCount in [0, 1, 16] { try writer.publish(byteCount: byteCount) }
    seeds.append(try PlainFile.read(path, limit: .max))
    let reader = try MappedFile(path: path)
    try writer.finish(error: RingSessionError(domain: "domain", code: -1, text: "text"))
    seeds.append(reader.withBytes { bytes in bytes.indices.map { bytes[$0] } })
    return seeds
  }

  package func run(_ bytes: [UInt8]) throws {
    try PlainFile.replace(path, with: bytes)
    let reader: FrameRingReader
    do throws(FileError) { reader = try FrameRingReader(path: path) } catch {
      return try require(error.isSentence, "'\(error)' is not one sentence")
    }
    try reader.readAll(upTo: bytes.count)
  }
}

extension FrameRingWriter {
  /// Publishes a frame in which each byte is the lowest byte of its number.
  @discardableResult
  func publish(byteCount: Int) throws -> FrameStamp {
    let byte = UInt8(truncatingIfNeeded: framesPublished + 1)
    return try publish(byteCount: byteCount, captureTime: .zero, orientation: 1) { slot in
      for index in slot.indices { slot[index] = byte }
    }
  }
}

extension FrameRingReader {
  /// Reads the frames of the ring, and checks that no frame is larger than the file.
  func readAll(upTo fileSize: Int) throws {
    for _ in 0..<3 {
      guard let count = try readOne() else { break }
      try require(count < fileSize, "a frame of \(count) bytes in a file of \(fileSize)")
    }
    let error = sessionError
    try require(error == nil || state == .finished, "an error in a session that has not finished")
    _ = (framesPublished, framesDropped, overtaken)
    _ = try isCurrent()
  }

  /// Reads every byte of the newest frame, and returns its size; `nil` if there is no frame or the ring is damaged.
  private func readOne() throws(FuzzFinding) -> Int? {
    do throws(FileError) {
      return try next { _, payload in
        var sum: UInt8 = 0
        for index in payload.indices { sum &+= payload[index] }
        return payload.count + Int(sum & 0)
      }
    } catch {
      try require(error.isSentence, "'\(error)' is not one sentence")
      return nil
    }
  }
}

extension FileError {
  fileprivate var isSentence: Bool { !description.isEmpty && !description.contains("\n") }
}
