import AVFoundation
import Causes
import TestSupport

@testable import EmulatedSystem

@Suite struct RecordingFaultTests {
  /// The record of a ten-second movie at 30 fps with a pause of two seconds, which the movie keeps.
  private static func film(
    _ change: (inout RecordingEvent) -> Void = { _ in },
    video changeVideo: (inout RecordingEvent.Track) -> Void = { _ in },
    audio changeAudio: (inout RecordingEvent.Track) -> Void = { _ in }
  ) -> RecordingEvent {
    var video = RecordingEvent.Track()
    (video.samples, video.first, video.last, video.longestGap) = (240, 100, 110, 2.03)
    (video.stream, video.firstCapture, video.lastCapture, video.shift) = ("video", 100, 110, 0)
    var delivered = RecordingEvent.Delivered()
    (delivered.samples, delivered.first, delivered.last, delivered.longestGap) = (240, 100, 110, 0.05)
    (delivered.pauses, delivered.longestPause) = (2.03, 2.03)
    video.delivered = delivered
    var audio = video
    (audio.stream, audio.samples, audio.seconds) = ("app", 350, 8)
    audio.delivered?.seconds = 8
    changeVideo(&video)
    changeAudio(&audio)
    var event = RecordingEvent(file: "/tmp/film.mp4", bytes: 1000, status: .completed)
    (event.coversBroadcast, event.sessionStart, event.avDriftSeconds, event.video, event.audio) = (
      true, 100, 0, video, audio
    )
    change(&event)
    return event
  }

  private static func cut(_ track: inout RecordingEvent.Track) {
    (track.shift, track.last, track.longestGap) = (-2, 108, 0.05)
  }

  private static let right: [(String, RecordingEvent)] = [
    ("pauses kept", film()), ("pauses cut", film(video: cut, audio: cut)),
    ("pauses cut late", film(video: { ($0.shift, $0.last, $0.waits, $0.longestWait) = (-2.9, 107, 1, 1) })),
    (
      "a segment between two pauses",
      film { event in
        event.coversBroadcast = false
        event.video?.last = 104; event.video?.lastCapture = 104; event.video?.longestGap = 0.05
        event.video?.delivered?.last = 104; event.video?.delivered?.pauses = 0
        event.audio?.seconds = 4; event.audio?.delivered?.seconds = 4
      }
    ),
    (
      "a rolling clip, written later",
      film { event in
        event.coversBroadcast = false
        event.video?.delivered = RecordingEvent.Delivered(); event.audio?.delivered = nil
        event.video?.longestGap = 0.05
      }
    ),
    ("a lapse", film({ $0.audio = nil }, video: { ($0.shift, $0.last, $0.longestGap) = (nil, 101, 0.2) })),
    ("late sound", film({ $0.audio?.delivered?.seconds = 3 }, audio: { ($0.first, $0.seconds) = (105, 3) })),
    ("no sound", film { ($0.audio, $0.avDriftSeconds) = (nil, nil) }),
    ("only sound", film { ($0.video, $0.avDriftSeconds) = (nil, nil) }),
    ("a still screen", film({ $0.video?.delivered?.longestGap = 5 }, video: { $0.longestGap = 5 })),
    (
      "pictures and sound for which the inputs were not ready",
      film(
        video: { ($0.longestGap, $0.longestWait, $0.waits, $0.last, $0.lastCapture) = (4, 2.5, 4, 107, 107) },
        audio: { ($0.seconds, $0.waits) = (7.2, 0.7) })
    ),
    ("mix", film({ $0.avDriftSeconds = nil }, audio: { ($0.stream, $0.shift, $0.seconds) = (nil, nil, 1) })),
    ("own pictures", film(video: { ($0.stream, $0.shift, $0.last, $0.lastCapture) = (nil, nil, 103, nil) })),
    ("a recording that was removed", film { ($0.status, $0.bytes) = (.unfinished, nil) }),
    ("a writer without a sample", film { ($0.status, $0.video, $0.audio) = (.unfinished, nil, nil) }),
    ("a session that starts with the sound, a moment before", film { $0.sessionStart = 99.8 }),
  ]

