import Foundation
import Platform
import SharedMemory

/// Reads the bytes as an audio ring's file, and then uses them to change the file of a live writer.
package struct AudioRingTarget: FuzzTarget {
  package static let name = "audio-ring"

  private let path: String
  private let format: AudioRingFormat

  package init(folder: String) throws {
    path = folder + "/audio-app.ring"
    guard let format = AudioRingFormat(sampleRate: 1000, channelCount: 1, isBigEndian: true) else {
      throw FuzzFinding("the format is refused")
    }
    self.format = format
  }

  package func generatedSeeds() throws -> [[UInt8]] {
    let writer = try makeWriter()
    var seeds = [try PlainFile.read(path, limit: .max)]
    try publish(to: writer, packets: 3)
    seeds.append(try PlainFile.read(path, limit: .max))
    try publish(to: writer, packets: 600)
    seeds.append(try PlainFile.read(path, limit: .max))
    try writer.finish()
    return seeds + [[0xFF, 192, 200], [1, 128, 0, 1, 192, 0, 1, 200, 0]]
  }

  package func run(_ bytes: [UInt8]) throws {
    try PlainFile.replace(path, with: bytes)
    var reader: AudioRingReader?
    do throws(FileError) { reader = try AudioRingReader(path: path) } catch {
      try require(!error.description.contains("\n"), "'\(error)' is not one sentence")
    }
    if let reader { try readAll(reader) }
    try changeLiveFile(bytes)
  }

  /// Simulates a session in which another process changes bytes of the file. Every three of `bytes` are an offset (two bytes)
  /// and the new value.
  private func changeLiveFile(_ bytes: [UInt8]) throws {
    let writer = try makeWriter()
    let reader = try AudioRingReader(path: path)
    try publish(to: writer, packets: 3)
    try readAll(reader)
    let file = try FileHandle(forUpdating: URL(filePath: path))
    for index in stride(from: 0, to: min(bytes.count - bytes.count % 3, 96), by: 3) {
      let offset = (UInt64(bytes[index]) << 8 | UInt64(bytes[index + 1])) % 8192
      try file.seek(toOffset: offset)
      try file.write(contentsOf: [bytes[index + 2]])
      try publish(to: writer, packets: 1)
      try readAll(reader)
    }
    try file.close()
    try writer.finish()
  }

  private func readAll(_ reader: AudioRingReader) throws {
    for backlog in [nil, .seconds(1), nil] as [Duration?] {
      let runs: [AudioRun]
      do throws(FileError) { runs = try reader.read(joiningWith: backlog) } catch {
        return try require(!error.description.contains("\n"), "'\(error)' is not one sentence")
      }
      let count = runs.reduce(0) { $0 + $1.samples.count }
      try require(
        count <= reader.capacity * reader.format.channelCount, "\(count) samples, more than the ring holds")
      try require(runs.allSatisfy { !$0.samples.isEmpty }, "a run without samples")
      let ends = runs.map { $0.firstFrame + UInt64($0.samples.count / reader.format.channelCount) }
      try require(
        ends.last ?? reader.position.frame == reader.position.frame,
        "a run that does not end at the reader's position")
    }
    _ = (reader.state, reader.packetsDropped, reader.framesPublished, reader.gaps, reader.framesLost)
    _ = try reader.isCurrent()
  }

  private func makeWriter() throws(FileError) -> AudioRingWriter {
    try AudioRingWriter(
      path: path, format: format, session: RingSession(id: 1, processID: 2, startTime: .zero))
  }

  private func publish(to writer: AudioRingWriter, packets: Int) throws(FileError) {
    for _ in 0..<packets {
      let samples = [UInt8](repeating: UInt8(truncatingIfNeeded: writer.framesPublished), count: 20)
      try writer.publish(
        samples.span, format: format,
        captureTime: MonotonicTime(nanoseconds: 1_000_000 * writer.framesPublished))
    }
  }
}
