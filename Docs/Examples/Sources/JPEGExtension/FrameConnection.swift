import Foundation

/// The extension's end of a Unix socket, as streams with a delegate. It imports only Foundation: the names of Darwin and
/// Core Foundation come from the package's settings.
final class FrameConnection: NSObject {
  var didOpen: (() -> Void)?
  var didClose: ((Error?) -> Void)?
  var hasSpace: (() -> Void)?

  private let path: String
  private var socketHandle: Int32 = -1
  private var address: sockaddr_un?
  private let lock = NSLock()
  // Guarded by `lock`: the uploader writes while an event or the end of the broadcast closes.
  private var openStreams: (input: InputStream, output: OutputStream)?
  private let networkQueue = DispatchQueue.global(qos: .userInitiated)

  init?(path: String) {
    self.path = path
    socketHandle = Darwin.socket(AF_UNIX, SOCK_STREAM, 0)
    guard socketHandle != -1 else { return nil }
  }

  func open() -> Bool {
    guard FileManager.default.fileExists(atPath: path), setAddress(), connect() else { return false }
    guard let streams = makeStreams() else { return false }
    lock.withLock { openStreams = streams }
    schedule(streams)
    streams.input.open()
    streams.output.open()
    return true
  }

  func close() {
    let streams = lock.withLock {
      defer { openStreams = nil }
      return openStreams
    }
    guard let streams else { return }
    unschedule(streams)
    for stream in [streams.input, streams.output] as [Stream] {
      stream.delegate = nil
      stream.close()
    }
  }

  func write(_ bytes: UnsafePointer<UInt8>, maxLength length: Int) -> Int {
    streams?.output.write(bytes, maxLength: length) ?? 0
  }

  private var streams: (input: InputStream, output: OutputStream)? { lock.withLock { openStreams } }

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

  private func makeStreams() -> (input: InputStream, output: OutputStream)? {
    var readStream: Unmanaged<CFReadStream>?
    var writeStream: Unmanaged<CFWriteStream>?
    CFStreamCreatePairWithSocket(kCFAllocatorDefault, socketHandle, &readStream, &writeStream)
    guard let input = readStream?.takeRetainedValue(), let output = writeStream?.takeRetainedValue() else {
      return nil
    }
    for stream in [input, output] as [Stream] {
      stream.delegate = self
      _ = stream.setProperty(
        kCFBooleanTrue, forKey: Stream.PropertyKey(kCFStreamPropertyShouldCloseNativeSocket as String))
    }
    return (input, output)
  }

  private func schedule(_ streams: (input: InputStream, output: OutputStream)) {
    // Streams are not Sendable; `lock` decides which thread closes them.
    nonisolated(unsafe) let streams = streams
    networkQueue.async { [weak self] in
      streams.input.schedule(in: .current, forMode: .common)
      streams.output.schedule(in: .current, forMode: .common)
      RunLoop.current.run()
      while self?.streams != nil, RunLoop.current.run(mode: .default, before: .distantFuture) {}
    }
  }

  private func unschedule(_ streams: (input: InputStream, output: OutputStream)) {
    networkQueue.sync {
      streams.input.remove(from: .current, forMode: .common)
      streams.output.remove(from: .current, forMode: .common)
    }
  }
}

extension FrameConnection: StreamDelegate {
  func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
    guard let streams else { return }
    switch eventCode {
    case .openCompleted: if aStream == streams.output { didOpen?() }
    case .hasBytesAvailable:
      guard aStream == streams.input else { return }
      var byte: UInt8 = 0
      if streams.input.read(&byte, maxLength: 1) == 0, aStream.streamStatus == .atEnd {
        close()
        didClose?(nil)
      }
    case .hasSpaceAvailable: if aStream == streams.output { hasSpace?() }
    case .errorOccurred:
      let error = aStream.streamError
      close()
      didClose?(error)
    default: break
    }
  }
}
