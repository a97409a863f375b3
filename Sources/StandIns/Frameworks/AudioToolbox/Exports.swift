// The formats and buffer lists of Core Audio are declared in Core Media here.
@_exported import CoreMedia
