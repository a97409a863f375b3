/// Captures the content that the person chose, in the app's process. Models the class in SCStream.h of iOS 27.
///
/// ```swift
/// let stream = SCStream(filter: filter, configuration: SCStreamConfiguration(), delegate: self)
/// try stream.addStreamOutput(self, type: .screen, sampleHandlerQueue: queue)
/// try await stream.startCapture()
/// ```
/// The delegate and the completion handlers are called on a queue of the system. (It is not known which queue a phone uses.)
public class SCStream: NSObject {
  let content: ContentStream

  /// Creates a stream without starting it.
  /// - Parameter delegate: not retained.
  public init(
    filter: SCContentFilter, configuration streamConfig: SCStreamConfiguration,
    delegate: (any SCStreamDelegate)?
  ) {
    content = ContentStream(filter, streamConfig, delegate)
    super.init()
    content.attach(self)
  }

  /// The stream stops, as on macOS.
  deinit { if content.isCapturing { content.stop { _ in } } }

  public var isCapturing: Bool { content.isCapturing }

  /// The clock of the samples' timestamps while the stream runs; otherwise `nil`.
  public var synchronizationClock: CMClock? { isCapturing ? .hostTimeClock : nil }

  /// - Parameter output: not retained.
  /// - Throws: ``SCStreamError/Code/invalidParameter`` if the output has already been added.
  public func addStreamOutput(
    _ output: any SCStreamOutput, type: SCStreamOutputType, sampleHandlerQueue: DispatchQueue?
  ) throws {
    try content.add(
      ContentStream.Output(type, on: sampleHandlerQueue, of: output) { [weak content, weak output] sample in
        guard let stream = content?.stream else { return }
        output?.stream(stream, didOutputSampleBuffer: sample, of: type)
      })
  }

  /// - Throws: ``SCStreamError/Code/invalidParameter`` if the output was not added.
  public func removeStreamOutput(_ output: any SCStreamOutput, type: SCStreamOutputType) throws {
    try content.remove(of: output, type)
  }

  /// - Parameter completionHandler: receives ``SCStreamError/Code/attemptToStartStreamState`` if the stream already
  /// runs.
  public func startCapture(completionHandler: (@Sendable ((any Error)?) -> Void)? = nil) {
    content.start { completionHandler?($0) }
  }

  public nonisolated(nonsending) func startCapture() async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      content.start { continuation.resume(with: $0.map { .failure($0) } ?? .success(())) }
    }
  }

  /// After the handler is called, no sample follows.
  /// - Parameter completionHandler: receives ``SCStreamError/Code/attemptToStopStreamState`` if the stream does not run.
  public func stopCapture(completionHandler: (@Sendable ((any Error)?) -> Void)? = nil) {
    content.stop { completionHandler?($0) }
  }

  public nonisolated(nonsending) func stopCapture() async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      content.stop { continuation.resume(with: $0.map { .failure($0) } ?? .success(())) }
    }
  }
}

public enum SCStreamOutputType: Int, CaseIterable, Sendable {
  case screen, audio, microphone
}

public protocol SCStreamOutput: NSObjectProtocol {
  func stream(
    _ stream: SCStream, didOutputSampleBuffer sampleBuffer: CMSampleBuffer, of type: SCStreamOutputType)
}

/// Models the protocol in SCStream.h of iOS 27, without the camera.
public protocol SCStreamDelegate: NSObjectProtocol {
  func stream(_ stream: SCStream, didStopWithError error: any Error)
  func streamDidBecomeActive(_ stream: SCStream)
  func streamDidBecomeInactive(_ stream: SCStream)
}

// These methods are optional in Objective-C.
extension SCStreamOutput {
  public func stream(
    _ stream: SCStream, didOutputSampleBuffer sampleBuffer: CMSampleBuffer, of type: SCStreamOutputType
  ) {}
}

extension SCStreamDelegate {
  public func stream(_ stream: SCStream, didStopWithError error: any Error) {}
  public func streamDidBecomeActive(_ stream: SCStream) {}
  public func streamDidBecomeInactive(_ stream: SCStream) {}
}
