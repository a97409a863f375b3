import TestSupport

@testable import Platform
@testable import SharedMemory

/// The bytes of an intact ring file, for a test to change.
struct HostileRing {
  static let slotCount = 3
  let folder: TemporaryFolder
  let path: String
  var bytes: [UInt8]
  let layout = RingLayout(slotCount: slotCount, payloadCapacity: 1000)

  /// A ring of three slots in which frames 1 and 2 were published, the newest in slot 2.
  init() throws {
    folder = try TemporaryFolder()
    path = folder("frames.ring")
    let writer = try FrameRingWriter(at: folder("good.ring"), slots: Self.slotCount)
    try writer.publish(repeating: 1)
    try writer.publish(repeating: 2)
    bytes = try PlainFile.read(folder("good.ring"), limit: 1 << 20)
  }

  mutating func set<Number: FixedWidthInteger>(_ offset: Int, to number: Number) {
    bytes.set(offset, to: number)
  }

  /// The newest frame's number and slot, as the header states them.
  var newest: (number: UInt64, slot: Int) {
    RingLayout.unpack(bytes.span.loadLittleEndian(at: RingLayout.Header.latest))
  }

  /// Writes the bytes and reads the newest frame from them.
  func read() throws(FileError) -> Frame? {
    try PlainFile.replace(path, with: bytes)
    return try readAgain()
  }

  /// Reads the newest frame from the existing file.
  private func readAgain() throws(FileError) -> Frame? {
    let reader = try FrameRingReader(path: path)
    let frame = try reader.nextFrame()
    // The fields of the session must be readable whatever their values.
    _ = (reader.state, reader.sessionError, reader.framesPublished, reader.framesDropped)
    return frame
  }

  /// Returns the newest frame of the existing file, or the error of reading it.
  func readResult() -> (frame: Frame?, fault: FileError?) {
    do throws(FileError) { return (try readAgain(), nil) } catch { return (nil, error) }
  }

  func fault() -> FileError? {
    do throws(FileError) { _ = try read() } catch { return error }
    return nil
  }

  /// Expects that the reader reports a changed ring as damaged.
  static func expectDamage(
    _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    _ change: (inout HostileRing) -> Void
  ) throws {
    var ring = try HostileRing()
    change(&ring)
    #expect(ring.fault() == FileError(.damaged, ring.path), comment, sourceLocation: sourceLocation)
  }
}
