import ExampleSupport
import Foundation
import ReplayKit

/// Receives JPEG in HTTP messages, and checks that the pictures show the colour bars of the test pattern.
final class PictureReceiver {
  private let count: Int
  private let context = CIContext()

  init(count: Int) { self.count = count }

  struct Failure: Error, CustomStringConvertible { let description: String }

  func run() throws {
    let folder = try ScreenShare.groupFolder()
    let listener = try UnixSocket.listening(at: folder.appendingPathComponent("screen_fd").path)
    ScreenShare.report("listening")
    let connection = try listener.accept()
    var card = TestCard()
    var description = ""
    for number in 0..<count {
      let message = try receiveMessage(connection)
      let orientation = header("Buffer-Orientation", of: message)
      guard let jpeg = CFHTTPMessageCopyBody(message)?.takeRetainedValue() as Data?,
        let image = CIImage(data: jpeg), let picture = rendered(image)
      else { throw Failure(description: "picture \(number) is not a JPEG") }
      let size = (CVPixelBufferGetWidth(picture), CVPixelBufferGetHeight(picture))
      guard size == (header("Buffer-Width", of: message), header("Buffer-Height", of: message)) else {
        throw Failure(description: "picture \(number) has \(size)")
      }
      var pixels: [UInt8] = []
      forEachRow(of: picture) { pixels += $0 }
      try card.check(
        pixels, width: size.0, height: size.1, rotation: TestCard.rotation(ofOrientation: orientation))
      description = "\(size.0)x\(size.1), orientation \(orientation)"
    }
    ScreenShare.report("\(count) pictures of \(description)")
  }

  /// Receives the next message: the header byte by byte, and then the body.
  private func receiveMessage(_ connection: UnixSocket) throws -> CFHTTPMessage {
    let message = CFHTTPMessageCreateEmpty(kCFAllocatorDefault, false).takeRetainedValue()
    while !CFHTTPMessageIsHeaderComplete(message) { try append(1, to: message, from: connection) }
    try append(header("Content-Length", of: message), to: message, from: connection)
    return message
  }

  private func append(_ count: Int, to message: CFHTTPMessage, from connection: UnixSocket) throws {
    guard let bytes = try connection.receive(count), CFHTTPMessageAppendBytes(message, bytes, count) else {
      throw Failure(description: "the extension left, or it sends no HTTP")
    }
  }

  private func header(_ name: String, of message: CFHTTPMessage) -> Int {
    let value = CFHTTPMessageCopyHeaderFieldValue(message, name as CFString)?.takeRetainedValue() as String?
    return value.flatMap { Int($0) } ?? 0
  }

  private func rendered(_ image: CIImage) -> CVPixelBuffer? {
    var buffer: CVPixelBuffer?
    let (width, height) = (Int(image.extent.width), Int(image.extent.height))
    _ = CVPixelBufferCreate(
      kCFAllocatorDefault, width, height, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, nil, &buffer)
    guard let buffer else { return nil }
    // JPEG uses the matrix BT.601, but the check expects the screen's matrix.
    CVBufferSetAttachment(
      buffer, kCVImageBufferYCbCrMatrixKey, kCVImageBufferYCbCrMatrix_ITU_R_709_2, .shouldPropagate)
    context.render(image, to: buffer)
    return buffer
  }
}
