import ContainingApp
import Dispatch
import HTTPServer
import PictureFormats
import Synchronization
import WebRTC

/// A file of the newest state, for any number of clients: one is made at a time, off the server's thread, and none without a
/// client.
final class LiveFile: Sendable {
  private struct State {
    var isBeingMade = false
    /// The last file while there are clients, with the version of its state; empty if it cannot be made.
    var file: (bytes: [UInt8], version: UInt64)?
    var clientCount = 0
  }

  /// The version of the newest state; `nil` before the first.
  fileprivate let version: @Sendable () -> UInt64?
  private let wake: LiveWake
  private let make: @Sendable () -> [UInt8]
  private let queue: DispatchQueue
  private let state = Mutex(State())

  init(
    wake: LiveWake, queue: DispatchQueue = .global(), version: @escaping @Sendable () -> UInt64?,
    make: @escaping @Sendable () -> [UInt8]
  ) { (self.wake, self.queue, self.version, self.make) = (wake, queue, version, make) }

  /// The newest of `frames` upright, as a PNG file.
  static func snapshot(
    of frames: LiveFrames, wake: LiveWake, encode: @escaping @Sendable (LiveFrame) -> [UInt8] = png
  ) -> LiveFile {
    LiveFile(
      wake: wake, version: { frames.newest?.count }, make: { frames.newest.map { encode($0.frame) } ?? [] })
  }

  private static func png(of frame: LiveFrame) -> [UInt8] {
    do throws(PNGEncoder.Error) {
      return Array(try PNGEncoder.encode(frame.buffer.pixelBuffer, rotation: frame.rotation))
    } catch {
      return []
    }
  }

  /// The page of `report`, each of whose messages is one of `events`. The main thread only copies what it is made from.
  static func page(of report: WatchReport, after events: LiveEvents, wake: LiveWake) -> LiveFile {
    LiveFile(
      wake: wake, version: { events.newestID },
      make: { Array(DispatchQueue.main.sync { MainActor.assumeIsolated { report.contents } }.page.utf8) })
  }

  fileprivate func open() { state.withLock { $0.clientCount += 1 } }

  fileprivate func close() {
    state.withLock { state in
      state.clientCount -= 1
      if state.clientCount == 0 { state.file = nil }
    }
  }

  /// The file of a version, or of a later one; `nil` until it is made.
  fileprivate func file(of version: UInt64) -> [UInt8]? {
    state.withLock { state in
      if let file = state.file, file.version >= version { return file.bytes }
      if !state.isBeingMade {
        state.isBeingMade = true
        queue.async { self.makeNewest() }
      }
      return nil
    }
  }

  private func makeNewest() {
    let isWanted = state.withLock { state in
      state.isBeingMade = state.clientCount > 0
      return state.isBeingMade
    }
    // A client comes after the first version.
    guard isWanted, let version = version() else { return }
    let bytes = make()
    state.withLock { state in
      state.isBeingMade = false
      if state.clientCount > 0 { state.file = (bytes, version) }
    }
    wake.call()
  }
}

/// The file for one client, of a state that is not older than the request.
final class LiveFileStream: HTTPBodyStream {
  private let file: LiveFile
  private let version: UInt64
  private let hasSent = Mutex(false)

  /// `nil` before the first state.
  init?(_ file: LiveFile) {
    guard let version = file.version() else { return nil }
    self.file = file
    self.version = version
    file.open()
  }

  deinit { file.close() }

  func next() -> HTTPBodyPiece {
    hasSent.withLock { hasSent in
      if hasSent { return .end }
      guard let bytes = file.file(of: version) else { return .wait }
      hasSent = true
      return bytes.isEmpty ? .end : .bytes(bytes)
    }
  }
}
