import EmulatedDevice
import Foundation
import Synchronization

// Models the parts of VNRequest.h, VNRequestHandler.h and the requests for text and barcodes that handlers use.

public let VNErrorDomain: String = "com.apple.Vision"

public typealias VNRequestCompletionHandler = (VNRequest, (any Error)?) -> Void

/// There are no results here: see ``VNImageRequestHandler``.
public protocol _VNResults: AnyObject {}

extension _VNResults {
  public var results: [VNObservation]? { nil }
}

open class VNRequest: NSObject, _VNResults {
  public let completionHandler: VNRequestCompletionHandler?
  open var preferBackgroundProcessing = false
  open var usesCPUOnly = false
  open var revision = 1
  open var regionOfInterest = CGRect(x: 0, y: 0, width: 1, height: 1)

  public init(completionHandler: VNRequestCompletionHandler? = nil) {
    self.completionHandler = completionHandler
  }

  /// Without effect.
  open func cancel() {}
}

public typealias VNImageBasedRequest = VNRequest

public final class VNRecognizeTextRequest: VNRequest {
  public var results: [VNRecognizedTextObservation]? { nil }
  public var recognitionLevel = VNRequestTextRecognitionLevel.accurate
  public var recognitionLanguages: [String] = []
  public var customWords: [String] = []
  public var minimumTextHeight: Float = 0
  public var usesLanguageCorrection = true
  public var automaticallyDetectsLanguage = false
}

public enum VNRequestTextRecognitionLevel: Int, Sendable {
  case accurate, fast
}

public final class VNDetectBarcodesRequest: VNRequest {
  public var results: [VNBarcodeObservation]? { nil }
  public var symbologies: [VNBarcodeSymbology] = []
}

public struct VNImageOption: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Recognizes nothing. As in Apple's simulators, each request fails with "Could not create inference context". The
/// failure is logged.
public final class VNImageRequestHandler: NSObject {
  private static let hasReported = Atomic(false)

  public init(
    cvPixelBuffer pixelBuffer: CVPixelBuffer, orientation: CGImagePropertyOrientation = .up,
    options: [VNImageOption: Any] = [:]
  ) {}
  public init(
    cmSampleBuffer sampleBuffer: CMSampleBuffer, orientation: CGImagePropertyOrientation = .up,
    options: [VNImageOption: Any] = [:]
  ) {}
  public init(
    cgImage image: CGImage, orientation: CGImagePropertyOrientation = .up, options: [VNImageOption: Any] = [:]
  ) {}
  public init(
    ciImage image: CIImage, orientation: CGImagePropertyOrientation = .up, options: [VNImageOption: Any] = [:]
  ) {}
  public init(
    data imageData: Data, orientation: CGImagePropertyOrientation = .up, options: [VNImageOption: Any] = [:]
  ) {}

  public func perform(_ requests: [VNRequest]) throws {
    guard !requests.isEmpty else { return }
    if !Self.hasReported.exchange(true, ordering: .relaxed) {
      NSLog(
        "%@",
        "Vision: the emulator recognizes nothing, and each request fails as in a simulator: code 9, "
          + "\"Could not create inference context\".")
    }
    let error = NSError(code: 9, in: VNErrorDomain, text: "Could not create inference context")
    for request in requests { request.completionHandler?(request, error) }
    throw error
  }
}
