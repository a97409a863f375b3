import Causes
import CoreMedia
import EmulatedDevice
import PixelAccess
import TestPatterns
import TestSupport

@testable import EmulatedSystem

/// Tests the properties of a phone's frames other than their pixels: row lengths, times, and samples without an image.
@MainActor @Suite struct EmulatedScreenTests {
  private func screen(_ size: PixelSize) throws -> EmulatedScreen {
    try EmulatedScreen(
      content: .pattern(.proof, size: size, pixelFormat: fullRange, framesPerSecond: 60),
      pixelFormat: fullRange)
  }

  /// Returns the luma bytes of `count` frames. `event` runs before the second frame.
  private func luma(_ count: UInt64, event: (EmulatedScreen) -> Void) throws -> [[UInt8]] {
    let screen = try self.screen(PixelSize(width: 64, height: 48))
    return try (1...count).map { number in
      if number == 2 { event(screen) }
      var luma: [UInt8] = []
      let time = MonotonicTime(nanoseconds: 1_000_000_000 + number * 16_666_667)
      _ = try screen.drawFrame(number, at: time) { sample, _ in
        CMSampleBufferGetImageBuffer(sample)?.readPlane(0) { bytes, _ in
          luma = bytes.indices.map { bytes[$0] }
        }
        return true
      }
      return luma
    }
  }

  @Test func rowsOf886PixelsHave896Bytes() throws {
    #expect(try screen(DeviceProfile.standard.frames).bytesPerRow == 896)
    #expect(try screen(PixelSize(width: 408, height: 886)).bytesPerRow == 448)
    #expect(try screen(PixelSize(width: 2560, height: 1440)).bytesPerRow == 2560)
  }

  @Test func theTimesAreNoExactStepsAndTheSameInEachRun() throws {
    func times() throws -> [Int64] {
      let screen = try self.screen(PixelSize(width: 64, height: 48))
      screen.timeJitter = .microseconds(500)
      return try (1...240).map { number -> Int64 in
        var value: Int64 = 0
        let tick = MonotonicTime(nanoseconds: 1_000_000_000 + UInt64(number) * 16_666_667)
        _ = try screen.drawFrame(UInt64(number), at: tick) { sample, _ in
          let time = CMSampleBufferGetPresentationTimeStamp(sample)
          #expect(time.timescale == 1_000_000_000)
          #expect(!CMSampleBufferGetDuration(sample).isValid)
          #expect(!CMSampleBufferGetDecodeTimeStamp(sample).isValid)
          value = time.value
          return true
        }
        #expect((0...500_000).contains(Int64(tick.nanoseconds) - value))
        return value
      }
    }
    let first = try times()
    #expect(try times() == first)
    let intervals = zip(first.dropFirst(), first).map { $0 - $1 }
    #expect(intervals.allSatisfy { $0 > 0 } && Set(intervals).count > 200)
    // Frames of the same instant still have times that differ by a millisecond, for handlers that count milliseconds.
    let screen = try self.screen(PixelSize(width: 64, height: 48))
    screen.timeJitter = .microseconds(500)
    var same: [CMTime] = []
    for number in 1...20 as ClosedRange<UInt64> {
      _ = try screen.drawFrame(number, at: MonotonicTime(nanoseconds: 1_000_000_000)) { sample, _ in
        same.append(CMSampleBufferGetPresentationTimeStamp(sample))
        return true
      }
    }
    #expect(zip(same.dropFirst(), same).allSatisfy { $0 >= $1 + CMTime(value: 1, timescale: 1000) })
  }

  @Test func repeatedFramesShowThePictureOfTheOneBefore() throws {
    let frames = try luma(5) { $0.repeats = 2 }
    #expect(frames[1] == frames[0] && frames[2] == frames[0])
    #expect(frames[3] != frames[0] && frames[4] != frames[3])
  }

  @Test func protectedContentIsBlackForItsTime() throws {
    let frames = try luma(5) { $0.protectedUntil = MonotonicTime(nanoseconds: 1_060_000_000) }
    #expect(frames.map { $0.allSatisfy { $0 == 0 } } == [false, true, true, false, false])
  }

  @Test func emptySamplesHaveNoImageAndAreNoMisuse() async throws {
    let rig = try SystemRig()
    await rig.start()
    rig.system.perform("empty:2")
    await rig.tick(4)
    await rig.stop()
    #expect(rig.handler.calls.count { $0 == "video" } == 5)
    #expect(rig.handler.shapes.count == 3)
    // An invalid sample has no time.
    let times = rig.handler.times.filter { $0 > 0 }
    #expect(times.count == 3 && zip(times.dropFirst(), times).allSatisfy { $0 > $1 })
    #expect(rig.end?.framesProduced == 5 && rig.misuses.values.isEmpty)
  }
}
