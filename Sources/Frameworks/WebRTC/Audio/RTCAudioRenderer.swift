/// What plays a track's sound, or anything else that wants it.
public protocol RTCAudioRenderer: NSObjectProtocol {
  /// Takes 10 ms of sound. It is called on the thread that records.
  func render(pcmBuffer: RTCPCMBuffer)
}
