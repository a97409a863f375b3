import Causes
import CommandLineSupport
import EmulatedDevice
import Foundation
import Platform

extension BroadcastEnd {
  /// Creates the end of a broadcast with these statistics.
  package init(_ ending: BroadcastEnding, _ progress: BroadcastProgress) {
    self.init(reason: ending.reason)
    if case .byExtension(let error) = ending {
      (errorDomain, errorCode, errorDescription) = (error.domain, error.code, error.textOnDevice)
    }
    (framesProduced, framesDropped) = (progress.total.framesDelivered, progress.total.framesDropped)
    (lateTicks, audioDropped) = (progress.lateTicks, progress.audioDropped)
    (seconds, framesPerSecond) = (progress.total.seconds, progress.framesPerSecond)
  }

  /// The statistics in the words of terminal and report.
  package var figures: String {
    "\(framesProduced) frames in \(seconds.text(decimals: 1)) s = \(framesPerSecond.text(decimals: 2)) fps, "
      + "\(framesDropped) dropped, \(lateTicks) late ticks"
  }
}
