import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TRANSACTION_STATUSES } from "../../server/contract/common.ts";
import { ERROR_STATUS, FAILURE_CODES } from "../../server/contract/error-codes.ts";
import { WEBHOOK_KINDS, type WebhookKind } from "../../server/contract/pos/webhooks.ts";
import { FaultSettings } from "../../server/contract/v1/sandbox.ts";
import { SECOND } from "../../server/lib/clock.ts";
import { type MutatingProxy, startMutatingProxy } from "../../server/testing/mutating-proxy.ts";
import { startTestGateway, type TestGateway } from "../../server/testing/test-gateway.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const SAMPLES = join(ROOT, "docs/samples");
const LANGUAGES = [
  {
    runtime: "python3",
    sell: ["python/sell.py"],
    receive: (port: number) => ["python/receive.py", String(port)],
  },
  {
    runtime: "php",
    sell: ["php/sell.php"],
    receive: (port: number) => ["-S", `127.0.0.1:${port}`, "php/receive.php"],
  },
] as const;

const CODES = Object.keys(ERROR_STATUS);
/** Error codes of `/v1`. The codes after them belong to the till. */
const V1_CODES = CODES.slice(0, CODES.indexOf("NOT_SIGNED_IN"));

let gateway: TestGateway;
let proxy: MutatingProxy;
const children = new Set<ChildProcess>();
beforeEach(async () => {
  gateway = await startTestGateway();
  // Uses the machine's time: a receiver compares its own time with the time of a message.
  gateway.clock.set(Date.now());
  await gateway.settle();
  proxy = await startMutatingProxy(() => gateway.url);
});
afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  children.clear();
  await proxy.close();
  await gateway.expectCleanBooks();
  await gateway.close();
});

function start(program: string, args: readonly string[], env: Record<string, string>) {
  const child = spawn(program, args, { cwd: SAMPLES, env: { ...process.env, ...env } });
  children.add(child);
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      output[name] += text;
    });
  }
  return { child, output };
}

async function sell(language: (typeof LANGUAGES)[number], ...words: string[]) {
  const env = { TILLGATE_URL: proxy.url, TILLGATE_KEY: gateway.key("test") };
  const { child, output } = start(language.runtime, [...language.sell, ...words], env);
  const closed = once(child, "close");
  while (child.exitCode === null) {
    await Promise.race([closed, nextAnswer()]);
    await gateway.advance(SECOND);
  }
  await closed;
  return { status: child.exitCode, ...output };
}

