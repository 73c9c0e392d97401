"""Runs every outcome of the API against a sandbox that this program starts and stops. Standard library
only, Python 3.9 or later. Prints a table of expectation and result, and exits with 1 if a result differs.

    python3 outcomes.py

Set TILLGATE to the path of the command if `tillgate` is not in the PATH.
"""

import http.client
import http.server
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

from receive import is_genuine

TILLGATE = os.environ.get("TILLGATE", "tillgate")
PHONE = {"recipientPhoneNumber": "+50251234567"}


def fields(**values):
    return [{"key": key.replace("_", "."), "value": value} for key, value in values.items()]


# Path, request, and an offer that the catalog lists but does not sell.
PURCHASES = {
    "topup": ("topups", {"offerId": "TIGO_GT_TOPUP_25", **PHONE}, "MOVISTAR_SV_TOPUP_20"),
    "bundle": ("topups", {"offerId": "TIGO_GT_DATA_1GB_3D", **PHONE}, "YAS_TG_DATA_2GB_7D"),
    "voucher": (
        "vouchers",
        {
            "offerId": "ESKOM_ZA_ELECTRICITY_RANGE",
            "fields": fields(meter_number="01234567890", recipient_msisdn="+27821234567"),
            "value": {"type": "ZEND", "value": 10_000},
        },
        "EDENOR_AR_ELECTRICITY_5000",
    ),
    "esim": ("esim", {"offerId": "AIRALO_ES_1GB_7D"}, "HOLAFLY_MX_UNLIMITED_30D"),
    "bill": (
        "billpay",
        {
            "offerId": "AYSA_AR_BILL_WATER",
            "fields": fields(accountNumber="30001234567", billIdentifier="202601"),
            "value": {"type": "ZEND", "value": 6_066_500},
        },
        "BANTRAB_GT_BILL_LOAN",
    ),
}

# Final status, and error code of a failure, by the scenario of the purchase.
OUTCOMES = {
    "delivered": "DONE",
    "delivered-slowly": "DONE",
    "provider-recovers": "DONE",
    "provider-timeout-then-done": "DONE",
    "brand-paused-then-done": "DONE",
    "recipient-invalid": "FAILED RECIPIENT_INVALID",
    "provider-rejected": "FAILED PROVIDER_REJECTED",
    "price-changed": "FAILED PRICE_CHANGED",
    "provider-down": "FAILED RETRY_WINDOW_EXPIRED",
    "provider-down-without-queue": "FAILED PROVIDER_UNAVAILABLE",
    "provider-timeout-not-received": "FAILED RETRY_WINDOW_EXPIRED",
    "outcome-unknown": "FAILED RETRY_WINDOW_EXPIRED",
    "brand-paused": "FAILED RETRY_WINDOW_EXPIRED",
    "wallet-empty": "FAILED INSUFFICIENT_FUNDS",
    "verification-rejected": "FAILED VERIFICATION_BLOCKED",
    "verification-unanswered": "FAILED VERIFICATION_TIMEOUT",
    "provider-not-configured": "FAILED PROVIDER_NOT_CONFIGURED",
    "iccid-not-found": "FAILED ICCID_NOT_FOUND",
}
STATUSES = "ACCEPTED AUTHORIZED DONE FAILED IN_PROGRESS PENDING"
RESULT_KINDS = ["TOPUP", "VOUCHER", "ESIM", "BILL_PAY", "REFUND", "REPORT", "BALANCE"]
# Kinds that are about the shop: a sandbox sends them only as samples.
SAMPLE_KINDS = ["CATALOG", "PROMOTION", "RECEIPT"]
WALLET = 1_000_000_000

rows = []
messages = []
forgeries = []
sandbox = {}


