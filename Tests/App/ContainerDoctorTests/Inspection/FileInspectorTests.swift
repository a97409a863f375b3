import CommandLineSupport
import CoreVideo
import Foundation
import PixelAccess
import Platform
import SharedMemory
import TestSupport
import Testing

@testable import ContainerDoctor

/// Inspections of files made from the byte tables of the documentation, valid and broken.
@Suite struct FileInspectorTests {
  private let folder = TemporaryFolder.ofSuite()

  private func inspect(_ file: GoldenFile) -> Inspection { FileInspector.inspect(file.bytes) }

  private func expect(
    _ inspection: Inspection, _ values: [InspectedKey: InspectedValue],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for (key, value) in values {
      #expect(inspection.value(key) == value, "\(key)", sourceLocation: sourceLocation)
    }
  }

  private func expectPicture(
    _ inspection: Inspection, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let picture = try #require(inspection.picture, sourceLocation: sourceLocation)
    #expect(samples(picture, plane: 0) == GoldenFile.luma, sourceLocation: sourceLocation)
    #expect(samples(picture, plane: 1) == GoldenFile.chroma, sourceLocation: sourceLocation)
  }

  @Test func everyFormatIsKnownByItsBytes() {
    #expect(Set(GoldenFile.all.map(\.name)) == Set(Inspection.Format.allCases.map(\.rawValue)))
    for (name, file) in GoldenFile.all {
      let inspection = inspect(file)
      #expect(inspection.format?.rawValue == name)
      #expect(inspection.problems == [], "\(name)")
      #expect(inspection.value(.byteCount) == .integer(file.bytes.count))
      #expect(inspection.text.hasPrefix("Format: \(name), ") && inspection.text.hasSuffix("Well-formed."))
    }
  }

  @Test func aRingHasItsFields() throws {
    let inspection = inspect(.ring)
    expect(
      inspection,
      [
        .version: .integer(5), .slots: .integer(2), .slotStride: .integer(4096), .session: .text("abcd"),
        .pid: .integer(77), .state: .text("live"), .frameNumber: .integer(5), .captureTimeNs: .integer(1000),
        .publishTimeNs: .integer(2000), .orientation: .integer(3), .pixelFormat: .text("420f"),
        .width: .integer(6), .height: .integer(4), .lumaBytesPerRow: .integer(8),
        .chromaBytesPerRow: .integer(8),
      ])
    try expectPicture(inspection)
  }

  @Test func aRingWithoutAFrameIsWellFormedAndHasNoPicture() {
    var file = GoldenFile.ring
    file.put(UInt64(0), at: 64)
    let inspection = inspect(file)
    #expect(inspection.isWellFormed && inspection.picture == nil)
    #expect(inspection.note == "No frame has been published in this file yet.")
  }

  @Test func anAudioRingHasItsFields() {
    expect(
      inspect(.audioRing),
      [
        .version: .integer(3), .sampleRate: .number(1000), .channels: .integer(1),
        .bitsPerChannel: .integer(16), .byteOrder: .text("big"), .capacity: .integer(2048),
        .session: .text("abcd"), .pid: .integer(77), .state: .text("paused"), .framesWritten: .integer(100),
        .framesReserved: .integer(110), .packets: .integer(3), .packetsDropped: .integer(4),
        .captureTimeNs: .integer(1070),
      ])
    var empty = GoldenFile.audioRing
    for offset in [128, 192] { empty.put(UInt64(0), at: offset) }
    #expect(inspect(empty).isWellFormed)
    #expect(inspect(empty).note == "No audio has been published in this file yet.")
  }

  /// The offset and value of a change in the valid audio ring, and words of the problem.
  private static let brokenAudioRings: [(Int, UInt32, String)] = [
    (8, UInt32(1), "the version is 1"), (12, 9, "it has 9 channels"),
    (12, 2, "the header states 24584 bytes, and its frames make 28680"), (24, 24, "a sample has 24 bits"),
    (20, 0x7FF0_0000, "the sample rate is inf"), (28, 3, "the byte order is 3"),
    (32, 2047, "the capacity is 2047 frames"), (40, 1, "the header states 1 bytes"),
    (24_576, 0, "the end mark is missing"), (48, 0, "the session has no number"), (256, 0, "the state is 0"),
    (72, 111, "and earlier files had 111 in 0"), (80, 4, "and earlier files had 0 in 4"),
    (128, 99, "99 frames are reserved, and packet 2 ends with frame 100"),
    (128, 613, "613 frames are reserved"), (192, 4, "the counter of packet 3 is 0"),
    (4096 + 64, 5, "the counter of packet 2 is 5"), (4096 + 80, 513, "packet 2 has 513 frames"),
  ]

  @Test func anAudioRingOfTheWriterIsWellFormed() throws {
    let format = try #require(AudioRingFormat(sampleRate: 44_100, channelCount: 2, isBigEndian: true))
    let writer = try AudioRingWriter(
      path: folder("audio-app.ring"), format: format,
      session: RingSession(id: 0xABCD, processID: 9, startTime: 1))
    for _ in 0..<600 {
      try writer.publish([UInt8](repeating: 1, count: 4096).span, format: format, captureTime: 7)
    }
    let inspection = try FileInspector.inspect(path: folder("audio-app.ring"))
    #expect(inspection.format?.rawValue == "audio-ring" && inspection.problems == [])
    expect(inspection, [.framesWritten: .integer(600 * 1024), .packets: .integer(600)])
    try writer.finish()
  }

