import ScreenBroadcast

extension Job {
  /// The sending end of the transport.
  func makeSender(_ picture: Picture?) throws -> any FrameSender {
    switch transport {
    case .ring: try RingSender(self, picture: picture, path: path)
    case .app: try RingSender(self, picture: picture, path: container().framesFile)
    case .article, .memcpy, .idle, .cacheLine, .futex: try BareSender(self, picture: picture)
    case .socket: try SocketSender(self, picture: try needed(picture))
    case .jpeg, .gstreamerCopy, .gstreamerZeroCopy: try Peers.makeSender(self, try needed(picture))
    }
  }

  /// The receiving end of the transport.
  func makeReceiver() throws -> AnyReceiver {
    switch transport {
    case .ring: polling == .waiting ? .waiting(try RingWaiter(self)) : .polled(try RingReceiver(self))
    case .article, .memcpy, .idle: .polled(try BareReceiver(self))
    case .cacheLine, .futex: .waiting(try BareReceiver(self))
    case .app: .waiting(try AppReceiver(self))
    case .socket: .waiting(try SocketReceiver(self))
    case .jpeg, .gstreamerCopy, .gstreamerZeroCopy: .waiting(try Peers.makeReceiver(self))
    }
  }

  private func needed(_ picture: Picture?) throws -> Picture {
    guard let picture else { throw Failure("\(transport) needs pixels to send") }
    return picture
  }
}
