import EmulatedDevice
import Photos
import TestSupport

@Suite struct PhotosTests {
  @Test func aFilmIsAddedAndOneThatIsNotThereIsRefused() throws {
    let folder = try TemporaryFolder()
    let film = URL(filePath: folder("film.mp4"))
    let library = PHPhotoLibrary.shared()
    let error = #expect(throws: NSError.self) {
      try library.performChangesAndWait {
        _ = PHAssetChangeRequest.creationRequestForAssetFromVideo(atFileURL: film)
      }
    }
    #expect(error?.domain == PHPhotosErrorDomain)
    try Data([1]).write(to: film)
    try library.performChangesAndWait {
      _ = PHAssetChangeRequest.creationRequestForAssetFromVideo(atFileURL: film)
    }
    #expect(FileManager.default.fileExists(atPath: film.path))
  }

  @Test func aFileThatIsMovedIsGone() async throws {
    let folder = try TemporaryFolder()
    let picture = URL(filePath: folder("picture.jpg"))
    try Data([1]).write(to: picture)
    try await PHPhotoLibrary.shared().performChanges {
      let options = PHAssetResourceCreationOptions()
      options.shouldMoveFile = true
      PHAssetCreationRequest.forAsset().addResource(with: .photo, fileURL: picture, options: options)
    }
    #expect(!FileManager.default.fileExists(atPath: picture.path))
  }

  @Test func anAppAsksAndAnExtensionHasBeenAllowed() async throws {
    func add() throws { try PHPhotoLibrary.shared().performChangesAndWait {} }
    let (app, refused) = (Device(role: .app), Device(role: .app, denied: [.photos]))
    app.run { #expect(PHPhotoLibrary.authorizationStatus(for: .addOnly) == .notDetermined) }
    #expect(await app.run { await PHPhotoLibrary.requestAuthorization(for: .addOnly) } == .authorized)
    app.run { #expect(PHPhotoLibrary.authorizationStatus() == .authorized) }
    let error = #expect(throws: NSError.self) { try refused.run { try add() } }
    #expect(error?.domain == PHPhotosErrorDomain && error?.code == 3311)
    let text = "The operation couldn’t be completed. (PHPhotosErrorDomain error 3311.)"
    #expect(error?.localizedDescription == text)
    refused.run { #expect(PHPhotoLibrary.authorizationStatus() == .denied) }
    try Device(role: .extension).run { try add() }
    Device(role: .extension, denied: [.photos]).run {
      #expect(PHPhotoLibrary.authorizationStatus() == .denied)
    }
  }

  @Test func aRequestOutsideOfAChangeEndsTheProcess() async {
    await #expect(processExitsWith: .failure) { _ = PHAssetCreationRequest.forAsset() }
  }
}
