import BroadcastExtension

// An extension with handlers other than the article's: one records its calls, and the others misuse their samples. An
// Info.plist chooses the handler.
BroadcastExtensionMain.run([
  PrincipalClass(RecordingHandler()), PrincipalClass(UnlockingHandler()), PrincipalClass(LateHandler()),
  PrincipalClass(KeepingHandler()), PrincipalClass(HoardingHandler()),
])
