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
    guard
      let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: Meeting.group)
    else { throw Failure(description: "there is no app group \(Meeting.group)") }
    let listener = try UnixSocket.listening(at: folder.appendingPathComponent("screen_fd").path)
    print("listening")
    fflush(stdout)
    let connection = try listener.accept()
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
      try check(picture, number)
      description = "\(size.0)x\(size.1), orientation \(orientation)"
    }
    print("\(count) pictures of \(description)")
  }

  /// The next message: the header byte by byte, and then the body.
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
    if let buffer { context.render(image, to: buffer) }
    return buffer
  }

  /// The luma of the eight bars, from white to black, a third from the top.
  private func check(_ picture: CVPixelBuffer, _ number: Int) throws {
    CVPixelBufferLockBaseAddress(picture, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(picture, .readOnly) }
    guard let luma = CVPixelBufferGetBaseAddressOfPlane(picture, 0) else { return }
    let row = CVPixelBufferGetHeight(picture) * 2 / 3 * CVPixelBufferGetBytesPerRowOfPlane(picture, 0)
    let width = CVPixelBufferGetWidth(picture)
    let bars = (0..<8).map { bar in
      Int(luma.load(fromByteOffset: row + width * (2 * bar + 1) / 16, as: UInt8.self))
    }
    let expected = [191, 169, 134, 112, 79, 57, 22, 0]
    guard zip(bars, expected).allSatisfy({ abs($0 - $1) < 12 }) else {
      throw Failure(description: "picture \(number) has bars of \(bars), not \(expected)")
    }
  }
}
