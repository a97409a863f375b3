@_exported import CoreVideo
@_exported import ImageIO
import _Testing_CoreImage
