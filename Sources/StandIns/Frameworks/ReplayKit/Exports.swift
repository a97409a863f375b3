@_exported import AVFoundation
@_exported import Combine
@_exported import ReplayKitCore
// On iOS, Foundation exports this module.
@_exported import Security
@_exported import UIKit
