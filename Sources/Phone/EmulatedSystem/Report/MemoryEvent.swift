import Causes
import CommandLineSupport
import Foundation
import PixelAccess
import Platform
import RunReports
import SharedMemory

extension StartedEvent {
  /// Creates the start event of a broadcast of `screen`.
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
  init(_ misuse: HandlerMisuse, held: HeldBuffers?, name: String?) {
    self.init(
      kind: misuse.rawValue, description: misuse.text(nil, name), buffersHeld: held?.count,
      heldSeconds: held.map { $0.longest / .seconds(1) })
  }
}

/// The extension's memory at the end, as iOS counts it (Docs/CommandLine.md#the-memory-limit).
struct MemoryEvent: JSONEvent {
  static let event = "memory"
  /// The footprint: the memory that counts towards the limit.
  var footprintBytes: UInt64
  /// The largest footprint of any second.
  var peakFootprintBytes: UInt64
  /// The `--memory-limit`, or 52428800 (the limit of iOS) if it is off.
  var budgetBytes: UInt64
  /// The resident size of mapped files. It does not count towards the limit.
  var mappedFileBytes: UInt64
}
