import Foundation
import Platform
import SharedMemory

/// A session of a writer, a reader and a third process that changes their file; the bytes are the steps.
package struct RingSessionTarget: FuzzTarget {
  package static let name = "ring-session"

  private let path: String
  private static let capacity = 5000

  package init(folder: String) { path = folder + "/frames.ring" }

  /// A step; its operands follow it.
  private enum Step: UInt8, CaseIterable {
    /// The writer publishes a frame: size.
    case publish
    case read
    /// The reader opens the path again.
    case open
    /// The third process sets a word: its index in the file, and its eight bytes.
    case word
    /// The third process sets a byte: its offset and its value.
    case byte
    /// The third process resizes the file: its size in units of 8 bytes.
    case resize
  }

  package func generatedSeeds() -> [[UInt8]] {
    let publish = [Step.publish.rawValue, 100, 0]
    let (read, open) = ([Step.read.rawValue], [Step.open.rawValue])
    func resize(_ size: Int) -> [UInt8] {
      [Step.resize.rawValue, UInt8(size / 8 % 256), UInt8(size / 8 / 256)]
    }
    var words: [UInt8] = []
    for index in 0..<40 as Range<UInt8> {
      words += [Step.word.rawValue, index, 0, 0, 1, 0, 0, 0, 0, 0, 0] + read
    }
    return [
      publish + read + publish + publish + read, publish + words,
      publish + resize(0) + read + publish + open + read + publish + read,
      publish + resize(8192) + publish + publish + open + read,
    ]
  }

  package func run(_ bytes: [UInt8]) throws {
    var steps = Steps(rest: bytes[...])
    let writer = try FrameRingWriter(path: path, slotCount: 2, payloadCapacity: Self.capacity)
    var reader = try FrameRingReader(path: path)
    let fileSize = try PlainFile.read(path, limit: .max).count
    var isTouched = false
    // More steps would find the same faults more slowly.
    for _ in 0..<64 {
      guard let step = steps.next(UInt8.self) else { break }
      switch Step.allCases[Int(step) % Step.allCases.count] {
      case .publish: try writer.publish(byteCount: Int(steps.next(UInt16.self) ?? 0) % (Self.capacity + 1))
      case .read: try reader.readAll(upTo: 2 * fileSize)
      case .open:
        do throws(FileError) { reader = try FrameRingReader(path: path) } catch {
          try require(isTouched, "\(error) in a file that was not changed")
        }
      case .word:
        let index = Int(steps.next(UInt16.self) ?? 0) % (fileSize / 8)
        try change { file in
          try file.seek(toOffset: UInt64(index * 8))
          try file.write(contentsOf: steps.take(8))
        }
        isTouched = true
      case .byte:
        let index = Int(steps.next(UInt16.self) ?? 0) % fileSize
        try change { file in
          try file.seek(toOffset: UInt64(index))
          try file.write(contentsOf: steps.take(1))
        }
        isTouched = true
      case .resize:
        let size = 8 * Int(steps.next(UInt16.self) ?? 0) % (fileSize + 1)
        try change { file in try file.truncate(atOffset: UInt64(size)) }
        isTouched = true
      }
    }
    let stamp = try writer.publish(byteCount: 1)
    try reader.readAll(upTo: 2 * fileSize)
    if !isTouched { try expectNewest(stamp) }
    try writer.finish()
  }

  /// Expects that a new reader of the ring finds the frame published last.
  private func expectNewest(_ stamp: FrameStamp) throws {
    let found = try FrameRingReader(path: path).next { found, payload in found == stamp && payload.count == 1
    }
    try require(found == true, "frame \(stamp.number) is not the newest")
  }

  private func change(_ body: (FileHandle) throws -> Void) throws {
    let file = try FileHandle(forUpdating: URL(filePath: path))
    try body(file)
    try file.close()
  }

  /// The remaining bytes, taken from the front.
  private struct Steps {
    var rest: ArraySlice<UInt8>

    mutating func next<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
      let size = MemoryLayout<Number>.size
      guard rest.count >= size else { return nil }
      return take(size).reversed().reduce(0) { $0 << 8 | Number($1) }
    }

    mutating func take(_ count: Int) -> [UInt8] {
      let bytes = Array(rest.prefix(count))
      rest = rest.dropFirst(count)
      return bytes
    }
  }
}
