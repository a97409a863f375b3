import EmulatedDevice
import TestSupport
import UniformTypeIdentifiers
import UserNotifications

@Suite struct NotificationsAndTypesTests {
  @Test func aNotificationIsALineOfTheLog() async throws {
    let result = try #require(
      await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let center = UNUserNotificationCenter.current()
        let isAllowed = try await center.requestAuthorization(options: [.alert, .sound])
        #expect(isAllowed)
        #expect(await center.notificationSettings().authorizationStatus == .authorized)
        let content = UNMutableNotificationContent()
        content.title = "Broadcast"
        content.body = "It has ended."
        content.sound = .default
        let request = UNNotificationRequest(identifier: "end", content: content, trigger: nil)
        content.title = "changed later"
        let late = UNNotificationRequest(
          identifier: "late", content: content,
          trigger: UNTimeIntervalNotificationTrigger(timeInterval: 3600, repeats: false))
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
          center.add(late)
          center.add(request) { error in
            #expect(error == nil)
            continuation.resume()
          }
        }
        let pending = await withCheckedContinuation { continuation in
          center.getPendingNotificationRequests { continuation.resume(returning: $0.map(\.identifier)) }
        }
        #expect(pending == ["late"])
        center.removeAllPendingNotificationRequests()
      })
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("Notification: Broadcast – It has ended."))
  }

  @Test func aNotificationBeforeTheQuestionHasTheTextOfADevice() async {
    await Device(role: .app).run {
      let content = UNMutableNotificationContent()
      let request = UNNotificationRequest(identifier: "early", content: content, trigger: nil)
      let center = UNUserNotificationCenter.current()
      let error = await #expect(throws: UNError.self) { try await center.add(request) } as NSError?
      #expect(error?.code == 1)
      #expect(error?.localizedDescription == "Notifications are not allowed for this application")
    }
  }

  @Test func typesHaveTheirIdentifiers() {
    #expect(UTType.jpeg.identifier == "public.jpeg" && UTType.mpeg4Movie.identifier == "public.mpeg-4")
    #expect(UTType("public.png") == .png && UTType("com.example.none") == nil)
    #expect(UTType(filenameExtension: "JPG") == .jpeg && UTType(filenameExtension: "mov") == .quickTimeMovie)
    #expect(UTType(mimeType: "image/png") == .png)
    #expect(UTType.quickTimeMovie.conforms(to: .movie) && !UTType.movie.conforms(to: .quickTimeMovie))
  }
}
