import BroadcastExtension

// An extension with handlers other than the article's: one records its calls, one processes its
// samples on a queue of its own, and the others misuse them. An
// Info.plist chooses the handler.
BroadcastExtensionMain.run([
  PrincipalClass(RecordingHandler()), PrincipalClass(UnlockingHandler()), PrincipalClass(LateHandler()),
  PrincipalClass(KeepingHandler()), PrincipalClass(HoardingHandler()), PrincipalClass(AsynchronousHandler()),
])
