// The audio of AVFoundation, which is a framework of its own on iOS.
@_exported import AVFoundation
