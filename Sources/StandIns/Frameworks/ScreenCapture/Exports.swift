@_exported import AVFoundation
@_exported import Combine
@_exported import UIKit
