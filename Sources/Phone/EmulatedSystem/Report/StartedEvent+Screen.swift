import Causes
import Foundation
import PixelAccess
import Platform
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
