import CoreVideo
import Dispatch
import Platform
import Synchronization

/// The frames that are still to be drawn over while the handler reads them.
final class OverlapCount: Sendable {
  private let count = Mutex(0)

  var remaining: Int {
    get { count.withLock { $0 } }
    set { count.withLock { $0 = newValue } }
  }

  /// Takes one; `false` when none is left.
  func take() -> Bool {
    count.withLock { count in
      defer { count = max(0, count - 1) }
      return count > 0
    }
  }
}

/// The next frame, drawn over parts of one that the handler has locked, as some devices do while it copies pixels.
final class PictureOverlap: Sendable {
  private let later: CVPixelBuffer
  private let count: OverlapCount
  /// Whether the handler holds an earlier sample, which keeps a device from drawing here.
  private let isPrevented: @Sendable () -> Bool
  private let hasBegun = Mutex(false)

  /// The parts into which a picture is cut from top to bottom; every second one is drawn over.
  private static let bands = 64
  /// The longest time from one part to the next.
  private static let longestGap = 60

  init(by later: CVPixelBuffer, count: OverlapCount, isPrevented: @escaping @Sendable () -> Bool) {
    (self.later, self.count, self.isPrevented) = (later, count, isPrevented)
  }

  var isDone: Bool { hasBegun.withLock { $0 } }

  /// Draws parts at random moments from now on, on another thread, which runs when this returns. `draw` copies bytes of a
  /// plane, and returns `false` when the lock has ended.
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
    // A busy machine may start the thread late.
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

  /// Whether this frame is drawn over: asked before each part.
  func mayDraw() -> Bool {
    hasBegun.withLock { hasBegun in
      if !hasBegun { hasBegun = count.take() }
      return hasBegun
    }
  }
}
