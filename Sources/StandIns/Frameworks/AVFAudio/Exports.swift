// The audio part of AVFoundation, which is a separate framework on iOS.
@_exported import AVFoundation
