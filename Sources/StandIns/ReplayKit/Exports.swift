@_exported import AVFoundation
@_exported import Combine
@_exported import ReplayKitCore
@_exported import UIKit
