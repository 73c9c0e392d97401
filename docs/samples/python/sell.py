"""Sells a top-up through the /v1 API of a Tillgate gateway. Standard library only, Python 3.9 or later.

    export TILLGATE_URL=http://127.0.0.1:8787 TILLGATE_KEY=...
    python3 sell.py offers GT
    python3 sell.py buy TIGO_GT_TOPUP_25 +50251234567 order-1
"""

import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

URL = os.environ["TILLGATE_URL"]
KEY = os.environ["TILLGATE_KEY"]
ATTEMPTS = 5
PAGE = 100


class Refused(Exception):
    """The gateway refused the request and did nothing."""

    def __init__(self, status, body):
        super().__init__(f"{status} {body.get('errorCode')}: {body.get('message')}")
        self.code = body.get("errorCode")
        self.fields = body.get("fields", {})


def call(method, path, query=None, body=None):
    """Calls an operation. Repeats it when the answer is lost, and after 429 and 503.

    A repeat is safe for reads, and for purchases because each has a transactionId.
    """
    address = f"{URL}/v1{path}" + (f"?{urllib.parse.urlencode(query)}" if query else "")
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {KEY}"}
    if data is not None:
        headers["Content-Type"] = "application/json"
    for attempt in range(1, ATTEMPTS + 1):
        request = urllib.request.Request(address, data, headers, method=method)
        status, wait, result = send(request)
        if status == 200 and result is not None:
            return result
        if result is not None and status not in (429, 502, 503, 504):
            raise Refused(status, result)
        if attempt < ATTEMPTS:
            time.sleep(int(wait) if wait.isdigit() else 0.5 * attempt)
    raise ConnectionError(f"{method} {path}: no answer after {ATTEMPTS} attempts")


def send(request):
    """Returns status, Retry-After and body; None for a body that is not complete JSON."""
    status, wait = 0, ""
    try:
        try:
            answer = urllib.request.urlopen(request, timeout=30)
        except urllib.error.HTTPError as error:
            answer = error
        with answer:
            status, wait = answer.status, answer.headers.get("Retry-After", "")
            return status, wait, json.load(answer)
    except (OSError, ValueError, http.client.HTTPException):
        return status, wait, None


def list_all(path, **filters):
    """Yields every item of a list, page by page."""
    offset = 0
    while True:
        page = call("GET", path, {**filters, "_limit": PAGE, "_offset": offset})
        yield from page["list"]
        offset += PAGE
        if offset >= page["total"]:
            return


def buy_topup(offer_id, phone_number, transaction_id):
    """Buys once per transaction_id, however often it is called with it."""
    purchase = {
        "offerId": offer_id,
        "transactionId": transaction_id,
        "recipientPhoneNumber": phone_number,
    }
    try:
        call("POST", "/topups/purchases", body=purchase)
    except Refused as refusal:
        if refusal.code != "DUPLICATE_TRANSACTION_ID":
            raise
        # An earlier request arrived. Make sure that it bought the same thing.
        first = call("GET", f"/topups/purchases/{transaction_id}")
        if any(first[name] != value for name, value in purchase.items()):
            raise


def wait_for_topup(transaction_id, timeout=120):
    """Returns the record of the purchase when it is final: DONE or FAILED."""
    deadline = time.monotonic() + timeout
    while True:
        record = call("GET", f"/topups/purchases/{transaction_id}")
        if record["status"] in ("DONE", "FAILED"):
            return record
        if time.monotonic() > deadline:
            raise TimeoutError(f"{transaction_id} is still {record['status']}")
        time.sleep(0.5)


def main(command="", *arguments):
    if len(arguments) != {"offers": 1, "buy": 3}.get(command):
        print("sell.py offers COUNTRY | buy OFFER_ID PHONE_NUMBER TRANSACTION_ID", file=sys.stderr)
        return 2
    if command == "offers":
        for offer in list_all("/topups/offers", country=arguments[0]):
            print(offer["offerId"], offer["priceType"], offer["shortNotes"], sep="\t")
        return 0
    offer_id, phone_number, transaction_id = arguments
    buy_topup(offer_id, phone_number, transaction_id)
    record = wait_for_topup(transaction_id)
    print(record["status"], record.get("error", {}).get("code", ""))
    return 0 if record["status"] == "DONE" else 1


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except Refused as refusal:
        print(refusal, refusal.fields, file=sys.stderr)
        sys.exit(2)
