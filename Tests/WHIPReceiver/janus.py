"""A Janus server for one call: the call that is published to it goes to any number of receivers."""
import ctypes
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

PR_SET_PDEATHSIG = 1
ROOM = 1
CONFIGURATION = """
general: {{ configs_folder = "{folder}", session_timeout = 0, debug_level = 2 }}
transports: {{ disable = "libjanus_websockets.so,libjanus_pfunix.so,libjanus_mqtt.so,libjanus_nanomsg.so,libjanus_rabbitmq.so" }}
"""
TRANSPORT = """
general: {{ json = "compact", base_path = "/janus", http = true, port = {port}, ip = "127.0.0.1", https = false }}
"""


class Janus:
    """The server, and one session of its HTTP interface. All calls wait for their answer."""

    def __init__(self):
        self.folder = tempfile.mkdtemp()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        for name, text in (("janus", CONFIGURATION), ("janus.transport.http", TRANSPORT)):
            with open(os.path.join(self.folder, name + ".jcfg"), "w") as file:
                file.write(text.format(folder=self.folder, port=port))
        self.address = f"http://127.0.0.1:{port}/janus"
        # Standard output is for the lines of this program. Plugins make folders in the working directory. The system ends the
        # server when this program ends, in any way.
        self.process = subprocess.Popen(
            ["janus", "--configs-folder", self.folder], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            preexec_fn=lambda: ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL))
        self.session = None
        try:
            self.session = self.create(within=20)
        except Exception:
            self.close()
            raise

    def create(self, within):
        limit = time.monotonic() + within
        while True:
            try:
                return self.post(self.address, janus="create")["data"]["id"]
            except urllib.error.URLError:
                if self.process.poll() is not None or time.monotonic() > limit:
                    raise
                time.sleep(0.1)

    def post(self, address, **message):
        body = json.dumps({"transaction": "t", **message}).encode()
        request = urllib.request.Request(address, body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=20) as reply:
            answer = json.load(reply)
        if answer.get("janus") == "error":
            raise RuntimeError(answer["error"]["reason"])
        return answer

    def attach(self):
        """A handle of the plugin for rooms."""
        address = f"{self.address}/{self.session}"
        return self.post(address, janus="attach", plugin="janus.plugin.videoroom")["data"]["id"]

    def ask(self, handle, body, description=None):
        """Sends a message to a room; returns the event that answers it."""
        address = f"{self.address}/{self.session}"
        jsep = {"jsep": description} if description else {}
        answer = self.post(f"{address}/{handle}", janus="message", body=body, **jsep)
        # A request is answered at once, or acknowledged and answered by an event.
        if answer["janus"] == "ack":
            answer = self.wait(handle, "event")
        data = answer["plugindata"]["data"]
        if "error" in data:
            raise RuntimeError(data["error"])
        return answer

    def wait(self, handle, kind):
        """The next event of a kind for a handle."""
        while True:
            with urllib.request.urlopen(f"{self.address}/{self.session}?maxev=1", timeout=40) as reply:
                event = json.load(reply)
            if event.get("janus") == kind and event.get("sender") == handle:
                return event

    def publish(self, offer):
        """Makes a room for a call; returns the answer to its offer, and its number."""
        self.publisher = self.attach()
        # aiortc asks for no key frame. One that misses the first gets another after two seconds.
        self.ask(
            self.publisher,
            {"request": "create", "room": ROOM, "publishers": 1, "videocodec": "vp8", "fir_freq": 2})
        event = self.ask(
            self.publisher, {"request": "joinandconfigure", "ptype": "publisher", "room": ROOM, "audio": False, "video": True},
            {"type": "offer", "sdp": offer})
        return event["jsep"]["sdp"], event["plugindata"]["data"]["id"]

    def wait_for_call(self):
        """Waits until the call that was answered is connected: before, it has no receivers."""
        self.wait(self.publisher, "webrtcup")

    def subscribe(self, number):
        """Returns a handle for a receiver of the call, and the offer for it."""
        handle = self.attach()
        event = self.ask(handle, {"request": "join", "ptype": "subscriber", "room": ROOM, "streams": [{"feed": number}]})
        return handle, event["jsep"]["sdp"]

    def start(self, handle, answer):
        self.ask(handle, {"request": "start", "room": ROOM}, {"type": "answer", "sdp": answer})

    def close(self):
        # It has nothing to save. SIGTERM may be blocked: it inherits the signal mask.
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder)
