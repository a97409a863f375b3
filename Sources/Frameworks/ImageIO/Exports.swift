@_exported import CoreGraphics

/// The quality of a lossy encoding, 0 to 1, among the options of an encoder. Models ImageIO/CGImageDestination.h.
public let kCGImageDestinationLossyCompressionQuality: CFString = "kCGImageDestinationLossyCompressionQuality"
