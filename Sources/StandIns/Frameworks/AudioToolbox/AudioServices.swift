import Foundation

public typealias SystemSoundID = UInt32
public let kSystemSoundID_Vibrate: SystemSoundID = 4095

/// Plays nothing; writes a line to the log.
public func AudioServicesPlaySystemSound(_ inSystemSoundID: SystemSoundID) {
  NSLog("%@", "AudioServices: the system sound \(inSystemSoundID) is not played here.")
}
