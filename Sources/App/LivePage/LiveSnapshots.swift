import Dispatch
import HTTPServer
import PictureFormats
import Synchronization
import WebRTC

/// The newest frame upright as a PNG file, for any number of clients: one is encoded at a time, and none without a client.
final class LiveSnapshots: Sendable {
  private struct State {
    var isEncoding = false
    /// The last file while there are clients, with the count of its frame; empty if the frame cannot be encoded.
    var file: (bytes: [UInt8], count: UInt64)?
    var clientCount = 0
  }

  fileprivate let frames: LiveFrames
  private let wake: LiveWake
  private let encode: @Sendable (LiveFrame) -> [UInt8]
  private let state = Mutex(State())

  init(
    of frames: LiveFrames, wake: LiveWake,
    encode: @escaping @Sendable (LiveFrame) -> [UInt8] = LiveSnapshots.png
  ) { (self.frames, self.wake, self.encode) = (frames, wake, encode) }

  private static func png(of frame: LiveFrame) -> [UInt8] {
    do throws(PNGEncoder.Error) {
      return Array(try PNGEncoder.encode(frame.buffer.pixelBuffer, rotation: frame.rotation))
    } catch {
      return []
    }
  }

  fileprivate func open() { state.withLock { $0.clientCount += 1 } }

  fileprivate func close() {
    state.withLock { state in
      state.clientCount -= 1
      if state.clientCount == 0 { state.file = nil }
    }
  }

  /// The file of a frame, or of a later one; `nil` until it is encoded, off the server's thread.
  fileprivate func file(ofFrame count: UInt64) -> [UInt8]? {
    state.withLock { state in
      if let file = state.file, file.count >= count { return file.bytes }
      if !state.isEncoding {
        state.isEncoding = true
        DispatchQueue.global().async { self.encodeNewest() }
      }
      return nil
    }
  }

  private func encodeNewest() {
    // A client comes after the first frame.
    guard let (frame, count) = frames.next() else { return }
    let bytes = encode(frame)
    state.withLock { state in
      state.isEncoding = false
      if state.clientCount > 0 { state.file = (bytes, count) }
    }
    wake.call()
  }
}

/// The file for one client, of a frame that is not older than the request.
final class LiveSnapshotStream: HTTPBodyStream {
  private let snapshots: LiveSnapshots
  private let count: UInt64
  private let hasSent = Mutex(false)

  /// `nil` before the first frame.
  init?(_ snapshots: LiveSnapshots) {
    guard let count = snapshots.frames.next()?.count else { return nil }
    self.snapshots = snapshots
    self.count = count
    snapshots.open()
  }

  deinit { snapshots.close() }

  func next() -> HTTPBodyPiece {
    hasSent.withLock { hasSent in
      if hasSent { return .end }
      guard let bytes = snapshots.file(ofFrame: count) else { return .wait }
      hasSent = true
      return bytes.isEmpty ? .end : .bytes(bytes)
    }
  }
}
