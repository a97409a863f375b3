import Foundation

// Models the part of VNObservation.h that handlers read. The emulator creates no observations.

public class VNObservation: NSObject {
  public let uuid = UUID()
  public let confidence: Float = 0

  fileprivate override init() {}
}

public class VNDetectedObjectObservation: VNObservation {
  public let boundingBox = CGRect.zero
}

public class VNRectangleObservation: VNDetectedObjectObservation {
  public let topLeft = CGPoint.zero
  public let topRight = CGPoint.zero
  public let bottomLeft = CGPoint.zero
  public let bottomRight = CGPoint.zero
}

public final class VNRecognizedTextObservation: VNRectangleObservation {
  public func topCandidates(_ maxCandidateCount: Int) -> [VNRecognizedText] { [] }
}

public final class VNRecognizedText: NSObject {
  public let string = ""
  public let confidence: Float = 0

  fileprivate override init() {}
}

public final class VNBarcodeObservation: VNRectangleObservation {
  public let payloadStringValue: String? = nil
  public let symbology = VNBarcodeSymbology.qr
}

public struct VNBarcodeSymbology: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let qr = VNBarcodeSymbology(rawValue: "VNBarcodeSymbologyQR")
  public static let code128 = VNBarcodeSymbology(rawValue: "VNBarcodeSymbologyCode128")
  public static let ean13 = VNBarcodeSymbology(rawValue: "VNBarcodeSymbologyEAN13")
}
