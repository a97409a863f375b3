@_exported import CoreGraphics

@_exported import enum PixelAccess.CGImagePropertyOrientation

public let kCGImageDestinationLossyCompressionQuality: CFString = "kCGImageDestinationLossyCompressionQuality"
