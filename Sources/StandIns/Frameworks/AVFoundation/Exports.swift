@_exported import AudioToolbox
@_exported import CoreImage
@_exported import CoreMedia
@_exported import QuartzCore
