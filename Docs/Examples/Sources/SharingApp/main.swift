import CaptureApp

CaptureAppMain.run { ScreenSharing.shared.start() }
