import CoreVideo
import PixelAccess
import Platform
import ReplayKitCore
import SharedMemory

/// Reads the frames of the article's layout in the app: at every poll, whatever is in the slot, as the article's app does.
///
/// Therefore frames repeat while no new frame is published and after the extension crashed. Frames can also be torn, and the file
/// does not show it. The reader checks every field before using it.
struct ArticleFrameReader: BroadcastFrameSource {
  private let path: String
  private var file: MappedFile?
  private var pool = AdaptivePixelBufferPool()
  /// A random number for each file, in place of a session ID.
  private var fileNumber: UInt64 = 0
  private var polls: UInt64 = 0
  private let clock: any MonotonicClock

  init(container: AppGroupContainer, clock: any MonotonicClock = SystemClock()) {
    path = container.articleFile
    self.clock = clock
  }

  /// Always `nil`, because the file does not describe a session.
  var session: BroadcastSession? { nil }
  /// Always 0, because the layout has no counter.
  var overtaken: UInt64 { 0 }

  mutating func reopen() { file = nil }

  /// Returns the frame in the slot; `nil` if none was written yet.
  mutating func next() throws(FileError) -> Result<BroadcastFrame, PixelBufferSerializer.Failure>? {
    let now = clock.now
    guard let file = try current() else { return nil }
    let result = Result { () throws(PixelBufferSerializer.Failure) in try read(file, at: now) }
    // The bytes of a truncated file read as zeros, which may mean anything.
    if file.isLost {
      // The next poll opens the file that is at the path then.
      self.file = nil
      throw FileError(.cutShort, path)
    }
    switch result {
    case .success(nil): return nil
    case .success(let frame?):
      polls += 1
      return .success(frame)
    case .failure(let error): return .failure(error)
    }
  }

  private mutating func read(
    _ file: MappedFile, at now: MonotonicTime
  ) throws(PixelBufferSerializer.Failure) -> BroadcastFrame? {
    try file.withBytes { bytes throws(PixelBufferSerializer.Failure) in
      guard let layout = try ArticleLayout.reading(bytes) else { return nil }
      do throws(PixelBufferError) {
        let pixelBuffer = try pool.makeBuffer(
          width: layout.width, height: layout.height, pixelFormat: layout.pixelFormat)
        pixelBuffer.copyPlanes(layout.planes, from: bytes)
        return BroadcastFrame(
          pixelBuffer: pixelBuffer,
          orientation: CGImagePropertyOrientation(rawValue: UInt32(bitPattern: layout.orientation)) ?? .up,
          captureTime: .zero, publishTime: .zero, receiveTime: now,
          id: BroadcastFrame.ID(session: fileNumber, number: polls + 1))
      } catch {
        throw .noBuffer(error)
      }
    }
  }

  /// Returns the file at the path, mapping it again if it was replaced. If the file is missing, the mapping is kept: the
  /// extension removes the file when it ends.
  private mutating func current() throws(FileError) -> MappedFile? {
    do throws(FileError) {
      if let file {
        guard let isCurrent = try file.isAt(path), !isCurrent else { return file }
      }
      let file = try MappedFile(path: path)
      self.file = file
      fileNumber = UInt64.random(in: 1...UInt64.max)
      polls = 0
      return file
    } catch {
      if error.isMissing { return file }
      file = nil
      throw error
    }
  }
}
