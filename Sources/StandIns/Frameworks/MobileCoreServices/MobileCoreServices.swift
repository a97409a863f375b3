@_exported import AppleFoundation

// Models the constants of UTCoreTypes.h that handlers pass to ImageIO. UniformTypeIdentifiers replaces them since iOS 15.

public let kUTTypeImage: CFString = "public.image"
public let kUTTypeJPEG: CFString = "public.jpeg"
public let kUTTypePNG: CFString = "public.png"
public let kUTTypeMovie: CFString = "public.movie"
public let kUTTypeMPEG4: CFString = "public.mpeg-4"
public let kUTTypeQuickTimeMovie: CFString = "com.apple.quicktime-movie"
