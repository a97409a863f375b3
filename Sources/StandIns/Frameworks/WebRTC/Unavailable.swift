// Names of WebRTC that the emulator lacks. The error of the compiler says what to use instead.

@available(*, unavailable, message: "The emulator has no WebRTC engine: send the frames to the app.")
public class RTCPeerConnection {}
@available(*, unavailable, message: "The emulator has no WebRTC engine: send the frames to the app.")
public class RTCConfiguration { public init() {} }
@available(*, unavailable, message: "The emulator has no WebRTC engine: send the frames to the app.")
public class RTCIceServer { public init(urlStrings: [String]) {} }
@available(*, unavailable, message: "The emulator has no WebRTC engine: send the frames to the app.")
public class RTCIceCandidate {}
@available(*, unavailable, message: "The emulator has no WebRTC engine: send the frames to the app.")
public class RTCSessionDescription {}
@available(*, unavailable, message: "The emulator has no WebRTC engine: send the frames to the app.")
public class RTCDefaultVideoEncoderFactory { public init() {} }
@available(*, unavailable, message: "The emulator has no WebRTC engine: send the frames to the app.")
public class RTCDefaultVideoDecoderFactory { public init() {} }
@available(*, unavailable, message: "The emulator has no WebRTC engine: send the frames to the app.")
public protocol RTCPeerConnectionDelegate {}

extension RTCPeerConnectionFactory {
  @available(*, unavailable, message: "The emulator has no WebRTC engine: send the frames to the app.")
  public convenience init(
    encoderFactory: RTCDefaultVideoEncoderFactory?, decoderFactory: RTCDefaultVideoDecoderFactory?
  ) { self.init() }
  @available(*, unavailable, message: "The emulator has no WebRTC engine: send the frames to the app.")
  public func peerConnection(
    with configuration: RTCConfiguration, constraints: RTCMediaConstraints,
    delegate: (any RTCPeerConnectionDelegate)?
  ) -> RTCPeerConnection? { nil }
}
