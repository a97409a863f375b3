import CoreMedia
import Foundation
import PixelAccess

/// The format of the images that an encoder reads.
struct EncoderInput: Sendable, Equatable {
  let width: Int
  let height: Int
  /// The name of the pixel format in ffmpeg's raw video.
  let fourCC: String
  /// Whether the samples of video use the whole range of a byte.
  let isFullRange: Bool

  /// The format of an image; `nil` when it cannot be encoded.
  init?(of image: CVPixelBuffer) {
    width = CVPixelBufferGetWidth(image)
    height = CVPixelBufferGetHeight(image)
    let format = CVPixelBufferGetPixelFormatType(image)
    switch format {
    case kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange:
      fourCC = "NV12"
    case kCVPixelFormatType_32BGRA: fourCC = "BGRA"
    default: return nil
    }
    isFullRange = format == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
  }

  private var isBGRA: Bool { fourCC == "BGRA" }

  /// The bytes of an image without padding.
  var byteCount: Int { isBGRA ? 4 * width * height : BiPlanar.byteCount(width: width, height: height) }

  /// Replaces `message` by room for the frame's header and the pixels of an image without padding.
  func write(_ image: CVPixelBuffer, to message: inout [UInt8]) {
    let count = RawMatroska.frameHeaderSize + byteCount
    if message.count != count { message = [UInt8](repeating: 0, count: count) }
    var bytes = message.mutableSpan
    var offset = RawMatroska.frameHeaderSize
    for plane in 0..<image.planeCount {
      image.readPlane(plane) { source, shape in
        let rowBytes = isBGRA ? 4 * shape.width : (plane + 1) * shape.width
        bytes.copyRows(
          shape.height, of: source, every: shape.bytesPerRow, to: offset, toEvery: rowBytes,
          rowBytes: rowBytes)
        offset += shape.height * rowBytes
      }
    }
  }
}

/// Raw pictures with their times in Matroska, which is what ffmpeg reads from a pipe without losing times. The numbers are
/// the identifiers of RFC 9559.
enum RawMatroska {
  /// The unit of times.
  static let ticksPerSecond = 100_000

  /// What comes before the first frame.
  static func header(of input: EncoderInput) -> [UInt8] {
    let range: UInt64 = input.isFullRange ? 2 : 1
    let video =
      element(0xB0, number(UInt64(input.width))) + element(0xBA, number(UInt64(input.height)))
      + element(0x2E_B524, Array(input.fourCC.utf8)) + element(0x55B0, element(0x55B9, number(range)))
    let track =
      element(0xD7, number(1)) + element(0x73C5, number(1)) + element(0x83, number(1))
      + element(0x86, Array("V_UNCOMPRESSED".utf8)) + element(0xE0, video)
    return element(0x1A45_DFA3, element(0x4282, Array("matroska".utf8)))
      + identifier(0x1853_8067) + unknownSize
      + element(0x1549_A966, element(0x2A_D7B1, number(UInt64(1_000_000_000 / ticksPerSecond))))
      + element(0x1654_AE6B, element(0xAE, track))
  }

  /// What comes before the pixels of each frame: a cluster with its time, and a block.
  static func frameHeader(ticks: UInt64, byteCount: Int) -> [UInt8] {
    let time = element(0xE7, number(ticks))
    // Track 1, no difference to the cluster's time, a key frame.
    let block = [0xA3] + size(byteCount + 4) + [0x81, 0, 0, 0x80]
    return identifier(0x1F43_B675) + size(time.count + block.count + byteCount) + time + block
  }

  static let frameHeaderSize = frameHeader(ticks: 0, byteCount: 0).count

  private static let unknownSize: [UInt8] = [1, 255, 255, 255, 255, 255, 255, 255]

  private static func element(_ id: UInt32, _ content: [UInt8]) -> [UInt8] {
    identifier(id) + size(content.count) + content
  }

  private static func identifier(_ id: UInt32) -> [UInt8] {
    Array(number(UInt64(id)).drop { $0 == 0 })
  }

  /// A length, in the form of eight bytes.
  private static func size(_ count: Int) -> [UInt8] { [1] + number(UInt64(count)).dropFirst() }

  private static func number(_ value: UInt64) -> [UInt8] {
    (0..<8).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}
