import BroadcastExtension

// An extension with handlers that the article's does not stand for: one writes down its calls, and one is there for each
// thing that a handler should not do. An Info.plist chooses.
BroadcastExtensionMain.run([
  PrincipalClass(RecordingHandler()), PrincipalClass(UnlockingHandler()), PrincipalClass(LateHandler()),
  PrincipalClass(KeepingHandler()), PrincipalClass(HoardingHandler()),
])
