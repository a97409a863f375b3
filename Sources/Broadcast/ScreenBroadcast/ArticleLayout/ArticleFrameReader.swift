import CoreVideo
import PixelAccess
import Platform
import ReplayKit
import SharedMemory

/// The app's end of the article's layout: takes whatever is in the slot at every look, as the article's app does.
///
/// So frames repeat: while nothing new comes, and after the extension died. And they tear, which nothing in the file
/// tells. The reader trusts nothing in it all the same.
struct ArticleFrameReader: BroadcastFrameSource {
  private let path: String
  private var file: MappedFile?
  private var pool = AdaptivePixelBufferPool()
  /// What the looks at the present file are told apart by from those at another one.
  private var fileNumber: UInt64 = 0
  private var looks: UInt64 = 0

  init(container: AppGroupContainer) { path = container.articleFile }

  /// The file says nothing of a session.
  var session: BroadcastSession? { nil }
  /// Nobody notices.
  var overtaken: UInt64 { 0 }

  /// What is in the slot now; `nil` when nothing was ever written.
  mutating func next() throws(BroadcastBufferContext.Failure) -> BroadcastFrame? {
    let now = SystemClock().now
    guard let file = try current() else { return nil }
    let outcome: Result<Content?, PixelBufferSerializer.Failure>
    do throws(PixelBufferSerializer.Failure) { outcome = .success(try read(file)) } catch {
      outcome = .failure(error)
    }
    // What was read of a file cut short is zeros, whatever they were taken for.
    if file.isLost { throw .ring(lose()) }
    let content: Content
    switch outcome {
    case .success(let found?): content = found
    case .success(nil): return nil
    case .failure(let failure): throw .frame(failure)
    }
    looks += 1
    return BroadcastFrame(
      pixelBuffer: content.picture, orientation: content.orientation, captureTime: .zero, publishTime: .zero,
      receiveTime: now, id: BroadcastFrame.ID(session: fileNumber, number: looks))
  }

  private struct Content {
    var picture: CVPixelBuffer
    var orientation: CGImagePropertyOrientation
  }

  private mutating func read(_ file: MappedFile) throws(PixelBufferSerializer.Failure) -> Content? {
    try file.withBytes { bytes throws(PixelBufferSerializer.Failure) in
      guard let layout = try ArticleLayout.reading(bytes) else { return nil }
      do throws(PixelBufferError) {
        let picture = try pool.makeBuffer(
          width: layout.width, height: layout.height, pixelFormat: layout.pixelFormat)
        picture.copyPlanes(layout.planes, from: bytes)
        return Content(
          picture: picture,
          orientation: CGImagePropertyOrientation(rawValue: UInt32(bitPattern: layout.orientation)) ?? .up)
      } catch {
        throw .noBuffer(error)
      }
    }
  }

  /// The file at the path, mapped anew when it is another one. Without one, what is mapped stays: the extension
  /// removes the file when it leaves.
  private mutating func current() throws(BroadcastBufferContext.Failure) -> MappedFile? {
    do throws(StorageError) {
      if let file {
        guard let isCurrent = try file.isAt(path), !isCurrent else { return file }
      }
      let file = try MappedFile(path: path)
      self.file = file
      fileNumber = UInt64.random(in: 1...UInt64.max)
      looks = 0
      return file
    } catch {
      if error.isMissing { return file }
      file = nil
      throw .ring(.storage(error))
    }
  }

  /// Lets go of a file that was cut short; the next look opens what is at the path then.
  private mutating func lose() -> RingError {
    file = nil
    return .lost(path: path)
  }
}