  @Test func aRightRecordingHasNoFault() {
    for (form, event) in Self.right { #expect(RecordingFault.all(of: event) == [], "\(form)") }
  }

  private typealias Wrong = (rule: RecordingFault.Rule, isProven: Bool, event: RecordingEvent)
  private static let wrong: [Wrong] = [
    (.notWhole, true, film { ($0.status, $0.bytes) = (.finishing, 0) }),
    (.notWhole, true, film { ($0.status, $0.bytes) = (.unfinished, 0) }),
    (.notWhole, false, film { ($0.status, $0.bytes, $0.coversBroadcast) = (.unfinished, 0, false) }),
    (.writerFailed, false, film { ($0.status, $0.failure) = (.failed, "The app went to the background.") }),
    (.writerFailed, true, film { ($0.status, $0.failureCode) = (.failed, -12_633) }),
    (.blackBeginning, false, film { $0.sessionStart = 99 }),
    (.tracksApart, true, film { $0.avDriftSeconds = 0.5 }),
    (.tracksApart, false, film({ $0.avDriftSeconds = 0.5 }, audio: { $0.delivered?.longestGap = 0.5 })),
    (.tracksApart, false, film({ $0.avDriftSeconds = nil }, video: { ($0.shift, $0.first) = (nil, 100.3) })),
    (.length, true, film(video: { ($0.shift, $0.last) = (-4.06, 106) })),
    (.length, false, film({ $0.coversBroadcast = false }, video: { $0.shift = -4.06 })),
    (.endMissing, false, film(video: { ($0.last, $0.lastCapture) = (106, 106) })),
    (.pictureStands, false, film(video: { $0.longestGap = 4 })),
    (.soundLost, true, film(audio: { $0.seconds = 4 })),
    (.soundLost, false, film(audio: { $0.seconds = 7.6 })),
    (.soundLost, false, film({ $0.coversBroadcast = false }, audio: { $0.seconds = 4 })),
  ]

  @Test func aWrongRecordingHasOneFault() {
    for wrong in Self.wrong {
      let found = RecordingFault.all(of: wrong.event)
      #expect(found.map(\.rule) == [wrong.rule] && found.map(\.isProven) == [wrong.isProven], "\(found)")
      let lacksItsEnd = [.notWhole, .writerFailed, .endMissing].contains(wrong.rule)
      #expect(found.map { $0.cause(at: .zero).kind } == [lacksItsEnd ? .recordingLost : .recordingWrong])
    }
  }

  @Test func aStatedDesignIsTheMeasure() {
    var design = RecordingDesign()
    design.pauses = .kept
    let cut = Self.right[1].1
    #expect(RecordingFault.all(of: Self.film(), design) == [])
    #expect(RecordingFault.all(of: cut, design).map(\.rule) == [.length])
    design.pauses = .cut
    #expect(RecordingFault.all(of: cut, design) == [])
    #expect(RecordingFault.all(of: Self.film(), design).map(\.rule) == [.length])
    (design.startsWithSound, design.isFree) = (true, true)
    for wrong in Self.wrong where ![.notWhole, .writerFailed, .tracksApart].contains(wrong.rule) {
      #expect(RecordingFault.all(of: wrong.event, design) == [], "\(wrong.rule)")
    }
  }

  /// On an overloaded host, few frames of a time lapse are appended.
  @Test(arguments: [(10, true), (200, true), (40, false)])
  func aTimeLapseIsUnevenAndAPauseThatIsCutIsNot(count: Int, isLapse: Bool) {
    var track = AVAssetWriterRecord.Track(.video)
    for index in 0..<count {
      let time = Double(index) / 30 + (index < count / 2 ? 0 : 2)
      let cut = index < count / 2 ? 0.0 : 2
      track.add(at: isLapse ? time / 10 : time - cut, lasting: 0, CaptureMark(stream: 1, seconds: time))
    }
    #expect(track.isUneven == isLapse && (isLapse || track.stretches.count == 2))
  }

  @Test func tracksAreApartWhereTheyOverlap() {
    typealias Stretch = AVAssetWriterRecord.Track.Stretch
    let video = [Stretch(from: 0, to: 5, shift: 0), Stretch(from: 7, to: 12, shift: -2)]
    #expect(RecordingEvent.distance(video, [Stretch(from: 0.1, to: 4.9, shift: 0)]) == 0)
    #expect(RecordingEvent.distance(video, [Stretch(from: 0.1, to: 12, shift: 0)]) == 2)
    #expect(RecordingEvent.distance(video, [Stretch(from: 5.5, to: 6.5, shift: 1)]) == nil)
  }
}
