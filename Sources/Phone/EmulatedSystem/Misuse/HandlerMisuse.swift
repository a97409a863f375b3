import CommandLineSupport
import EmulatedDevice
import Platform

/// A misuse by the handler: a use of the system's pixel buffers that is forbidden or stops a device's video, an override that
/// breaks ReplayKit, an append that ends the process on a device, or a name or a file that a device refuses. `lockHeld` is a misuse
/// by the app.
package enum HandlerMisuse: String, CaseIterable, Sendable {
  case unlocked, readOnlyWrite, lockFlags, unlockedTwice, leftLocked, afterRelease, kept, withoutSuper,
    notReady, posixName, outsideContainers, lockHeld

  /// A sentence with the misuse, its consequence on a device, and the fix.
  package var description: String {
    switch self {
    case .unlocked:
      "The handler accessed the pixels of a buffer that it had not locked; on a device they may be old or missing: "
        + "call CVPixelBufferLockBaseAddress first."
    case .readOnlyWrite:
      "The handler wrote to the pixels of a buffer that it had locked with .readOnly; on a device other users of the buffer may "
        + "still see the old pixels: pass no flags to CVPixelBufferLockBaseAddress if you write."
    case .lockFlags:
      "The handler unlocked a buffer with other flags than it had locked it with; on a device the effect is undefined: pass "
        + "the same flags to CVPixelBufferLockBaseAddress and CVPixelBufferUnlockBaseAddress."
    case .unlockedTwice:
      "The handler unlocked a buffer that was not locked; on a device that fails, and with two users of the buffer it ends the "
        + "lock of the other: call CVPixelBufferUnlockBaseAddress once for each CVPixelBufferLockBaseAddress."
    case .leftLocked:
      "The handler released a sample with its buffer still locked; on a device its memory stays in use: call "
        + "CVPixelBufferUnlockBaseAddress as often as CVPixelBufferLockBaseAddress."
    case .afterRelease:
      "The handler accessed the pixels of a sample that it had released; by then they belong to a later frame, even if the handler "
        + "still retains the pixel buffer: copy the pixels before the call returns."
    case .withoutSuper:
      "The handler overrides beginRequest(with:) without calling super; on a device ReplayKit then has no request, and the "
        + "broadcast breaks: call super.beginRequest(with: context)."
    case .notReady:
      "The handler appended a sample while isReadyForMoreMediaData of the AVAssetWriterInput was false; on a device that raises an "
        + "exception and ends the extension: check the property before each append, and drop the sample if it is false."
    case .posixName: Refusal.posixName.sentence
    case .outsideContainers: Refusal.outsideContainers.sentence
    case .lockHeld:
      "The app held a lock on a file of an app group when it was suspended; iOS kills it for that (0xdead10cc): release the lock "
        + "in didEnterBackground, and let a socket or a time in a file show that the app runs."
    case .kept:
      "The handler holds so many samples that the screen has no buffer for the next frame; on a device video comes "
        + "every few seconds until one is released: release each sample soon, and copy its pixels before the call returns."
    }
  }

  /// The description, with the buffers that the handler held and the name that it used.
  package func text(_ held: HeldBuffers?, _ name: String?) -> String {
    ([description] + [held?.description, name].compactMap(\.self)).joined(separator: " ")
  }
}

/// The screen's pixel buffers that the handler still holds after `processSampleBuffer(_:with:)` has returned.
package struct HeldBuffers: Equatable, Sendable, CustomStringConvertible {
  package var count = 0
  /// The age of the oldest held frame, from its capture time.
  package var longest = Duration.zero

  func larger(than other: HeldBuffers?) -> HeldBuffers {
    HeldBuffers(count: max(count, other?.count ?? 0), longest: max(longest, other?.longest ?? .zero))
  }

  package var description: String {
    "It held \(count) of \(EmulatedScreen.bufferCount) buffers, the longest for \((longest / .seconds(1)).text(decimals: 2)) s."
  }
}
