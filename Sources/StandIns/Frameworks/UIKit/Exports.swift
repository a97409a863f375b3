@_exported import Combine
@_exported import CoreImage
@_exported import QuartzCore
@_exported import UniformTypeIdentifiers
import _Testing_UIKit
