@_exported import CoreMedia

@_exported import enum PixelAccess.CGImagePropertyOrientation
