/// Keeps the last 15 seconds of a stream, of which a clip can be exported. Models the class of SCClipBufferingOutput.h.
///
/// The emulated phone keeps none: a stream refuses it with ``SCStreamError/Code/notSupported``, as a device may.
public class SCClipBufferingOutput: NSObject {
  /// Creates an output.
  public init(delegate: (any SCClipBufferingOutputDelegate)?) { super.init() }

  /// Exports a clip; fails with ``SCStreamError/Code/notSupported``.
  public func exportClip(
    to url: URL, duration: TimeInterval, completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    completionHandler?(SCStreamError.noClips)
  }

  /// Exports a clip; fails with ``SCStreamError/Code/notSupported``.
  public nonisolated(nonsending) func exportClip(to url: URL, duration: TimeInterval) async throws {
    throw SCStreamError.noClips
  }
}

extension SCStream {
  /// Begins to keep a clip; fails with ``SCStreamError/Code/notSupported``.
  public func addClipBufferingOutput(_ clipBufferingOutput: SCClipBufferingOutput) throws {
    throw SCStreamError.noClips
  }

  /// Ends to keep a clip; fails with ``SCStreamError/Code/notSupported``.
  public func removeClipBufferingOutput(_ clipBufferingOutput: SCClipBufferingOutput) throws {
    throw SCStreamError.noClips
  }
}

extension SCStreamError {
  fileprivate static let noClips = SCStreamError(.notSupported, "The emulated phone keeps no clips.")
}

/// An object that the output notifies. Models the protocol of SCClipBufferingOutput.h.
public protocol SCClipBufferingOutputDelegate: NSObjectProtocol {
  /// The output keeps what comes.
  func clipBufferingOutputDidStartBuffering(_ clipBufferingOutput: SCClipBufferingOutput)

  /// The output failed.
  func clipBufferingOutput(_ clipBufferingOutput: SCClipBufferingOutput, didFailWithError error: any Error)

  /// The output keeps nothing any more.
  func clipBufferingOutputDidStopBuffering(_ clipBufferingOutput: SCClipBufferingOutput)
}

// In Objective-C these methods are optional.
extension SCClipBufferingOutputDelegate {
  /// Does nothing.
  public func clipBufferingOutputDidStartBuffering(_ clipBufferingOutput: SCClipBufferingOutput) {}

  /// Does nothing.
  public func clipBufferingOutput(
    _ clipBufferingOutput: SCClipBufferingOutput, didFailWithError error: any Error
  ) {}

  /// Does nothing.
  public func clipBufferingOutputDidStopBuffering(_ clipBufferingOutput: SCClipBufferingOutput) {}
}
