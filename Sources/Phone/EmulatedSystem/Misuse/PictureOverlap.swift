import CoreVideo
import Dispatch
import Platform
import Synchronization

/// Counts the frames that are still to be overwritten while the handler reads them.
final class OverwriteCount: Sendable {
  private let count = Mutex(0)

  var remaining: Int {
    get { count.withLock { $0 } }
    set { count.withLock { $0 = newValue } }
  }

  /// Consumes one frame; returns `false` if none is left.
  func take() -> Bool {
    count.withLock { count in
      defer { count = max(0, count - 1) }
      return count > 0
    }
  }
}

/// Overwrites parts of a locked frame with the next frame while the handler copies its pixels, as some devices do.
final class PictureOverlap: Sendable {
  private let later: CVPixelBuffer
  private let count: OverwriteCount
  /// Whether the handler holds an earlier sample; a device then does not draw here.
  private let isPrevented: @Sendable () -> Bool
  private let hasBegun = Mutex(false)

  /// The number of horizontal bands of a frame. Half of them, chosen at random, are overwritten.
  private static let bands = 64
  /// The longest time between two bands, in microseconds.
  private static let longestGap = 60

  init(by later: CVPixelBuffer, count: OverwriteCount, isPrevented: @escaping @Sendable () -> Bool) {
    self.later = later
    self.count = count
    self.isPrevented = isPrevented
  }

  var isDone: Bool { hasBegun.withLock { $0 } }

  /// Starts to overwrite bands at random moments on another thread, and waits until the thread runs. `draw` copies bytes of
  /// a plane, and returns `false` once the lock has ended.
  func begin(
    _ draw: @escaping @Sendable (_ bytes: Span<UInt8>, _ start: Int, PixelBufferLayout.Plane) -> Bool
  ) {
    guard !isPrevented() else { return }
    let isRunning = DispatchSemaphore(value: 0)
    DispatchQueue.global(qos: .userInteractive).async { [self] in
      isRunning.signal()
      let clock = SystemClock()
      for band in (0..<Self.bands).shuffled().prefix(Self.bands / 2) {
        let moment = clock.now + .microseconds(Int.random(in: 0...Self.longestGap))
        while clock.now < moment {}
        guard drawBand(band, draw) else { return }
      }
    }
    // An overloaded host may start the thread late.
    _ = isRunning.wait(timeout: .now() + .milliseconds(100))
  }

  private func drawBand(
    _ band: Int, _ draw: (Span<UInt8>, Int, PixelBufferLayout.Plane) -> Bool
  ) -> Bool {
    for plane in 0..<CVPixelBufferGetPlaneCount(later) {
      let isDrawn = later.withPlane(plane) { bytes, shape in
        let first = band * shape.height / Self.bands * shape.bytesPerRow
        let end = (band + 1) * shape.height / Self.bands * shape.bytesPerRow
        return first == end || draw(bytes.extracting(first..<end), first, shape)
      }
      guard isDrawn else { return false }
    }
    return true
  }

  /// Whether this frame may be overwritten; called before each band.
  func mayDraw() -> Bool {
    hasBegun.withLock { hasBegun in
      if !hasBegun { hasBegun = count.take() }
      return hasBegun
    }
  }
}
