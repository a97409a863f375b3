import ContainingApp
import Dispatch
import HTTPServer
import PictureFormats
import WebRTC

/// Creates a file from the newest state for each client. Files are created one at a time, off the server's thread, and only
/// for clients that still wait.
struct LiveFile: Sendable {
  let wake: StreamWaker
  var queue = DispatchQueue(label: "page files")
  /// Whether there is a state already.
  var isReady: @Sendable () -> Bool = { true }
  let make: @Sendable () -> [UInt8]

  /// Creates the file of the newest frame, as an upright PNG.
  static func snapshot(
    of frames: LiveFrames, wake: StreamWaker, encode: @escaping @Sendable (LiveFrame) -> [UInt8] = png
  ) -> LiveFile {
    LiveFile(wake: wake, isReady: { frames.newest != nil }) {
      frames.newest.map { encode($0.frame) } ?? []
    }
  }

  private static func png(of frame: LiveFrame) -> [UInt8] {
    do throws(PNGEncoder.Error) {
      return Array(try PNGEncoder.encode(frame.buffer.pixelBuffer, rotation: frame.rotation))
    } catch {
      return []
    }
  }

  /// Creates the file of `report`'s page. The main thread only copies the page's contents.
  static func page(of report: WatchReport, wake: StreamWaker) -> LiveFile {
    LiveFile(wake: wake) {
      Array(DispatchQueue.main.sync { MainActor.assumeIsolated { report.contents } }.page.utf8)
    }
  }

  /// Returns the file for one client, from a state that is not older than the request; `nil` before the first state.
  func answer() -> DeferredAnswer? {
    guard isReady() else { return nil }
    let answer = DeferredAnswer()
    queue.async { [weak answer, make, wake] in
      // `nil` after the client has left.
      guard let answer else { return }
      answer.set(make())
      wake.call()
    }
    return answer
  }
}