def compare(subject, expected, result):
    rows.append((subject, str(expected), str(result)))


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_HEAD(self):
        self.answer(200)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if not is_genuine(sandbox["webhookSecret"], self.headers, body):
            forgeries.append(body)
            self.answer(401)
            return
        kind = self.headers["webhook-kind"]
        messages.append((kind, self.headers["webhook-id"], body))
        ending = json.loads(body).get("transactionId", "")[-3:]
        is_refused = kind == "TRANSACTION" and ending in ("404", "500")
        self.answer(int(ending) if is_refused else 200)

    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def request(method, path, body=None, **headers):
    """Sends a request without repeats. Returns its status and its body, as bytes."""
    data = None if body is None else json.dumps(body).encode()
    given = {"Authorization": f"Bearer {sandbox['key']}", "Content-Type": "application/json"}
    given.update({name.replace("_", "-"): value for name, value in headers.items()})
    if data is None:
        del given["Content-Type"]
    sent = urllib.request.Request(sandbox["url"] + path, data, given, method=method)
    try:
        with urllib.request.urlopen(sent, timeout=120) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.status, error.read()


def send(method, path, body=None, **headers):
    """Returns the status with the error code, or with the status of the record."""
    status, text = request(method, f"/v1{path}", body, **headers)
    answer = json.loads(text)
    return f"{status} {answer.get('errorCode') or answer.get('status', '')}".strip()


def control(method, path, body=None):
    status, text = request(method, f"/sandbox/v1{path}", body)
    if status != 200:
        raise RuntimeError(f"{method} {path}: {text}")


def advance(*steps):
    for by in steps:
        control("POST", "/clock/advance", {"by": by})


def command(*words):
    """Runs a command of the shop's owner on the sandbox's folder."""
    folder = os.path.join(tempfile.gettempdir(), sandbox["sandbox"])
    env = {**os.environ, "TILLGATE_DATA": folder}
    return subprocess.check_output([TILLGATE, *words], env=env, text=True).strip()


def buy(name, transaction_id, scenario="delivered"):
    path, body, _ = PURCHASES[name]
    body = {**body, "transactionId": transaction_id}
    return send("POST", f"/{path}/purchases", body, X_Sandbox_Scenario=scenario)


def read(name, transaction_id):
    record = json.loads(request("GET", f"/v1/{PURCHASES[name][0]}/purchases/{transaction_id}")[1])
    result = f"{record['status']} {record.get('error', {}).get('code', '')}".strip()
    return result, {step["status"] for step in record["log"]}


def run_outcomes(receiver_url):
    control("PUT", "/webhook", {"url": receiver_url, "kinds": RESULT_KINDS + SAMPLE_KINDS})
    for name in PURCHASES:
        for scenario in OUTCOMES:
            buy(name, f"{name}-{scenario}", scenario)
    advance("1m")
    for name in PURCHASES:
        compare(f"{name} brand-paused, first minute", "PENDING", read(name, f"{name}-brand-paused")[0])
        still_open = read(name, f"{name}-outcome-unknown")[0]
        compare(f"{name} outcome-unknown, first minute", "IN_PROGRESS", still_open)
    not_ready = send("GET", "/esim/purchases/esim-brand-paused/qrcode")
    compare("QR code of an unfinished eSIM", "400 QRCODE_NOT_READY", not_ready)
    advance("24h", "2h")
    for name in PURCHASES:
        statuses = set()
        for scenario, expected in OUTCOMES.items():
            result, steps = read(name, f"{name}-{scenario}")
            compare(f"{name} {scenario}", expected, result)
            statuses |= steps
        compare(f"{name} statuses in the logs", STATUSES, " ".join(sorted(statuses)))
    listed = command("reconciliation", "list", "--env", "test", "--json")
    for name in PURCHASES:
        result = "reconciles" if f'"{name}-outcome-unknown"' in listed else "nothing"
        compare(f"{name} outcome-unknown, the owner", "reconciles", result)


