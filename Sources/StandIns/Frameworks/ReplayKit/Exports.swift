@_exported import AVFoundation
@_exported import Combine
@_exported import ReplayKitCore
// Through Foundation on iOS.
@_exported import Security
@_exported import UIKit
