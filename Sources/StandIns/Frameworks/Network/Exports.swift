@_exported import AppleFoundation
@_exported import Combine
@_exported import Security
