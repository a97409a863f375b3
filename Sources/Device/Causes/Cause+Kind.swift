extension Cause {
  /// The kinds of causes, most important first.
  package enum Kind: String, CaseIterable, Codable, Sendable {
    case killed, crashed, appCrashed, hung, refused, ended, sourceFailed, needsApp
    case suspended, appSuspended, network
    case misuse, torn, pictureWrong, recordingLost, recordingWrong, fileWrong
    case leak, slow, appBlocked, writtenAfterEnd, workAfterEnd, samplesHeld
    case requested, screenBlocked, idleScreen, starved, late

    /// The properties that all causes of a kind share.
    package struct Row: Sendable {
      /// The name in a list, and where time is drawn.
      package let name: String
      package let severity: Severity
      /// The behaviour of a device, or the effect that a person sees, as a sentence.
      package let onDevice: String
      /// The fix, as a sentence.
      package let remedy: String
      /// The section of a page of Docs about the kind.
      package let see: String?

      /// The sentences of an ongoing or the newest cause (`now`), and of an earlier one (`was`). `{s}` stands for seconds,
      /// `{asked}` for ", as requested" and `{what}` for the sentence of the cause. `nil` for that sentence alone.
      let now: String?
      let was: String?
      /// The event that produces a cause of this kind, with `{s}` for its seconds.
      let event: String?

      init(
        _ name: String, _ severity: Severity, _ onDevice: String, _ remedy: String,
        see section: String? = nil,
        now: String? = nil, was: String? = nil, event: String? = nil
      ) {
        self.name = name
        self.severity = severity
        self.onDevice = onDevice
        self.remedy = remedy
        see = section.map { "WhatGoesWrong.md: \($0)" }
        self.now = now
        self.was = was
        self.event = event
      }
    }

    /// The position in the order of importance, counted from 1.
    package var rank: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 1 }

    package var row: Row {
      switch self {
      case .killed:
        Row(
          "Killed", .fault, "The system kills the extension without a callback, and its flag stays on.",
          "Limit the data that waits to be sent, and copy less.", see: "Killed at 50 MB",
          now: "Killed {s} s ago{asked}: {what}", was: "killed{asked}: {what}")
      case .crashed:
        Row(
          "Crash", .fault, "The extension ends without a callback, and its flag stays on.",
          "Begin with the line that the runtime names.",
          see: "The flag left on after a crash", now: "Crashed {s} s ago{asked}: {what}",
          was: "crashed{asked}: {what}")
      case .appCrashed:
        Row(
          "App crash", .fault, "The app ends, and no longer shows the screen.",
          "Begin with the line that the runtime names.")
      case .hung:
        Row(
          "Hung", .fault, "The broadcast freezes or does not end, until the system kills the extension.",
          "Give each wait a limit.", see: "The end of a recording is lost", now: "Hung for {s} s: {what}",
          was: "hung: {what}")
      case .refused:
        Row(
          "Refused", .fault, "The broadcast does not start, and a dialog has the error.",
          "At the start, remove everything that an earlier broadcast left.", see: "The second start fails")
      case .ended:
        Row(
          "Error", .fault, "The broadcast ends, and a dialog has the error.",
          "Retry operations that can succeed later, and end only for permanent errors.",
          see: "An error dialog on a normal stop")
      case .sourceFailed:
        Row("Source", .note, "A device has no such source.", "Fix the source file.")
      case .needsApp:
        Row(
          "Needs its app", .note, "The handler works only while its app runs.",
          "Name the program of the app with --app, or say \"refusesWithoutApp\": true in check.json.")
      case .suspended:
        Row(
          "Suspended", .warning, "No frames come until the extension continues.",
          "Find what stopped it, such as Ctrl-Z or a debugger; kill -CONT continues it.",
          see: "A frozen frame", now: "Frozen for {s} s{asked}: the extension is suspended.",
          was: "frozen for {s} s{asked}: the extension was suspended.", event: "suspend:{s}")
      case .appSuspended:
        Row(
          "App suspended", .warning, "The system suspends an app a few seconds after it leaves the screen.",
          "Give the app a background mode, or send from the extension.", see: "The app is suspended",
          event: "app:suspend")
      case .network:
        Row(
          "Network", .fault, "The red indicator stays, and the app gets nothing more.",
          "Connect again, or end the broadcast.", see: "A socket to the app fails")
      case .misuse:
        Row(
          "Misuse", .fault, "The finding says what happens on a device.",
          "Use each sample as the finding says.",
          see: "Tearing")
      case .torn:
        Row(
          "Torn", .fault, "The remote side sees parts of two frames in one picture.",
          "Copy a frame before it is overwritten, and publish it when it is complete.", see: "Tearing")
      case .pictureWrong:
        Row(
          "Picture", .fault, "The remote side sees this picture.",
          "Make each picture from the rows and the orientation of its sample.",
          see: "A sheared or green frame")
      case .recordingLost:
        Row(
          "Recording", .fault, "The person's recording does not play, or lacks its end.",
          "Wait for the end of the writer in broadcastFinished, with a limit. Name files that are to stay under 'leftoverFiles' in check.json.",
          see: "The end of a recording is lost")
      case .recordingWrong:
        Row(
          "Recording", .fault, "The person's recording plays, but differs from the broadcast.",
          "Start the session with the first picture, and shift all tracks by the same pauses.",
          see: "A recording with wrong times")
      case .fileWrong:
        Row(
          "File", .warning, "Readers may see a partial file.",
          "Replace the file by a rename, as Data.write does with .atomic.", see: "Tearing")
      case .leak:
        Row(
          "Leak", .warning, "The extension grows until the system kills it.",
          "Limit the data that is kept, and copy less.",
          see: "Killed at 50 MB")
      case .slow:
        Row(
          "Slow", .fault, "The system drops frames, and the picture stutters.",
          "Do less in the call: a smaller picture, fewer frames, or another queue.", see: "A slow handler",
          now: "Slow{asked}: {what}")
      case .appBlocked:
        Row(
          "App blocked", .fault, "The remote side sees a frozen picture.",
          "Move work away from the main thread of the app.",
          see: "A frozen frame")
      case .writtenAfterEnd:
        Row(
          "Written late", .warning,
          "The system may have ended the process: the file is missing or truncated.",
          "Wait in broadcastFinished for work that must not be lost.", see: "The end of a recording is lost")
      case .workAfterEnd:
        Row(
          "Works late", .warning, "The system may end the process before the work is done.",
          "Wait in broadcastFinished for work that must not be lost.", see: "The end of a recording is lost")
      case .samplesHeld:
        Row(
          "Held", .note, "Apple's documentation says to keep no reference to a sample.",
          "Copy what is needed before the return.", see: "Tearing")
      case .requested:
        Row("Skipped", .note, "The frames do not come on a device either.", "Nothing is wrong.")
      case .screenBlocked:
        Row(
          "Screen blocked", .note, "The screen of a device does not wait for the extension's main thread.",
          "Work on a queue of the extension.", see: "A slow handler")
      case .idleScreen:
        Row(
          "Rest", .note,
          "A screen that does not change gives no frames, and the remote side may show nothing.",
          "Send the last frame again, once a second.", see: "A frozen frame",
          now: "All right: the screen has not changed for {s} s.",
          was: "all right: the screen did not change for {s} s.",
          event: "still:{s}")
      case .starved:
        Row(
          "App starved", .note, "A device is less loaded.", "Run it on a host with less load.")
      case .late:
        Row(
          "Overloaded host", .note, "A device does not delay its programs so much.",
          "Run it on a host with less load.")
      }
    }
  }
}