  /// The offset and value of a change in the valid ring, and words of the problem.
  private static let brokenRings: [(Int, UInt32, String)] = [
    (8, UInt32(1), "the version is 1"), (12, 9, "it has 9 slots"), (16, 4097, "the slot stride is 4097"),
    (24, 8192, "the slots begin at 8192"), (32, 8192, "the header states 8192 bytes"),
    (12_288, 0, "the end mark is missing"), (40, 0, "the session has no number"), (128, 7, "the state is 7"),
    (64, 5 * 256 + 2, "the newest frame is in slot 2"), (256, 11, "the counter of slot 1 is 11"),
    (8192, 4, "slot 1 holds frame 4"), (8192 + 24, 9, "the orientation is 9"),
    (8192 + 32, 4096, "the frame has 4096 bytes, and its slot has 4032"),
    (8192 + 64, 0x4247_5241, "the pixel format BGRA is not supported"),
    (8192 + 68, 10, "the bytes per row of plane 0"),
  ]

  @Test(arguments: brokenRings.map { ("ring", $0) } + brokenAudioRings.map { ("audio-ring", $0) })
  func aBrokenRingHasAProblem(name: String, change: (offset: Int, value: UInt32, words: String)) throws {
    var file = try #require(GoldenFile.all.first { $0.name == name }).file
    file.put(change.value, at: change.offset)
    let inspection = inspect(file)
    #expect(inspection.format?.rawValue == name)
    #expect(inspection.problems.joined(separator: "; ").contains(change.words), "\(inspection.problems)")
    file.bytes.removeLast(5000)
    #expect(!inspect(file).isWellFormed)
  }

  @Test func aTruncatedFileIsMalformedOrUnknownAndNeverTraps() {
    for (name, file) in GoldenFile.all {
      for count in Set([0, 1, 7, 8, 21, 23, 24, file.bytes.count / 2, file.bytes.count - 1]) {
        let inspection = inspect(GoldenFile(Array(file.bytes.prefix(count))))
        #expect(!inspection.isWellFormed || inspection.format?.rawValue != name, "\(name) cut to \(count)")
      }
    }
  }

  @Test(arguments: ["", "hello world, this is no frame at all", "%PDF-1.7 and so on and so forth"])
  func anUnknownFormatIsReported(text: String) {
    let inspection = inspect(GoldenFile(Array(text.utf8)))
    #expect(inspection.format == nil && inspection.problems.count == 1)
    #expect(inspection.text.hasPrefix("Format: none of the known ones."))
  }

  @Test func aMissingFileFailsWithItsExitCode() throws {
    let error = #expect(throws: ProgramFailure.self) { try FileInspector.inspect(path: folder("none")) }
    #expect(error?.exitCode == .inputOutput && error?.message.contains("none") == true)
  }

  @Test func anythingButAPlainFileFailsWithAReason() throws {
    try makeFile(of: S_IFLNK, at: folder("link"), leadingTo: "/dev/null")
    for (path, code, words) in [
      (folder.path, ExitCode.cannotCreate, "is not a plain file."),
      (folder("link"), .notPermitted, "is a symbolic link; name the file it points to."),
    ] {
      let error = #expect(throws: ProgramFailure.self) { try FileInspector.inspect(path: path) }
      #expect(error?.exitCode == code && error?.message == "\(path) \(words)")
    }
  }

  @Test func aLongFileOfAnotherKindIsNotReadToItsEnd() throws {
    try PlainFile.replace(folder("long"), with: [1, 2, 3, 4, 5, 6, 7, 8])
    setSize(of: folder("long"), to: 3 << 30)
    let inspection = try FileInspector.inspect(path: folder("long"))
    #expect(inspection.format == nil && inspection.value(.byteCount) == nil && !inspection.isWellFormed)
  }

  @MainActor @Test func theSnapshotIsUpright() throws {
    // Orientation 3 is a half turn: the first pixel of the file is the last one of the picture.
    try inspect(.ring).check(path: "f", snapshot: folder("picture.png"))
    let png = try PNGDecoder(Array(Data(contentsOf: URL(filePath: folder("picture.png")))))
    #expect(png.width == 6 && png.height == 4)
    #expect(Array(png.rgb.suffix(3)) == rgb(luma: 0, cb: 100, cr: 101))
    #expect(Array(png.rgb.prefix(3)) == rgb(luma: 53, cb: 114, cr: 115))
    // Orientation 6 is three quarters: width and height change places.
    var file = GoldenFile.ring
    file.put(UInt32(6), at: 8192 + 24)
    try inspect(file).check(path: "f", snapshot: folder("turned.png"))
    let turned = try PNGDecoder(Array(Data(contentsOf: URL(filePath: folder("turned.png")))))
    #expect(turned.width == 4 && turned.height == 6)
  }

  @MainActor @Test func aMissingPictureAndAMalformedFileFail() throws {
    let none = #expect(throws: ProgramFailure.self) {
      try inspect(.audioRing).check(path: "f", snapshot: folder("p.png"))
    }
    #expect(none?.exitCode == .cannotCreate && none?.message.contains("no frame") == true)
    var file = GoldenFile.ring
    file.put(UInt32(0), at: 8192 + 24)
    let malformed = #expect(throws: ProgramFailure.self) {
      try inspect(file).check(path: "f", snapshot: folder("p.png"))
    }
    #expect(malformed?.exitCode == .verificationFailed)
    #expect(malformed?.message == "f: the orientation is 0, and orientations are 1 to 8.")
    #expect(folder.names == ["p.png"])  // The picture of a malformed file is written if there is one.
  }

  /// BT.709, full range, in floating point.
  private func rgb(luma: Double, cb: Double, cr: Double) -> [UInt8] {
    [
      luma + 1.5748 * (cr - 128), luma - 0.187324 * (cb - 128) - 0.468124 * (cr - 128),
      luma + 1.8556 * (cb - 128),
    ].map { UInt8(min(255, max(0, $0.rounded()))) }
  }
}
