/**
 * Runs every outcome of the API against a sandbox that this program starts and stops. Prints a table
 * of expectation and result, and exits with 1 if a result differs. Requires Node.js 24:
 *
 *     npm install ./tillgate-client-VERSION.tgz
 *     node outcomes.ts
 *
 * Set TILLGATE to the path of the command if `tillgate` is not in the PATH.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { createTillgateClient, type Family, verifyWebhook } from "@tillgate/client";

const TILLGATE = process.env.TILLGATE ?? "tillgate";

interface Purchase {
  path: Family;
  input: object;
  /** An offer that the catalog lists but does not sell. */
  disabled: string;
}

const ELECTRICITY = {
  offerId: "ESKOM_ZA_ELECTRICITY_RANGE",
  fields: [
    { key: "meter.number", value: "01234567890" },
    { key: "recipient.msisdn", value: "+27821234567" },
  ],
  value: { type: "ZEND", value: 10_000 },
};
const WATER_BILL = {
  offerId: "AYSA_AR_BILL_WATER",
  fields: [
    { key: "accountNumber", value: "30001234567" },
    { key: "billIdentifier", value: "202601" },
  ],
  value: { type: "ZEND", value: 6_066_500 },
};
const PURCHASES: Record<string, Purchase> = {
  topup: {
    path: "topups",
    input: { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" },
    disabled: "MOVISTAR_SV_TOPUP_20",
  },
  bundle: {
    path: "topups",
    input: { offerId: "TIGO_GT_DATA_1GB_3D", recipientPhoneNumber: "+50251234567" },
    disabled: "YAS_TG_DATA_2GB_7D",
  },
  voucher: { path: "vouchers", input: ELECTRICITY, disabled: "EDENOR_AR_ELECTRICITY_5000" },
  esim: {
    path: "esim",
    input: { offerId: "AIRALO_ES_1GB_7D" },
    disabled: "HOLAFLY_MX_UNLIMITED_30D",
  },
  bill: { path: "billpay", input: WATER_BILL, disabled: "BANTRAB_GT_BILL_LOAN" },
};

/** Final status, and error code of a failure, by the scenario of the purchase. */
const OUTCOMES: Record<string, string> = {
  delivered: "DONE",
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
};
const STATUSES = "ACCEPTED AUTHORIZED DONE FAILED IN_PROGRESS PENDING";
const RESULT_KINDS = ["TOPUP", "VOUCHER", "ESIM", "BILL_PAY", "REFUND", "REPORT", "BALANCE"];
/** Kinds that are about the shop: a sandbox sends them only as samples. */
const SAMPLE_KINDS = ["CATALOG", "PROMOTION", "RECEIPT"];
const WALLET = 1_000_000_000;

interface Sandbox {
  sandbox: string;
  url: string;
  key: string;
  webhookSecret: string;
}

interface Message {
  kind: string;
  id: string;
  body: string;
}

const rows: { subject: string; expected: string; result: string }[] = [];

function compare(subject: string, expected: string, result: string): void {
  rows.push({ subject, expected, result });
}

function printTable(): boolean {
  const width = (column: "subject" | "expected") =>
    Math.max(...rows.map((row) => row[column].length));
  const [subjects, expectations] = [width("subject"), width("expected")];
  for (const { subject, expected, result } of rows) {
    const line = `${subject.padEnd(subjects)}  ${expected.padEnd(expectations)}  ${result}`;
    process.stdout.write(result === expected ? `${line}\n` : `${line}  DIFFERENT\n`);
  }
  const differences = rows.filter(({ expected, result }) => result !== expected).length;
  process.stdout.write(`${rows.length} results, ${differences} differences\n`);
  return differences === 0;
}

/** Receives webhooks. Answers a verification by the transaction id: `…-404` is answered with 404. */
class Receiver {
  readonly messages: Message[] = [];
  invalid = 0;
  secret = "";
  readonly server = createServer((request, response) => void this.#answer(request, response));

  async listen(): Promise<string> {
    this.server.listen(0, "127.0.0.1");
    await once(this.server, "listening");
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== "POST") return void response.end();
    const { headers } = request;
    const body = await text(request);
    try {
      const record = verifyWebhook<"topupResult">({ headers, body }, this.secret);
      const kind = String(headers["webhook-kind"]);
      this.messages.push({ kind, id: String(headers["webhook-id"]), body });
      const [, status] = /-(404|500)$/.exec(record.transactionId ?? "") ?? [];
      response.writeHead(kind === "TRANSACTION" ? Number(status ?? 200) : 200).end();
    } catch {
      this.invalid += 1;
      response.writeHead(401).end();
    }
  }
}

class Run {
  readonly sandbox: Sandbox;
  readonly receiver: Receiver;
  readonly receiverUrl: string;

  constructor(sandbox: Sandbox, receiver: Receiver, receiverUrl: string) {
    this.sandbox = sandbox;
    this.receiver = receiver;
    this.receiverUrl = receiverUrl;
  }

  get client() {
    return createTillgateClient({ baseUrl: this.sandbox.url, apiKey: this.sandbox.key });
  }

  /** Sends a request without repeats. Returns its status with its error code or its record's status. */
  async send(method: string, path: string, body?: object | string, headers: object = {}) {
    const response = await fetch(`${this.sandbox.url}/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.sandbox.key}`,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const answer = (await response.json()) as { errorCode?: string; status?: string };
    return [response.status, answer.errorCode ?? answer.status].filter(Boolean).join(" ");
  }

  async control(method: string, path: string, body?: object): Promise<void> {
    const response = await fetch(`${this.sandbox.url}/sandbox/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${this.sandbox.key}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  }

  advance(by: string): Promise<void> {
    return this.control("POST", "/clock/advance", { by });
  }

  /** Runs a command of the shop's owner on the sandbox's folder. */
  command(...args: string[]): string {
    const env = { ...process.env, TILLGATE_DATA: join(tmpdir(), this.sandbox.sandbox) };
    return execFileSync(TILLGATE, args, { env, encoding: "utf8" }).trim();
  }

  buy(name: string, transactionId: string, scenario = "delivered"): Promise<string> {
    const { path, input } = PURCHASES[name] as Purchase;
    const headers = { "x-sandbox-scenario": scenario };
    return this.send("POST", `/${path}/purchases`, { ...input, transactionId }, headers);
  }

  async read(name: string, transactionId: string) {
    const { status, error, log } = await this.client.getPurchase(
      (PURCHASES[name] as Purchase).path,
      transactionId,
    );
    return { result: error ? `${status} ${error.code}` : String(status), status, log };
  }

  async takeMessages(work: () => Promise<void>): Promise<Message[]> {
    const before = this.receiver.messages.length;
    await work();
    return this.receiver.messages.slice(before);
  }
}

async function runOutcomes(run: Run): Promise<void> {
  const kinds = [...RESULT_KINDS, ...SAMPLE_KINDS];
  await run.control("PUT", "/webhook", { url: run.receiverUrl, kinds });
  const scenarios = Object.keys(OUTCOMES);
  for (const name of Object.keys(PURCHASES)) {
    for (const scenario of scenarios) await run.buy(name, `${name}-${scenario}`, scenario);
  }
  await run.advance("1m");
  for (const name of Object.keys(PURCHASES)) {
    const waiting = await run.read(name, `${name}-brand-paused`);
    compare(`${name} brand-paused, first minute`, "PENDING", waiting.result);
    const open = await run.read(name, `${name}-outcome-unknown`);
    compare(`${name} outcome-unknown, first minute`, "IN_PROGRESS", open.result);
  }
  const notReady = await run.send("GET", "/esim/purchases/esim-brand-paused/qrcode");
  compare("QR code of an unfinished eSIM", "400 QRCODE_NOT_READY", notReady);

  await run.advance("24h");
  await run.advance("2h");
  for (const name of Object.keys(PURCHASES)) {
    const statuses = new Set<string>();
    for (const [scenario, expected] of Object.entries(OUTCOMES)) {
      const { result, log } = await run.read(name, `${name}-${scenario}`);
      compare(`${name} ${scenario}`, expected, result);
      for (const { status } of log ?? []) statuses.add(String(status));
    }
    compare(`${name} statuses in the logs`, STATUSES, [...statuses].toSorted().join(" "));
  }
  const listed = run.command("reconciliation", "list", "--env", "test", "--json");
  for (const name of Object.keys(PURCHASES)) {
    const isListed = listed.includes(`"${name}-outcome-unknown"`);
    compare(
      `${name} outcome-unknown, the owner`,
      "reconciles",
      isListed ? "reconciles" : "nothing",
    );
  }
}

async function runPurchaseRefusals(run: Run): Promise<void> {
  const live = {
    authorization: `Bearer ${run.command("keys", "create", "--env", "live", "--name", "ci")}`,
  };
  const create = ["keys", "create", "--env", "test", "--name", "ci", "--scopes", "read"];
  const reader = { authorization: `Bearer ${run.command(...create)}` };
  for (const [name, { path, input, disabled }] of Object.entries(PURCHASES)) {
    const post = (changes: object, headers: object = {}) =>
      run.send(
        "POST",
        `/${path}/purchases`,
        { ...input, transactionId: `${name}-new`, ...changes },
        headers,
      );
    const isRange = "value" in input;
    const wrongValue = { value: { type: "ZEND", value: 1 } };
    const refusals: Record<string, Promise<string>> = {
      "400 INVALID_REQUEST": post({ transactionId: "no spaces" }),
      "400 OFFER_NOT_FOUND": post({ offerId: "NONE" }),
      "400 OFFER_DISABLED": post({ offerId: disabled, ...(isRange && { value: undefined }) }),
      "400 DUPLICATE_TRANSACTION_ID": post({ transactionId: `${name}-delivered` }),
      "400 PROVIDER_NOT_CONFIGURED": post({}, live),
      "401 NOT_AUTHORIZED": post({}, { authorization: "Bearer test_wrong" }),
      "403 FORBIDDEN": post({}, reader),
      "415 UNSUPPORTED_MEDIA_TYPE": post({}, { "content-type": "text/plain" }),
      "413 PAYLOAD_TOO_LARGE": post({ offerId: "x".repeat(70_000) }),
      "405 METHOD_NOT_ALLOWED": run.send("DELETE", `/${path}/purchases`),
      ...("fields" in input && { "400 REQUIRED_FIELD_MISSING": post({ fields: [] }) }),
      ...(isRange && {
        "400 VALUE_REQUIRED": post({ value: undefined }),
        "400 VALUE_OUT_OF_RANGE": post(wrongValue),
      }),
      // A plan has no value at all: the request is invalid.
      ...(path === "topups" && { "400 VALUE_NOT_ALLOWED": post(wrongValue) }),
    };
    for (const [expected, result] of Object.entries(refusals)) {
      compare(`${name} refused`, expected, await result);
    }
    const stored = await run.send("GET", `/${path}/purchases/${name}-new`);
    compare(`${name} after the refusals`, "404 NOT_FOUND", stored);
  }
}

async function runOtherRefusals(run: Run): Promise<void> {
  const bill = "/billpay/offers/AYSA_AR_BILL_WATER/bill";
  const unknown = await run.send("GET", `${bill}?accountNumber=12345679001&billIdentifier=42`);
  compare("bill of an unknown account", "400 BILL_NOT_FOUND", unknown);
  const lookup = () => run.send("GET", "/tools/phonenumberlookup/%2B34600000000");
  compare("look-up of an unknown number", "400 PHONE_NUMBER_NOT_FOUND", await lookup());
  run.command("settings", "set", "--lookup", "off");
  compare("look-up that is switched off", "400 LOOKUP_NOT_ENABLED", await lookup());
}

/** An empty wallet refuses quotes, and its balance is sent. */
async function runEmptyWallet(run: Run): Promise<void> {
  await run.control("PUT", "/wallet", { availableBalance: 0 });
  for (const [name, { path, input }] of Object.entries(PURCHASES)) {
    const quote = { ...input, transactionId: `${name}-quote`, validateOnly: true };
    const result = await run.send("POST", `/${path}/purchases`, quote);
    compare(`${name} quote with an empty wallet`, "400 INSUFFICIENT_FUNDS", result);
  }
  await run.advance("1m");
  await run.control("PUT", "/wallet", { availableBalance: WALLET });
}

async function runWebhooks(run: Run): Promise<void> {
  const { transactionId } = await run.client.purchase("esim", {
    offerId: "AIRALO_ES_1GB_7D",
    transactionId: "refunded",
  });
  await run.advance("1m");
  const refund = () => run.send("POST", `/esim/purchases/${transactionId}/refund`);
  compare("refund of an eSIM", "200 ACCEPTED", await refund());
  await run.advance("1m");
  compare("second refund of an eSIM", "400 REFUND_NOT_ALLOWED", await refund());
  const period = { startGte: "2026-01-01T00:00:00Z", endLt: "2026-02-01T00:00:00Z" };
  compare("report", "200 REQUESTED", await run.send("POST", "/reports/transactions", period));
  for (const kind of SAMPLE_KINDS) run.command("webhooks", "trigger", kind, "--env", "test");
  await run.advance("1m");

  const { messages, invalid } = run.receiver;
  for (const kind of [...RESULT_KINDS, ...SAMPLE_KINDS]) {
    const isReceived = messages.some((message) => message.kind === kind);
    compare(`webhook ${kind}`, "received", isReceived ? "received" : "missing");
  }
  for (const [name, { path }] of Object.entries(PURCHASES)) {
    const sent = messages.filter(({ body }) => body.includes(`"transactionId":"${name}-`));
    compare(`${name} results by webhook`, `${Object.keys(OUTCOMES).length}`, `${sent.length}`);
    const id = `${name}-provider-rejected`;
    const found = sent.find(({ body }) => body.includes(`"${id}"`));
    const record = JSON.stringify(await run.client.getPurchase(path, id));
    compare(`${name} webhook`, "equals GET", found?.body === record ? "equals GET" : "differs");
  }
  compare("webhooks with a wrong signature", "0", String(invalid));
  const forged = await fetch(run.receiverUrl, { method: "POST", body: "{}" });
  compare("forged webhook", "401", String(forged.status));
}

async function runVerification(run: Run): Promise<void> {
  const expected = {
    "verified-200": "DONE",
    "verified-404": "FAILED VERIFICATION_BLOCKED",
    "verified-500": "FAILED VERIFICATION_TIMEOUT",
  };
  const kinds = ["TOPUP", "TRANSACTION"];
  await run.control("PUT", "/webhook", { url: run.receiverUrl, kinds });
  const messages = await run.takeMessages(async () => {
    for (const id of Object.keys(expected)) await run.buy("topup", id);
    await run.advance("1m");
  });
  for (const [id, outcome] of Object.entries(expected)) {
    compare(`topup ${id}`, outcome, (await run.read("topup", id)).result);
  }
  const asked = messages.filter(({ kind }) => kind === "TRANSACTION");
  compare("webhook TRANSACTION", "3", String(asked.length));
  await run.control("PUT", "/webhook", { url: run.receiverUrl });
}

async function runFaults(run: Run): Promise<void> {
  const during = async (faults: object, work: () => Promise<void>) => {
    await run.control("PUT", "/faults", faults);
    await work();
    await run.control("DELETE", "/faults");
  };
  const codes = { 429: "RATE_LIMITED", 500: "INTERNAL_ERROR", 503: "SYSTEM_UNAVAILABLE" };
  for (const [status, code] of Object.entries(codes)) {
    const buyEach = async (subject: string, expected: string) => {
      for (const name of Object.keys(PURCHASES)) {
        compare(`${name} ${subject}`, expected, await run.buy(name, `${name}-fault-${status}`));
      }
    };
    await during({ status: Number(status) }, () =>
      buyEach(`with the fault ${status}`, `${status} ${code}`),
    );
    await buyEach(`after the fault ${status}`, "200 ACCEPTED");
  }
  await during({ latencyMs: 200 }, async () => {
    const start = performance.now();
    await run.buy("topup", "slow");
    const isLate = performance.now() - start >= 199;
    compare("fault latencyMs", "at least 200 ms", isLate ? "at least 200 ms" : "earlier");
  });
  await during({ resetAfterAccept: true }, async () => {
    const lost = await run.buy("topup", "lost").catch(() => "no answer");
    compare("fault resetAfterAccept", "no answer", lost);
  });
  const again = await run.buy("topup", "lost");
  compare("topup after a lost answer", "400 DUPLICATE_TRANSACTION_ID", again);
  await run.advance("1m");
  compare("topup with a lost answer", "DONE", (await run.read("topup", "lost")).result);

  await during({ duplicateWebhooks: true, reorderWebhooks: true }, async () => {
    const messages = await run.takeMessages(async () => {
      await run.buy("topup", "first");
      await run.buy("topup", "second");
      await run.advance("1m");
    });
    const names = messages.map(
      ({ body }) => (JSON.parse(body) as { transactionId: string }).transactionId,
    );
    compare(
      "faults duplicateWebhooks, reorderWebhooks",
      "second second first first",
      names.join(" "),
    );
    compare("ids of the duplicates", "2", String(new Set(messages.map(({ id }) => id)).size));
  });
}

async function runAll(program: ChildProcess, receiver: Receiver): Promise<boolean> {
  if (!program.stdout) throw new Error(`${TILLGATE} has no output`);
  const [line] = (await once(createInterface(program.stdout), "line")) as [string];
  const sandbox = JSON.parse(line) as Sandbox;
  receiver.secret = sandbox.webhookSecret;
  const run = new Run(sandbox, receiver, await receiver.listen());
  await runOutcomes(run);
  await runPurchaseRefusals(run);
  await runOtherRefusals(run);
  await runEmptyWallet(run);
  await runWebhooks(run);
  await runVerification(run);
  await runFaults(run);
  return printTable();
}

const args = ["sandbox", "start", "--ephemeral", "--wallet", String(WALLET)];
const program = spawn(TILLGATE, args, { stdio: ["ignore", "pipe", "inherit"] });
const receiver = new Receiver();
try {
  if (!(await runAll(program, receiver))) process.exitCode = 1;
} finally {
  receiver.server.close();
  program.kill("SIGTERM");
  await once(program, "close");
}