def run_purchase_refusals():
    live = f"Bearer {command('keys', 'create', '--env', 'live', '--name', 'ci')}"
    create = ["keys", "create", "--env", "test", "--name", "ci", "--scopes", "read"]
    reader = f"Bearer {command(*create)}"
    for name, (path, body, disabled) in PURCHASES.items():

        def refuse(expected, changes, **headers):
            changed = {**body, "transactionId": f"{name}-new", **changes}
            result = send("POST", f"/{path}/purchases", changed, **headers)
            compare(f"{name} refused", expected, result)

        wrong_value = {"value": {"type": "ZEND", "value": 1}}
        refuse("400 INVALID_REQUEST", {"transactionId": "no spaces"})
        refuse("400 OFFER_NOT_FOUND", {"offerId": "NONE"})
        refuse("400 OFFER_DISABLED", {"offerId": disabled})
        refuse("400 DUPLICATE_TRANSACTION_ID", {"transactionId": f"{name}-delivered"})
        refuse("400 PROVIDER_NOT_CONFIGURED", {}, Authorization=live)
        refuse("401 NOT_AUTHORIZED", {}, Authorization="Bearer test_wrong")
        refuse("403 FORBIDDEN", {}, Authorization=reader)
        refuse("415 UNSUPPORTED_MEDIA_TYPE", {}, Content_Type="text/plain")
        refuse("413 PAYLOAD_TOO_LARGE", {"offerId": "x" * 70_000})
        not_possible = send("DELETE", f"/{path}/purchases")
        compare(f"{name} refused", "405 METHOD_NOT_ALLOWED", not_possible)
        if "fields" in body:
            refuse("400 REQUIRED_FIELD_MISSING", {"fields": []})
        if "value" in body:
            refuse("400 VALUE_REQUIRED", {"value": None})
            refuse("400 VALUE_OUT_OF_RANGE", wrong_value)
        elif path == "topups":
            refuse("400 VALUE_NOT_ALLOWED", wrong_value)
        stored = send("GET", f"/{path}/purchases/{name}-new")
        compare(f"{name} after the refusals", "404 NOT_FOUND", stored)


def run_other_refusals():
    bill = "/billpay/offers/AYSA_AR_BILL_WATER/bill?accountNumber=12345679001&billIdentifier=42"
    compare("bill of an unknown account", "400 BILL_NOT_FOUND", send("GET", bill))
    lookup = "/tools/phonenumberlookup/%2B34600000000"
    compare("look-up of an unknown number", "400 PHONE_NUMBER_NOT_FOUND", send("GET", lookup))
    command("settings", "set", "--lookup", "off")
    compare("look-up that is switched off", "400 LOOKUP_NOT_ENABLED", send("GET", lookup))


def run_empty_wallet():
    """An empty wallet refuses quotes, and its balance is sent."""
    control("PUT", "/wallet", {"availableBalance": 0})
    for name, (path, body, _) in PURCHASES.items():
        quote = {**body, "transactionId": f"{name}-quote", "validateOnly": True}
        result = send("POST", f"/{path}/purchases", quote)
        compare(f"{name} quote with an empty wallet", "400 INSUFFICIENT_FUNDS", result)
    advance("1m")
    control("PUT", "/wallet", {"availableBalance": WALLET})


def run_webhooks(receiver_url):
    buy("esim", "refunded")
    advance("1m")
    refund = "/esim/purchases/refunded/refund"
    compare("refund of an eSIM", "200 ACCEPTED", send("POST", refund))
    advance("1m")
    compare("second refund of an eSIM", "400 REFUND_NOT_ALLOWED", send("POST", refund))
    period = {"startGte": "2026-01-01T00:00:00Z", "endLt": "2026-02-01T00:00:00Z"}
    compare("report", "200 REQUESTED", send("POST", "/reports/transactions", period))
    for kind in SAMPLE_KINDS:
        command("webhooks", "trigger", kind, "--env", "test")
    advance("1m")
    for kind in RESULT_KINDS + SAMPLE_KINDS:
        is_received = any(message[0] == kind for message in messages)
        compare(f"webhook {kind}", "received", "received" if is_received else "missing")
    for name, (path, *_) in PURCHASES.items():
        sent = [body for _, _, body in messages if f'"transactionId":"{name}-'.encode() in body]
        compare(f"{name} results by webhook", len(OUTCOMES), len(sent))
        record = request("GET", f"/v1/{path}/purchases/{name}-provider-rejected")[1]
        compare(f"{name} webhook", "equals GET", "equals GET" if record in sent else "differs")
    compare("webhooks with a wrong signature", 0, len(forgeries))
    try:
        forged = urllib.request.urlopen(receiver_url, b"{}").status
    except urllib.error.HTTPError as error:
        forged = error.code
    compare("forged webhook", 401, forged)


