import CoreVideo
import PixelAccess
import ScreenBroadcast
import SharedMemory

/// Plays the extension's side of a container within the test's process.
@MainActor package final class FakeProducer {
  package let container: AppGroupContainer
  package let flag: KeyValueFile
  private var lock: ProcessLock?
  private var ring: FrameRingWriter?
  private var audio: [BroadcastAudioStream: AudioRingWriter] = [:]

  package init(_ container: AppGroupContainer) {
    self.container = container
    flag = KeyValueFile(container: container)
  }

  /// Starts a broadcast: takes the lock with a process ID, creates the frame ring, and sets the flag.
  package func start(processID: Int32 = getpid()) throws {
    lock = try ProcessLock(path: container.producerLockFile, processID: processID)
    ring = try FrameRingWriter(
      path: container.framesFile, slotCount: 3,
      payloadCapacity: PixelBufferSerializer.serializedSize(width: 64, height: 64))
    if processID != getpid() {
      let file = try FileHandle(forUpdating: URL(filePath: container.framesFile))
      try file.seek(toOffset: UInt64(RingLayout.Header.processID))
      // UNSAFE: a local value, copied within the closure.
      try file.write(contentsOf: unsafe withUnsafeBytes(of: processID.littleEndian) { unsafe Data($0) })
    }
    try setFlag(true)
  }

  package func setFlag(_ isOn: Bool) throws {
    try flag.set(isOn, forKey: BroadcastStatusManagerImpl.broadcastIsActive)
  }

  package func publish(
    _ picture: CVPixelBuffer, orientation: UInt32 = 1, at nanoseconds: UInt64 = SystemClock().now.nanoseconds
  )
    throws
  {
    let header = try PixelBufferSerializer.Header(of: picture)
    try ring?.publish(
      byteCount: header.byteCount, captureTime: MonotonicTime(nanoseconds: nanoseconds),
      orientation: orientation
    ) { header.write(picture, into: &$0) }
  }

  /// Publishes a mono packet of 16-bit audio that was captured at `nanoseconds`.
  package func publish(
    _ samples: [Int16], to stream: BroadcastAudioStream, sampleRate: Double = 48_000, at nanoseconds: UInt64
  ) throws {
    guard let session = ring?.session,
      let format = AudioRingFormat(sampleRate: sampleRate, channelCount: 1, isBigEndian: false)
    else { return }
    let writer =
      try audio[stream]
      ?? AudioRingWriter(path: container.audioFile(for: stream), format: format, session: session)
    audio[stream] = writer
    let bytes = samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    try writer.publish(bytes.span, format: format, captureTime: MonotonicTime(nanoseconds: nanoseconds))
  }

  package func setPaused(_ isPaused: Bool) { ring?.isPaused = isPaused }

  /// Ends normally: clears the flag, finishes the rings, and releases the lock.
  package func finish(_ error: RingSessionError? = nil) throws {
    try setFlag(false)
    try leave(error)
  }

  /// Finishes the rings and releases the lock, and does not clear the flag.
  package func leave(_ error: RingSessionError? = nil) throws {
    for writer in audio.values { try writer.finish() }
    audio = [:]
    try ring?.finish(error: error)
    try lock?.release()
    (ring, lock) = (nil, nil)
  }

  /// Crashes: the kernel releases the lock, and everything else stays as it is.
  package func die() { (ring, lock, audio) = (nil, nil, [:]) }
}

extension AppGroupContainer {
  package static let testGroup = "group.com.example.tests"

  package init(in folder: TemporaryFolder) throws {
    try self.init(root: folder.path, group: Self.testGroup)
    try prepare()
  }
}

/// A prepared container in its own folder, for the initial value of a suite's property.
package final class TestContainer: Sendable {
  package let folder = TemporaryFolder.ofSuite()
  package let container: AppGroupContainer

  package init() {
    do { container = try AppGroupContainer(in: folder) } catch { fatalError("\(error)") }
  }
}
