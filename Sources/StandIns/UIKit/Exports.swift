@_exported import Combine
@_exported import CoreImage
@_exported import QuartzCore
import _Testing_UIKit
