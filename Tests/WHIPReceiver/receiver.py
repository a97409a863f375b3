#!/usr/bin/env python3
"""A server that takes one call by WHIP on the loopback address, and reads the burned-in numbers of the pictures.

    receiver.py [--token TOKEN] [--mirror]

It prints JSON lines: "serving" with the address, "offered", "refused", "state" of the connection, "number" with the number of each
picture, "deleted" with the count of pictures. aiortc receives and decodes the call. With --mirror it is not needed: the answer is
made from the offer, and no media comes.
"""
import argparse
import asyncio
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# The digits and the colon of the font, a hexadecimal number of two digits for each row.
FONT = [bytes.fromhex(rows) for rows in (
    "0e1b1b1b1b1b0e", "060e1e0606061f", "1e03030e18181f", "1e03030e03031e", "1b1b1b1f030303", "1f18181e03031e",
    "0e18181e1b1b0e", "1f030306060c0c", "0e1b1b0e1b1b0e", "0e1b1b0f03030e", "00060600060600")]


def say(event, **values):
    print(json.dumps({"event": event, **values}), flush=True)


def read_number(luma, stride, width, height):
    """The frame number in a picture of a test pattern that has the size of the screen; None if it cannot be read."""
    cell = max(1, min(width * 3 // 5 // 48, height // 7 // 7))
    code_cell = max(1, min(width * 3 // 5 // 66, height // 10 // 7))
    padding = max(1, cell * 2)
    content = (max(47 * cell, 65 * code_cell), 7 * cell + padding + 7 * code_cell)
    box_width, box_height = ((side + 2 * padding + 1) // 2 * 2 for side in content)
    left, top = (width - box_width) // 2 // 2 * 2, (height - box_height) // 5 // 2 * 2
    x, y = left + (box_width - 47 * cell) // 2, top + (box_height - content[1]) // 2

    def levels(index):
        return [luma[(y + row * cell + cell // 2) * stride + x + (index * 6 + column) * cell + cell // 2]
                for row in range(7) for column in range(5)]

    glyphs = [levels(index) for index in range(8)]
    threshold = (min(map(min, glyphs)) + max(map(max, glyphs))) / 2
    digits = ""
    for glyph in glyphs:
        wrong = [sum((level > threshold) != bool(rows[at // 5] >> (4 - at % 5) & 1) for at, level in enumerate(glyph))
                 for rows in FONT]
        code = wrong.index(min(wrong))
        if wrong[code] > 4 or wrong.count(wrong[code]) > 1 or code > 9:
            return None
        digits += str(code)
    return int(digits)


class Receiver:
    """The call, in the event loop of aiortc."""

    def __init__(self):
        from aiortc import RTCPeerConnection
        self.peer = RTCPeerConnection()
        self.pictures = 0

    async def answer(self, offer):
        from aiortc import RTCSessionDescription

        @self.peer.on("track")
        def on_track(track):
            asyncio.ensure_future(self.take(track))

        @self.peer.on("connectionstatechange")
        def on_state():
            say("state", state=self.peer.connectionState)

        await self.peer.setRemoteDescription(RTCSessionDescription(offer, "offer"))
        answer = await self.peer.createAnswer()
        # aiortc repeats no packet of a handshake. So the other side begins it: that repeats what was lost.
        answer.sdp = answer.sdp.replace("a=setup:active", "a=setup:passive")
        await self.peer.setLocalDescription(answer)
        return self.peer.localDescription.sdp

    async def take(self, track):
        from aiortc.mediastreams import MediaStreamError
        try:
            while True:
                frame = await track.recv()
                plane = frame.planes[0]
                number = read_number(bytes(plane), plane.line_size, frame.width, frame.height)
                self.pictures += 1
                if number is not None:
                    say("number", number=number)
        except MediaStreamError:
            pass

    async def close(self):
        await self.peer.close()


class Mirror:
    """A session without media: the offer, turned into an answer. Without candidates it neither connects nor fails."""
    pictures = 0

    async def answer(self, offer):
        answer = offer.replace("a=setup:actpass", "a=setup:passive").replace("a=sendonly", "a=recvonly")
        return "".join(line for line in answer.splitlines(True) if not line.startswith("a=candidate"))

    async def close(self):
        pass


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    token, make_session, loop = None, None, None
    session = None

    def log_message(self, *_):
        pass

    def reply(self, status, body=b"", **fields):
        self.send_response(status)
        for name, value in {"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Methods": "POST, DELETE",
                            "Access-Control-Allow-Headers": "Authorization, Content-Type",
                            "Access-Control-Expose-Headers": "Location", "Content-Length": str(len(body)),
                            **{name.replace("_", "-"): value for name, value in fields.items()}}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def refuses(self, path):
        if self.token and self.headers.get("Authorization") != f"Bearer {self.token}":
            say("refused", authorization=self.headers.get("Authorization") is not None)
            self.reply(401)
        elif self.path != path:
            self.reply(404)
        else:
            return False
        return True

    def run_in_loop(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(30)

    def do_OPTIONS(self):
        self.reply(204)

    def do_POST(self):
        offer = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        if self.refuses("/whip"):
            return
        if self.headers.get("Content-Type") != "application/sdp":
            return self.reply(415)
        Handler.session = self.make_session()
        answer = self.run_in_loop(self.session.answer(offer))
        say("offered", sdp=offer)
        self.reply(201, answer.encode(), Content_Type="application/sdp", Location="/whip/1")

    def do_DELETE(self):
        if self.refuses("/whip/1"):
            return
        self.run_in_loop(self.session.close())
        say("deleted", pictures=self.session.pictures)
        self.reply(200)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--token", help="the token that a request needs")
    parser.add_argument("--mirror", action="store_true", help="answer without aiortc, and receive nothing")
    arguments = parser.parse_args()
    Handler.token = arguments.token
    Handler.make_session = Mirror if arguments.mirror else Receiver
    Handler.loop = asyncio.new_event_loop()
    threading.Thread(target=Handler.loop.run_forever, daemon=True).start()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    say("serving", address=f"http://127.0.0.1:{server.server_port}/whip")
    server.serve_forever()


if __name__ == "__main__":
    sys.exit(main())
