import Foundation
import ReplayKit
import Synchronization

/// A file of the app group that holds the newest frame, mapped by the extension that writes it and the app that reads it.
///
/// The file begins with a counter, which is odd while the extension writes. The reader copies the frame and compares the
/// counters before and after: it never waits, and never returns half of a frame.
public final class FrameFile {
  private let memory: UnsafeMutableRawPointer
  private let byteCount: Int

  private static let headerOffset = 8
  private static let pixelsOffset = 64

  /// Creates the file for frames of up to `pixels` pixels. The blocks are reserved, because a full disk ends a process that
  /// writes to a hole of a mapping.
  public init(creating path: String, pixels: Int) throws {
    unlink(path)
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL, 0o600)
    guard descriptor >= 0 else { throw Failure("create \(path)", errno) }
    defer { close(descriptor) }
    byteCount = Self.pixelsOffset + pixels * 3 / 2
    let status = posix_fallocate(descriptor, 0, byteCount)
    guard status == 0 else { throw Failure("reserve \(path)", status) }
    memory = try Self.map(descriptor, byteCount, PROT_READ | PROT_WRITE, path)
  }

  /// Opens the file for reading.
  public init(reading path: String) throws {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { throw Failure("open \(path)", errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Failure("examine \(path)", errno) }
    byteCount = Int(status.st_size)
    guard byteCount >= Self.pixelsOffset else { throw Failure("read \(path)", EINVAL) }
    memory = try Self.map(descriptor, byteCount, PROT_READ, path)
  }

  deinit { munmap(memory, byteCount) }

  /// Replaces the frame; returns `false` if the new frame is too large. Only one thread may write.
  public func write(_ sample: CMSampleBuffer, _ header: FrameHeader) -> Bool {
    guard let pixelBuffer = CMSampleBufferGetImageBuffer(sample),
      header.payload <= byteCount - Self.pixelsOffset
    else { return false }
    counter += 1
    // The pixels are written after the counter became odd, and before it becomes even.
    atomicMemoryFence(ordering: .releasing)
    UnsafeMutableRawBufferPointer(start: memory + Self.headerOffset, count: FrameHeader.byteCount)
      .copyBytes(from: header.bytes)
    var offset = Self.pixelsOffset
    forEachRow(of: pixelBuffer) { row in
      guard let start = row.baseAddress else { return }
      (memory + offset).copyMemory(from: start, byteCount: row.count)
      offset += row.count
    }
    atomicMemoryFence(ordering: .releasing)
    counter += 1
    return true
  }

  /// Returns the newest frame; `nil` before the first frame, and when the extension wrote during the copy.
  public func read() throws -> (header: FrameHeader, pixels: [UInt8])? {
    let before = counter
    guard before > 0, before % 2 == 0 else { return nil }
    atomicMemoryFence(ordering: .acquiring)
    let start = bytes(FrameHeader.byteCount, at: Self.headerOffset)
    guard let header = FrameHeader(start), header.payload <= byteCount - Self.pixelsOffset else {
      guard counter == before else { return nil }
      throw Failure("read a frame that begins with \(start)", EINVAL)
    }
    let pixels = bytes(header.payload, at: Self.pixelsOffset)
    atomicMemoryFence(ordering: .acquiring)
    return counter == before ? (header, pixels) : nil
  }

  private var counter: UInt64 {
    get { memory.load(as: UInt64.self) }
    set { memory.storeBytes(of: newValue, as: UInt64.self) }
  }

  private func bytes(_ count: Int, at offset: Int) -> [UInt8] {
    [UInt8](UnsafeRawBufferPointer(start: memory + offset, count: count))
  }

  private static func map(_ descriptor: Int32, _ byteCount: Int, _ protection: Int32, _ path: String) throws
    -> UnsafeMutableRawPointer
  {
    guard let memory = mmap(nil, byteCount, protection, MAP_SHARED, descriptor, 0), memory != MAP_FAILED
    else {
      throw Failure("map \(path)", errno)
    }
    return memory
  }

  /// The reason why the file cannot be used.
  public struct Failure: Error, CustomStringConvertible {
    /// The call, and the system's reason.
    public let description: String

    init(_ call: String, _ code: Int32) { description = "cannot \(call): \(String(cString: strerror(code)))" }
  }
}
