import CoreVideo
import PixelAccess
import Platform
import ReplayKitCore
import SharedMemory

/// The app's end of the article's layout: reads whatever is in the slot at every poll, as the article's app does.
///
/// So frames repeat while nothing new is published and after the extension crashed, and they tear, which the file does not
/// show. The reader checks every field before it uses it.
struct ArticleFrameReader: BroadcastFrameSource {
  private let path: String
  private var file: MappedFile?
  private var pool = AdaptivePixelBufferPool()
  /// Random for each file, in place of a session.
  private var fileNumber: UInt64 = 0
  private var polls: UInt64 = 0
  private let clock: any MonotonicClock

  init(container: AppGroupContainer, clock: any MonotonicClock = SystemClock()) {
    path = container.articleFile
    self.clock = clock
  }

  /// Always `nil`: the file does not describe a session.
  var session: BroadcastSession? { nil }
  /// Always 0: the layout has no counter.
  var overtaken: UInt64 { 0 }

  mutating func reopen() { file = nil }

  /// The frame in the slot; `nil` when none was written yet.
  mutating func next() throws(FileError) -> Result<BroadcastFrame, PixelBufferSerializer.Failure>? {
    let now = clock.now
    guard let file = try current() else { return nil }
    let result = Result { () throws(PixelBufferSerializer.Failure) in try read(file, at: now) }
    // Bytes of a file that was cut short read as zeros, which may have any meaning.
    if file.isLost {
      // The next poll opens what is at the path then.
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

  /// The file at the path, mapped again when it is another one. Without a file the mapping stays: the extension removes
  /// the file when it ends.
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