def run_verification(receiver_url):
    expected = {
        "verified-200": "DONE",
        "verified-404": "FAILED VERIFICATION_BLOCKED",
        "verified-500": "FAILED VERIFICATION_TIMEOUT",
    }
    control("PUT", "/webhook", {"url": receiver_url, "kinds": ["TOPUP", "TRANSACTION"]})
    for transaction_id in expected:
        buy("topup", transaction_id)
    advance("1m")
    for transaction_id, outcome in expected.items():
        compare(f"topup {transaction_id}", outcome, read("topup", transaction_id)[0])
    compare("webhook TRANSACTION", 3, sum(kind == "TRANSACTION" for kind, *_ in messages))
    control("PUT", "/webhook", {"url": receiver_url})


def run_faults():
    codes = {429: "RATE_LIMITED", 500: "INTERNAL_ERROR", 503: "SYSTEM_UNAVAILABLE"}
    for status, code in codes.items():
        control("PUT", "/faults", {"status": status})
        for name in PURCHASES:
            result = buy(name, f"{name}-fault-{status}")
            compare(f"{name} with the fault {status}", f"{status} {code}", result)
        control("DELETE", "/faults")
        for name in PURCHASES:
            result = buy(name, f"{name}-fault-{status}")
            compare(f"{name} after the fault {status}", "200 ACCEPTED", result)
    control("PUT", "/faults", {"latencyMs": 200})
    start = time.monotonic()
    buy("topup", "slow")
    is_late = time.monotonic() - start >= 0.199
    compare("fault latencyMs", "at least 200 ms", "at least 200 ms" if is_late else "earlier")
    control("PUT", "/faults", {"resetAfterAccept": True})
    try:
        lost = buy("topup", "lost")
    except (OSError, http.client.HTTPException):
        lost = "no answer"
    compare("fault resetAfterAccept", "no answer", lost)
    control("PUT", "/faults", {})
    compare("topup after a lost answer", "400 DUPLICATE_TRANSACTION_ID", buy("topup", "lost"))
    advance("1m")
    compare("topup with a lost answer", "DONE", read("topup", "lost")[0])
    control("PUT", "/faults", {"duplicateWebhooks": True, "reorderWebhooks": True})
    before = len(messages)
    buy("topup", "first")
    buy("topup", "second")
    advance("1m")
    sent = messages[before:]
    order = " ".join(json.loads(body)["transactionId"] for _, _, body in sent)
    compare("faults duplicateWebhooks, reorderWebhooks", "second second first first", order)
    compare("ids of the duplicates", 2, len({message_id for _, message_id, _ in sent}))
    control("DELETE", "/faults")


def print_table():
    subjects, expectations = (max(len(row[column]) for row in rows) for column in (0, 1))
    differences = 0
    for subject, expected, result in rows:
        is_different = expected != result
        differences += is_different
        line = f"{subject:{subjects}}  {expected:{expectations}}  {result}"
        print(f"{line}  DIFFERENT" if is_different else line)
    print(f"{len(rows)} results, {differences} differences")
    return differences == 0


def main():
    start = [TILLGATE, "sandbox", "start", "--ephemeral", "--wallet", str(WALLET)]
    program = subprocess.Popen(start, stdout=subprocess.PIPE)
    receiver = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=receiver.serve_forever).start()
    receiver_url = f"http://127.0.0.1:{receiver.server_port}/"
    try:
        sandbox.update(json.loads(program.stdout.readline()))
        run_outcomes(receiver_url)
        run_purchase_refusals()
        run_other_refusals()
        run_empty_wallet()
        run_webhooks(receiver_url)
        run_verification(receiver_url)
        run_faults()
        return 0 if print_table() else 1
    finally:
        receiver.shutdown()
        program.terminate()
        program.wait()


if __name__ == "__main__":
    sys.exit(main())
