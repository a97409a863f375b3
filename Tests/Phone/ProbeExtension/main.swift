import BroadcastExtension
import Foundation
import ScreenBroadcast

// An extension with handlers other than the article's, most of them faulty. An Info.plist chooses the handler.
if CommandLine.arguments.first?.hasSuffix("/ProbeApp") == true { ProbeApp.run() }
BroadcastExtensionMain.run([
  PrincipalClass(AskingHandler()), PrincipalClass(FinishingHandler()), PrincipalClass(CopyingHandler()),
  PrincipalClass(UnlockingHandler()), PrincipalClass(LateHandler()), PrincipalClass(KeepingHandler()),
  PrincipalClass(HoardingHandler()), PrincipalClass(AsynchronousHandler()), PrincipalClass(RefusingHandler()),
  PrincipalClass(HurriedHandler()), PrincipalClass(LonelyHandler()), PrincipalClass(LeavingHandler()),
  PrincipalClass(StaleHandler()), PrincipalClass(CountingHandler()), PrincipalClass(PauseEndingHandler()),
  PrincipalClass(ResumeEndingHandler()), PrincipalClass(TapEndingHandler()),
  PrincipalClass(StillEndingHandler()), PrincipalClass(PausedEndHandler()),
  PrincipalClass(AnnotationHandler()), PrincipalClass(EndlessHandler()), PrincipalClass(LingeringHandler()),
  PrincipalClass(LitteringHandler()), PrincipalClass(FixedSizeHandler()), PrincipalClass(FullRangeHandler()),
  PrincipalClass(GapHandler()), PrincipalClass(EvenPaceHandler()), PrincipalClass(SlowHandler()),
  PrincipalClass(GrowingHandler()), PrincipalClass(SilenceHandler()), PrincipalClass(PacketHandler()),
  PrincipalClass(NoMicrophoneHandler()), PrincipalClass(SidewaysHandler()), PrincipalClass(ShearingHandler()),
  PrincipalClass(DeafHandler()), PrincipalClass(ClingingHandler()), PrincipalClass(WaitingHandler()),
  PrincipalClass(ChromaShearingHandler()), PrincipalClass(ByteOrderHandler()),
  PrincipalClass(MixedFrameHandler()), PrincipalClass(ExpectantHandler()), PrincipalClass(HopefulHandler()),
  PrincipalClass(ImpatientHandler()), PrincipalClass(OnceHandler()), PrincipalClass(TallyHandler()),
  PrincipalClass(SequenceHandler()), PrincipalClass(SuperlessHandler()), PrincipalClass(UnawareHandler()),
  PrincipalClass(PatientHandler()), PrincipalClass(HastyHandler()), PrincipalClass(UnawareTCPHandler()),
  PrincipalClass(ReconnectingHandler()), PrincipalClass(StuckHandler()), PrincipalClass(OneRequestHandler()),
  PrincipalClass(ListeningHandler()), PrincipalClass(PrintingHandler()), PrincipalClass(PilingHandler()),
  PrincipalClass(RawHandler()), PrincipalClass(DependentHandler()), PrincipalClass(RecorderHandler()),
  PrincipalClass(PairingHandler()), PrincipalClass(FirstFormatHandler()), PrincipalClass(BlockedEndHandler()),
  PrincipalClass(BlockedStartHandler()), PrincipalClass(DeadlockHandler()),
  PrincipalClass(MainBlockingHandler()), PrincipalClass(MainComputingHandler()),
  PrincipalClass(SleepingHandler()),
  PrincipalClass(ComputingHandler()), PrincipalClass(EncodingHandler()), PrincipalClass(FilmHandler()),
  PrincipalClass(BrokenPipeHandler()), PrincipalClass(QuietSocketHandler()),
  PrincipalClass(QuietProcessHandler()), PrincipalClass(ExitingHandler()), PrincipalClass(NamingHandler()),
  PrincipalClass(RightNamingHandler()), PrincipalClass(StrayingHandler()), PrincipalClass(MovingHandler()),
])
