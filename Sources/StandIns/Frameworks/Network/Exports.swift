@_exported import AppleFoundation
@_exported import Combine