function nextAnswer(): Promise<void> {
  return new Promise((done) => {
    proxy.onAnswer = () => done();
  });
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function startReceiver(language: (typeof LANGUAGES)[number], port: number, secret: string) {
  const env = { TILLGATE_WEBHOOK_SECRET: secret };
  const receiver = start(language.runtime, language.receive(port), env);
  await expect
    .poll(() => fetch(`http://127.0.0.1:${port}/`, { method: "HEAD" }).then(({ ok }) => ok))
    .toBe(true);
  return receiver;
}

async function countTransactions(): Promise<number> {
  return (await gateway.v1("GET", "/transactions?_limit=1&_offset=0&productType=TOPUP")).body.total;
}

describe.each(LANGUAGES)("the samples for $runtime", (language) => {
  const isMissing = spawnSync(language.runtime, ["--version"]).status !== 0;
  const needs = isMissing ? ` (needs ${language.runtime})` : "";

  it.skipIf(isMissing)(`list every offer of a country${needs}`, async () => {
    const { body } = await gateway.v1("GET", "/topups/offers?_limit=1000&_offset=0&country=GT");
    const { status, stdout, stderr } = await sell(language, "offers", "GT");
    expect([status, stderr]).toEqual([0, ""]);
    const ids = stdout
      .trim()
      .split("\n")
      .map((line) => line.split("\t")[0]);
    expect(ids).toEqual(body.list.map(({ offerId }: { offerId: string }) => offerId));
  });

  it.skipIf(isMissing)(`buy once, even after lost responses and refusals${needs}`, async () => {
    const mutations = [
      { kind: "CUT" },
      { kind: "ANSWER", status: 503, isForwarded: false, retryAfter: "0" },
      { kind: "TRUNCATE" },
    ] as const;
    let next = 0;
    proxy.choose = ({ method }) => (method === "POST" ? mutations[next++] : undefined);
    const order = ["buy", "TIGO_GT_TOPUP_25", "+50251234567", "order-1"];
    const sold = await sell(language, ...order);
    expect([sold.status, sold.stdout.trim(), sold.stderr]).toEqual([0, "DONE", ""]);
    expect(next).toBeGreaterThan(3);
    expect((await sell(language, ...order)).status).toBe(0);
    expect(await countTransactions()).toBe(1);
  });

  it.skipIf(isMissing)(`print their usage without arguments${needs}`, async () => {
    for (const words of [[], ["buy"], ["offers"]]) {
      const { status, stderr } = await sell(language, ...words);
      expect([status, stderr]).toEqual([2, expect.stringMatching(/^sell\.\w+ offers COUNTRY/)]);
    }
  });

  it.skipIf(isMissing)(`report failures and refusals${needs}`, async () => {
    const buy = (number: string, id: string) =>
      sell(language, "buy", "TIGO_GT_TOPUP_25", number, id);
    const failed = await buy("+50251239001", "order-1");
    expect([failed.status, failed.stdout.trim()]).toEqual([1, "FAILED RECIPIENT_INVALID"]);
    const other = await buy("+50251234567", "order-1");
    expect([other.status, other.stderr]).toEqual([
      2,
      expect.stringContaining("DUPLICATE_TRANSACTION_ID"),
    ]);
    const wrong = await buy("12345", "order-2");
    expect([wrong.status, wrong.stderr]).toEqual([
      2,
      expect.stringContaining("recipientPhoneNumber"),
    ]);
  });

  it.skipIf(isMissing)(
    `accept webhooks of the gateway, and no other messages${needs}`,
    async () => {
      const port = await findFreePort();
      const url = `http://127.0.0.1:${port}/`;
      const unaware = await startReceiver(language, port, "");
      const owner = { accountId: "default", staffId: undefined };
      const kinds: WebhookKind[] = ["TOPUP", "BALANCE"];
      const target = { environment: "test", kinds, url, allowPrivate: true } as const;
      const { secret } = await gateway.gateway.context.webhooks.add(owner, target);
      unaware.child.kill();
      await once(unaware.child, "close");
      const { output } = await startReceiver(language, port, secret);

      await sell(language, "buy", "TIGO_GT_TOPUP_25", "+50251234567", "order-1");
      await expect.poll(() => output.stdout).toContain("order-1 DONE\n");
      const deliveries = await gateway.gateway.context.webhooks.listDeliveries("default", {
        _limit: 10,
        _offset: 0,
      });
      expect(deliveries.list.map(({ state }) => state)).toEqual(["DELIVERED"]);
      const sample = { environment: "test", kind: "BALANCE" } as const;
      await gateway.gateway.context.webhooks.trigger(owner, sample);
      await gateway.settle();
      await expect.poll(() => output.stdout).toMatch(/^BALANCE/m);
      expect(output.stderr).not.toMatch(/KeyError|Warning/);
      const forged = await fetch(url, {
        method: "POST",
        headers: {
          "webhook-id": "msg_1",
          "webhook-timestamp": String(Math.floor(Date.now() / SECOND)),
          "webhook-signature": "v1,AAAA v2,BBBB",
        },
        body: JSON.stringify({ transactionId: "order-2", status: "DONE" }),
      });
      expect([forged.status, output.stdout.includes("order-2")]).toEqual([401, false]);
      expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(401);
    },
  );
});

/** Programs that test every outcome, as the CI of an integrator would. */
const OUTCOME_PROGRAMS = [
  { runtime: process.execPath, language: "TypeScript", file: "typescript/outcomes.ts" },
  { runtime: "python3", language: "Python", file: "python/outcomes.py" },
] as const;
const FAMILY_NAMES = ["topup", "bundle", "voucher", "esim", "bill"];
/** Error codes that a purchase of every family may get. */
const REFUSALS = [
  "NOT_AUTHORIZED",
  "FORBIDDEN",
  "INVALID_REQUEST",
  "OFFER_NOT_FOUND",
  "OFFER_DISABLED",
  "PROVIDER_NOT_CONFIGURED",
  "INSUFFICIENT_FUNDS",
  "DUPLICATE_TRANSACTION_ID",
  "NOT_FOUND",
  "METHOD_NOT_ALLOWED",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "RATE_LIMITED",
  "INTERNAL_ERROR",
  "SYSTEM_UNAVAILABLE",
];

interface OutcomeTable {
  subjects: string[];
  /** Every result, for example `DONE` and `FAILED PRICE_CHANGED`, by the subject's first word. */
  results: Map<string, Set<string>>;
}

function readTable(stdout: string): OutcomeTable {
  const lines = stdout.trim().split("\n").slice(0, -1);
  const cells = lines.map((line) => line.split(/ {2,}/));
  const results = new Map<string, Set<string>>();
  for (const [subject = "", , result = ""] of cells) {
    const name = subject.split(" ")[0] ?? "";
    results.set(name, (results.get(name) ?? new Set()).add(result));
  }
  return { subjects: cells.map(([subject = ""]) => subject), results };
}

/** Creates a folder with the sample, the client and the command `tillgate`. */
function installSample(folder: string): string {
  const dir = mkdtempSync(join(tmpdir(), "tillgate-samples-"));
  cpSync(join(SAMPLES, folder), dir, { recursive: true });
  const installed = join(dir, "node_modules/@tillgate/client");
  mkdirSync(installed, { recursive: true });
  writeFileSync(join(installed, "package.json"), '{ "type": "module", "exports": "./main.js" }');
  const source = pathToFileURL(join(ROOT, "packages/client/src/index.ts")).href;
  writeFileSync(join(installed, "main.js"), `export * from "${source}";`);
  const program = join(ROOT, "server/admin/tillgate.ts");
  const script = `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`;
  writeFileSync(join(dir, "tillgate"), script, { mode: 0o755 });
  return dir;
}

describe.each(OUTCOME_PROGRAMS)(
  "the outcomes program in $language",
  ({ runtime, language, file }) => {
    const isMissing = spawnSync(runtime, ["--version"]).status !== 0;

    it.skipIf(isMissing)(
      `gets every status, error code, webhook kind and fault${isMissing ? ` (needs ${language})` : ""}`,
      { tags: ["thorough"] },
      async () => {
        const [folder = "", program = ""] = file.split("/");
        const dir = installSample(folder);
        const env = { TILLGATE: join(dir, "tillgate"), TMPDIR: dir };
        const { child, output } = start(runtime, [join(dir, program)], env);
        await once(child, "close");
        const different = output.stdout.split("\n").filter((line) => line.endsWith("DIFFERENT"));
        expect([child.exitCode, different, output.stderr]).toEqual([0, [], ""]);

        const { subjects, results } = readTable(output.stdout);
        const faults = subjects.filter((subject) => /^faults? /.test(subject)).join(" ");
        for (const fault of Object.keys(FaultSettings.properties)) {
          if (fault !== "status") expect(faults).toContain(fault);
        }
        for (const family of FAMILY_NAMES) {
          const found = [...(results.get(family) ?? [])];
          const failed = found.flatMap((result) => /^FAILED (.*)$/.exec(result)?.[1] ?? []);
          expect([family, failed.toSorted()]).toEqual([family, FAILURE_CODES.toSorted()]);
          const refused = found.flatMap((result) => /^\d{3} (.*)$/.exec(result)?.[1] ?? []);
          expect(refused).toEqual(expect.arrayContaining(REFUSALS));
          expect(found).toContain(TRANSACTION_STATUSES.toSorted().join(" "));
        }
        for (const kind of WEBHOOK_KINDS) expect(subjects).toContain(`webhook ${kind}`);
        const all = [...results.values()].flatMap((found) => [...found]).join(" ");
        expect(V1_CODES.filter((code) => !all.includes(code))).toEqual([]);
        expect(readdirSync(dir).filter((one) => one.startsWith("tillgate-sandbox-"))).toEqual([]);
        rmSync(dir, { recursive: true });
      },
    );
  },
);

describe("the Bruno collection", () => {
  const isMissing = spawnSync("bru", ["--version"]).status !== 0;

  it.skipIf(isMissing)(
    `buys, repeats and reads a purchase, and is refused${isMissing ? " (needs bru)" : ""}`,
    async () => {
      const vars = [`baseUrl=${gateway.url}`, `key=${gateway.key("test")}`];
      const args = ["run", "--env", "local", ...vars.flatMap((one) => ["--env-var", one])];
      const child = spawn("bru", args, { cwd: join(SAMPLES, "bruno") });
      children.add(child);
      let output = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
      const closed = once(child, "close");
      while (child.exitCode === null) {
        // The collection waits in real time for the outcome.
        await Promise.race([closed, once(child.stdout, "data")]);
        await gateway.advance(SECOND);
      }
      await closed;
      expect([child.exitCode, output]).toEqual([0, expect.stringContaining("6 Passed")]);
    },
  );
});
