"""Receives webhooks of a Tillgate gateway and checks their signatures. Standard library only.

    export TILLGATE_WEBHOOK_SECRET=whsec_...
    python3 receive.py 8000

Start it, register its address as a webhook, and start it again with the secret that the gateway shows.
The signatures follow https://www.standardwebhooks.com.
"""

import base64
import hashlib
import hmac
import http.server
import json
import os
import sys
import time

TOLERANCE_SECONDS = 300


def is_genuine(secret, headers, body):
    """Verifies the sender of a message. `body` is the received bytes."""
    message_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    # While a secret is being replaced, a message has a signature of each.
    signatures = headers.get("webhook-signature", "").encode("latin-1").split()
    return any(
        hmac.compare_digest(signature, b"v1," + expected) for signature in signatures
    )


class Receiver(http.server.BaseHTTPRequestHandler):
    seen = set()

    def do_HEAD(self):
        """The gateway sends a HEAD before it stores the address."""
        self.answer(200)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if not is_genuine(os.environ["TILLGATE_WEBHOOK_SECRET"], self.headers, body):
            self.answer(401)
            return
        message_id = self.headers["webhook-id"]
        # A message may arrive twice. Store its id in your database, together with the result.
        if message_id not in self.seen:
            record = json.loads(body)
            # A record without a transaction, such as a report, is printed by its kind.
            subject = record.get("transactionId", self.headers["webhook-kind"])
            print(subject, record.get("status", ""), flush=True)
            self.seen.add(message_id)
        self.answer(200)

    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    address = ("127.0.0.1", int(sys.argv[1]))
    http.server.ThreadingHTTPServer(address, Receiver).serve_forever()
