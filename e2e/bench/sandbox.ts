/**
 * `npm run bench:sandbox`: throughput of the test environment, compared alternately with Prism, a
 * mock server for `docs/openapi.json`.
 *
 * The script installs Prism's 185 packages into a temporary folder; `-- --mock DIR` uses an
 * installed Prism, and `--seconds N` measures longer.
 */
import { type ChildProcess, execFileSync, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import autocannon from "autocannon";
import type { GatewayUse } from "./gateway-process.ts";
import { median } from "./quantile.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const PRISM = "@stoplight/prism-cli@5.14.2";
const ROUNDS = 5;
const CONNECTIONS = 10;
const { values } = parseArgs({
  options: { mock: { type: "string" }, seconds: { type: "string", default: "3" } },
});
const SECONDS = Number(values.seconds);

const RECORD = "/v1/topups/purchases/bench-record";
const QUESTIONS = {
  "a page of 50 offers": "/v1/topups/offers?_limit=50&_offset=0&country=GT",
  "one offer": "/v1/topups/offers/TIGO_GT_TOPUP_25",
  balance: "/v1/balance",
  "a purchase's record": RECORD,
};
/** Requests for a gateway without a cache. Normal gateways cache their responses until a commit. */
const READ_ANEW = {
  "balance, read anew": QUESTIONS.balance,
  "a record, read anew": RECORD,
};
const PURCHASE = "a purchase is accepted";

interface Server {
  url: string;
  key: string;
}

let purchases = 0;
function purchase(transactionId = `bench-${purchases++}`): string {
  return JSON.stringify({
    offerId: "TIGO_GT_TOPUP_25",
    transactionId,
    recipientPhoneNumber: `+5025${String(1_000_000 + (purchases % 9_000) * 900).slice(0, 7)}`,
  });
}

/**
 * Returns successful responses per second.
 * @throws Error if a request fails
 */
async function load({ url, key }: Server, path: string, isPurchase = false): Promise<number> {
  const { requests, non2xx, errors } = await autocannon({
    url: url + path,
    connections: CONNECTIONS,
    duration: SECONDS,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(isPurchase && {
      requests: [
        { method: "POST" as const, setupRequest: (request) => ({ ...request, body: purchase() }) },
      ],
    }),
  });
  if (non2xx > 0 || errors > 0) throw new Error(`${path} failed under load: ${non2xx} ${errors}`);
  return requests.average;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function startMock(dir: string): Promise<Server & { process: ChildProcess }> {
  const port = await freePort();
  const program = join(dir, "node_modules/@stoplight/prism-cli/dist/index.js");
  const document = join(ROOT, "docs/openapi.json");
  // Disables log lines, which would cost more than the responses.
  const options = ["--port", String(port), "--host", "127.0.0.1", "--verboseLevel", "silent"];
  const mock = spawn(process.execPath, [program, "mock", ...options, document], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, NODE_ENV: "production" },
  });
  const url = `http://127.0.0.1:${port}`;
  const isUp = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  for (let tries = 0; tries < 300 && !(await isUp()); tries++) await wait(100);
  return { url, key: "test_mock", process: mock };
}

async function startGateway(dataDir: string, ...options: string[]) {
  const program = join(import.meta.dirname, "gateway-process.ts");
  const gateway = fork(program, [ROOT, dataDir, ...options]);
  const [server] = (await once(gateway, "message")) as [Server];
  async function drain(): Promise<void> {
    for (;;) {
      gateway.send("");
      const [{ unfinished }] = (await once(gateway, "message")) as [GatewayUse];
      if (unfinished === 0) return;
      await wait(100);
    }
  }
  return { ...server, process: gateway, drain };
}

function print(name: string, pairs: { gateway: number; mock: number }[]): void {
  const gateway = median(pairs.map((pair) => pair.gateway));
  const mock = median(pairs.map((pair) => pair.mock));
  const ratios = pairs.map((pair) => pair.gateway / pair.mock);
  const all = ratios.map((ratio) => ratio.toFixed(1)).join(" ");
  console.log(
    `${name.padEnd(24)} ${gateway.toFixed(0).padStart(7)}/s  ${mock.toFixed(0).padStart(7)}/s  ` +
      `${median(ratios).toFixed(1).padStart(5)}  (of ${all})`,
  );
}

const dir = mkdtempSync(join(tmpdir(), "tillgate-sandbox-"));
const processes: ChildProcess[] = [];
try {
  if (values.mock === undefined) {
    console.log(`installing ${PRISM} into ${dir}`);
    const options = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefix", dir];
    execFileSync("npm", ["install", "--silent", ...options, PRISM], { stdio: "inherit" });
  }
  const mock = await startMock(values.mock ?? dir);
  processes.push(mock.process);
  const gateway = await startGateway(join(dir, "data"));
  processes.push(gateway.process);
  const forgetful = await startGateway(join(dir, "forgetful"), "--anew");
  processes.push(forgetful.process);
  for (const { url, key, drain } of [gateway, forgetful]) {
    const answer = await fetch(`${url}/v1/topups/purchases`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: purchase("bench-record"),
    });
    if (!answer.ok) throw new Error(await answer.text());
    await drain();
  }

  console.log(`${"".padEnd(24)} ${"gateway".padStart(9)}  ${"mock".padStart(9)}  ratio`);
  for (const [questions, asked] of [
    [QUESTIONS, gateway],
    [READ_ANEW, forgetful],
  ] as const) {
    for (const [name, path] of Object.entries(questions)) {
      const pairs: { gateway: number; mock: number }[] = [];
      // The first round is a warm-up.
      for (let round = 0; round <= ROUNDS; round++) {
        const pair = { mock: await load(mock, path), gateway: await load(asked, path) };
        if (round > 0) pairs.push(pair);
      }
      print(name, pairs);
    }
  }
  const pairs: { gateway: number; mock: number }[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const path = "/v1/topups/purchases";
    const pair = { mock: await load(mock, path, true), gateway: await load(gateway, path, true) };
    await gateway.drain();
    if (round > 0) pairs.push(pair);
  }
  print(PURCHASE, pairs);
} finally {
  for (const child of processes) {
    if (child.connected) child.disconnect();
    else child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  }
  rmSync(dir, { recursive: true, force: true });
}
