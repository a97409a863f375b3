// The audio part of AVFoundation. On iOS it is a separate framework.
@_exported import AVFoundation
