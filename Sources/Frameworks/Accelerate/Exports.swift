// Handlers import Accelerate and call nothing of it for their frames: a name for the import.
@_exported import Foundation
