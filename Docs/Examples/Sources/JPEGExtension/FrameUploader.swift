import Foundation
import ReplayKit

/// Encodes frames and sends them in pieces, one frame at a time.
final class FrameUploader {
  private static let imageContext = CIContext(options: nil)
  private static let pieceSize = 10 * 1024

  private enum State {
    case closed, ready, encoding
    case sending(Data, position: Int)
  }

  private let connection: FrameConnection
  private let queue = DispatchQueue(label: "com.example.screenshare.uploader")
  // Used on `queue`, because frames and the stream's events arrive on other queues.
  private var state = State.closed

  init(connection: FrameConnection) {
    self.connection = connection
    connection.didOpen = { [weak self] in
      guard let self else { return }
      self.queue.async { self.state = .ready }
    }
    connection.hasSpace = { [weak self] in
      guard let self else { return }
      self.queue.async { self.sendPiece() }
    }
  }

  /// Encodes and sends a frame, unless the previous frame is still being sent.
  func send(_ sample: CMSampleBuffer) {
    let isReady = queue.sync {
      guard case .ready = state else { return false }
      state = .encoding
      return true
    }
    guard isReady else { return }
    let message = encode(sample)
    queue.async {
      self.state = message.map { .sending($0, position: 0) } ?? .ready
      self.sendPiece()
    }
  }

  /// Sends the next piece. After the last piece, the uploader accepts the next frame.
  private func sendPiece() {
    guard case .sending(let message, let position) = state else { return }
    let length = min(message.count - position, Self.pieceSize)
    guard length > 0 else {
      state = .ready
      return
    }
    let count = message[position..<position + length].withUnsafeBytes { buffer in
      guard let bytes = buffer.bindMemory(to: UInt8.self).baseAddress else { return 0 }
      return max(connection.write(bytes, maxLength: length), 0)
    }
    state = .sending(message, position: position + count)
  }

  private func encode(_ sample: CMSampleBuffer) -> Data? {
    guard let buffer = CMSampleBufferGetImageBuffer(sample) else { return nil }
    CVPixelBufferLockBaseAddress(buffer, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }

    let factor = 2.0
    let width = CVPixelBufferGetWidth(buffer) / Int(factor)
    let height = CVPixelBufferGetHeight(buffer) / Int(factor)
    let orientation =
      CMGetAttachment(sample, key: RPVideoSampleOrientationKey as CFString, attachmentModeOut: nil)?.uintValue
      ?? 0

    let scale = CGAffineTransform(scaleX: CGFloat(1 / factor), y: CGFloat(1 / factor))
    guard let jpeg = jpegData(buffer, scale: scale) else { return nil }

    let response = CFHTTPMessageCreateResponse(kCFAllocatorDefault, 200, nil, kCFHTTPVersion1_1)
      .takeRetainedValue()
    let fields = [
      "Content-Length": jpeg.count, "Buffer-Width": width, "Buffer-Height": height,
      "Buffer-Orientation": Int(orientation),
    ]
    for (name, value) in fields {
      CFHTTPMessageSetHeaderFieldValue(response, name as CFString, String(value) as CFString)
    }
    CFHTTPMessageSetBody(response, jpeg as CFData)
    return CFHTTPMessageCopySerializedMessage(response)?.takeRetainedValue() as Data?
  }

  private func jpegData(_ buffer: CVPixelBuffer, scale: CGAffineTransform) -> Data? {
    let image = CIImage(cvPixelBuffer: buffer).transformed(by: scale)
    guard let colorSpace = image.colorSpace else { return nil }
    let options: [CIImageRepresentationOption: Float] = [
      kCGImageDestinationLossyCompressionQuality as CIImageRepresentationOption: 1.0
    ]
    return Self.imageContext.jpegRepresentation(of: image, colorSpace: colorSpace, options: options)
  }
}
