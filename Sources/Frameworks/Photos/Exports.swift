// What Photos brings with it on iOS.
@_exported import AppleFoundation
