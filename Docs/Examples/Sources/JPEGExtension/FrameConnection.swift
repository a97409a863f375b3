import Foundation

/// The extension's end of a Unix socket, as streams with a delegate. It imports Foundation only: the names of Darwin and
/// Core Foundation come by the package's setting.
final class FrameConnection: NSObject {
  var didOpen: (() -> Void)?
  var didClose: ((Error?) -> Void)?
  var hasSpace: (() -> Void)?

  private let path: String
  private var socketHandle: Int32 = -1
  private var address: sockaddr_un?
  private var inputStream: InputStream?
  private var outputStream: OutputStream?
  private var networkQueue: DispatchQueue?
  private var shouldRun = false

  init?(path: String) {
    self.path = path
    socketHandle = Darwin.socket(AF_UNIX, SOCK_STREAM, 0)
    guard socketHandle != -1 else { return nil }
  }

  func open() -> Bool {
    guard FileManager.default.fileExists(atPath: path), setAddress(), connect() else { return false }
    setStreams()
    inputStream?.open()
    outputStream?.open()
    return true
  }

  func close() {
    unscheduleStreams()
    for stream in [inputStream, outputStream] as [Stream?] {
      stream?.delegate = nil
      stream?.close()
    }
    inputStream = nil
    outputStream = nil
  }

  func write(_ bytes: UnsafePointer<UInt8>, maxLength length: Int) -> Int {
    outputStream?.write(bytes, maxLength: length) ?? 0
  }

  private func setAddress() -> Bool {
    var addr = sockaddr_un()
    guard path.count < MemoryLayout.size(ofValue: addr.sun_path) else { return false }
    _ = withUnsafeMutablePointer(to: &addr.sun_path.0) { pointer in
      path.withCString { strncpy(pointer, $0, path.count) }
    }
    address = addr
    return true
  }

  private func connect() -> Bool {
    guard var addr = address else { return false }
    let status = withUnsafePointer(to: &addr) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Darwin.connect(socketHandle, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    return status == noErr
  }

  private func setStreams() {
    var readStream: Unmanaged<CFReadStream>?
    var writeStream: Unmanaged<CFWriteStream>?
    CFStreamCreatePairWithSocket(kCFAllocatorDefault, socketHandle, &readStream, &writeStream)
    inputStream = readStream?.takeRetainedValue()
    inputStream?.delegate = self
    _ = inputStream?.setProperty(
      kCFBooleanTrue, forKey: Stream.PropertyKey(kCFStreamPropertyShouldCloseNativeSocket as String))
    outputStream = writeStream?.takeRetainedValue()
    outputStream?.delegate = self
    _ = outputStream?.setProperty(
      kCFBooleanTrue, forKey: Stream.PropertyKey(kCFStreamPropertyShouldCloseNativeSocket as String))
    scheduleStreams()
  }

  private func scheduleStreams() {
    shouldRun = true
    networkQueue = DispatchQueue.global(qos: .userInitiated)
    networkQueue?.async { [weak self] in
      self?.inputStream?.schedule(in: .current, forMode: .common)
      self?.outputStream?.schedule(in: .current, forMode: .common)
      RunLoop.current.run()
      var isRunning = false
      repeat {
        isRunning = self?.shouldRun ?? false && RunLoop.current.run(mode: .default, before: .distantFuture)
      } while isRunning
    }
  }

  private func unscheduleStreams() {
    networkQueue?.sync { [weak self] in
      self?.inputStream?.remove(from: .current, forMode: .common)
      self?.outputStream?.remove(from: .current, forMode: .common)
    }
    shouldRun = false
  }
}

extension FrameConnection: StreamDelegate {
  func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
    switch eventCode {
    case .openCompleted: if aStream == outputStream { didOpen?() }
    case .hasBytesAvailable:
      guard aStream == inputStream else { return }
      var byte: UInt8 = 0
      if inputStream?.read(&byte, maxLength: 1) == 0, aStream.streamStatus == .atEnd {
        close()
        didClose?(nil)
      }
    case .hasSpaceAvailable: if aStream == outputStream { hasSpace?() }
    case .errorOccurred:
      close()
      didClose?(aStream.streamError)
    default: break
    }
  }
}
