import Platform
import SharedMemory
import SoundFormats

/// Reads the bytes as a WAV file, from its start and from other positions.
package struct WAVETarget: FuzzTarget {
  package static let name = "wave"

  private let path: String

  package init(folder: String) { path = folder + "/audio.wav" }

  package func run(_ bytes: [UInt8]) throws {
    try PlainFile.replace(path, with: bytes)
    let reader: WAVEReader
    do throws(WAVEReader.Error) { reader = try WAVEReader(path: path) } catch {
      return try require(!error.description.isEmpty, "an error without text")
    }
    let channels = reader.format.channelCount
    try require(reader.frameCount * reader.format.bytesPerFrame <= bytes.count, "more audio than bytes")
    let whole = try reader.read(from: 0, count: .max)
    try require(
      whole.count == min(reader.frameCount, WAVEReader.maximumRead) * channels, "another length than stated")
    let half = whole.count / channels / 2
    try require(
      try reader.read(from: half, count: 3) == Array(whole[(half * channels)...].prefix(3 * channels)),
      "other samples from a later position")
    try require(try reader.read(from: reader.frameCount, count: 1).isEmpty, "samples after the end")
  }
}
