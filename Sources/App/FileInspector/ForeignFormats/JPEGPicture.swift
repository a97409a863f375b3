import CoreVideo
import Dispatch
import Foundation
import PixelAccess
import Platform
import Synchronization

/// Decodes JPEGs with ffmpeg, through pipes.
enum JPEGPicture {
  enum Failure: Error, Equatable, CustomStringConvertible {
    case noDecoder
    /// No size, or larger than any screen.
    case size(width: Int, height: Int)
    /// ffmpeg failed; the reason.
    case decoder(String)
    case buffer(PixelBufferError)

    /// A clause without a full stop.
    var description: String {
      switch self {
      case .noDecoder: "it is a JPEG, which ffmpeg decodes, and there is no ffmpeg in $PATH; install it"
      case .size(let width, let height): "the JPEG is \(width)x\(height), and sides are 1 to 8192"
      case .decoder(let reason): "ffmpeg cannot decode the JPEG: \(reason)"
      case .buffer(let error): "\(error)"
      }
    }
  }

  /// Decodes a JPEG into a 420f buffer, without the rotation it may state.
  ///
  /// - Parameter searchPath: the folders that may contain ffmpeg.
  static func decode(
    _ bytes: ArraySlice<UInt8>, searchPath: String? = ProcessInfo.processInfo.environment["PATH"]
  ) throws(Failure) -> CVPixelBuffer {
    guard let frame = JPEGFrame(bytes) else { throw .decoder("it has no frame header") }
    guard (1...8192).contains(frame.width), (1...8192).contains(frame.height) else {
      throw .size(width: frame.width, height: frame.height)
    }
    guard let decoder = decoder(in: searchPath) else { throw .noDecoder }
    let samples = try run(decoder, on: Data(bytes))
    let luma = PlaneShape(width: frame.width, height: frame.height, bytesPerRow: frame.width)
    let pairs = (width: (frame.width + 1) / 2, height: (frame.height + 1) / 2)
    let chroma = PlaneShape(width: pairs.width, height: pairs.height, bytesPerRow: 2 * pairs.width)
    guard samples.count == luma.byteCount + chroma.byteCount else {
      throw .decoder("it gave \(samples.count) bytes for a picture of \(frame.width)x\(frame.height)")
    }
    do throws(PixelBufferError) {
      let picture = try PixelBufferPool(
        width: frame.width, height: frame.height, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
      ).makeBuffer()
      picture.copyPlanes(
        [LentPlane(offset: 0, shape: luma), LentPlane(offset: luma.byteCount, shape: chroma)],
        from: samples.span)
      return picture
    } catch {
      throw .buffer(error)
    }
  }

  /// The ffmpeg that a shell would find.
  private static func decoder(in searchPath: String?) -> URL? {
    (searchPath ?? "").split(separator: ":").lazy.map { URL(filePath: "\($0)/ffmpeg") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  /// The output of ffmpeg for a JPEG: luma, then pairs of chroma, in full range and without padding.
  private static func run(_ decoder: URL, on jpeg: Data) throws(Failure) -> [UInt8] {
    let process = Process()
    let (input, output, errors) = (Launching.makePipe(), Launching.makePipe(), Launching.makePipe())
    process.executableURL = decoder
    let arguments =
      "-hide_banner -loglevel error -noautorotate -xerror -err_detect explode -f mjpeg -i pipe:0 "
      + "-frames:v 1 -vf scale=out_range=pc -pix_fmt nv12 -f rawvideo pipe:1"
    process.arguments = arguments.split(separator: " ").map(String.init)
    (process.standardInput, process.standardOutput, process.standardError) = (input, output, errors)
    do {
      try Launching.run(process)
      let words = Mutex("")
      let others = DispatchGroup()
      // Each pipe has its own thread: a full pipe does not block the others.
      DispatchQueue.global().async(group: others) {
        // A decoder may exit before it has read all; its messages give the reason.
        do { try input.fileHandleForWriting.write(contentsOf: jpeg) } catch {}
        do { try input.fileHandleForWriting.close() } catch {}
      }
      DispatchQueue.global().async(group: others) {
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        words.withLock { $0 = text }
      }
      let samples = try output.fileHandleForReading.readToEnd() ?? Data()
      others.wait()
      process.waitUntilExit()
      guard process.terminationReason == .exit, process.terminationStatus == 0, !samples.isEmpty else {
        let line = words.withLock { $0.split(separator: "\n").first.map(String.init) }
        throw Failure.decoder(line ?? "it exited with \(process.terminationStatus)")
      }
      return [UInt8](samples)
    } catch let error as Failure {
      throw error
    } catch {
      throw .decoder(error.localizedDescription)
    }
  }
}
