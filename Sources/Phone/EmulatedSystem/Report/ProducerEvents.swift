import Causes
import CommandLineSupport
import Foundation
import PixelAccess
import Platform
import RunReports
import SharedMemory

extension StartedEvent {
  /// The start of a broadcast of this screen.
  @MainActor
  init(_ screen: EmulatedScreen, session: RingSession?, container: String) {
    self.init(fps: screen.framesPerSecond)
    let size = screen.content.size
    pid = ProcessInfo.processInfo.processIdentifier
    self.session = session.map { String($0.id, radix: 16) }
    self.container = container
    (width, height, bytesPerRow) = (size.width, size.height, screen.bytesPerRow)
    pixelFormat = screen.pixelFormat.fourCharacters
    bitRate = Double(BiPlanar.byteCount(width: size.width, height: size.height)) * 8 * fps
  }
}

extension MisuseEvent {
  init(_ misuse: HandlerMisuse, held: HeldBuffers?) {
    self.init(
      kind: misuse.rawValue, description: misuse.description, buffersHeld: held?.count,
      heldSeconds: held.map { $0.longest / .seconds(1) })
  }
}

/// The memory of the extension, as iOS counts it (Docs/CommandLine.md#the-memory-limit), at the end.
struct MemoryEvent: JSONEvent {
  static let event = "memory"
  /// The memory that counts.
  var footprintBytes: UInt64
  /// The largest value of all seconds.
  var peakFootprintBytes: UInt64
  /// The `--memory-limit`, or 52428800, the limit of iOS, when it is off.
  var budgetBytes: UInt64
  /// Mapped files in memory, which do not count.
  var mappedFileBytes: UInt64
}
