import Causes
import CommandLineSupport
import Foundation
import PixelAccess
import Platform
import RunReports
import SharedMemory

// Docs/JSONLines.md has the meaning and the unit of every key.

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

/// The memory of the extension as iOS counts it.
struct MemoryEvent: JSONEvent {
  static let event = "memory"
  var footprintBytes: UInt64
  var peakFootprintBytes: UInt64
  var budgetBytes: UInt64
  var mappedFileBytes: UInt64
}
