// Core Media here declares the formats and buffer lists of Core Audio.
@_exported import CoreMedia
