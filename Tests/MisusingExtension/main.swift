import BroadcastExtension

// An extension with a handler for each thing that a handler should not do; an Info.plist chooses.
BroadcastExtensionMain.run([
  PrincipalClass(UnlockingHandler()), PrincipalClass(LateHandler()), PrincipalClass(KeepingHandler()),
  PrincipalClass(HoardingHandler()),
])
