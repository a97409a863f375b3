import BroadcastExtension

BroadcastExtensionMain.run(SampleHandler())
