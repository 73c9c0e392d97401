import { once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { HOUR, MINUTE, SECOND } from "../lib/clock.ts";
import { startServerProcess } from "../testing/server-process.ts";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";
import { openTill } from "../testing/test-till.ts";
import { openLog } from "./log.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "tillgate-log-"));
});
afterEach(() => rmSync(dir, { recursive: true }));

describe("the log of a gateway at its most verbose level", () => {
  let till: TestGateway;
  let text: string;
  beforeEach(async () => {
    text = "";
    till = await startTestGateway({
      logStream: {
        write(line) {
          text += line;
        },
      },
    });
  });
  afterEach(() => till.close());

  function lines(): Record<string, unknown>[] {
    return text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  }

  it("names the request and the transaction", async () => {
    const answer = await till.v1("POST", "/topups/purchases", {
      offerId: "TIGO_GT_TOPUP_25",
      transactionId: "named-1",
      recipientPhoneNumber: "+50251234567",
    });
    await till.advance(SECOND);
    expect(lines()).toContainEqual(
      expect.objectContaining({
        reqId: answer.headers.get("x-request-id"),
        transactionId: "named-1",
        environment: "test",
        method: "POST",
        from: "127.0.0.1",
        route: "/v1/topups/purchases",
        status: 200,
        msg: "request answered",
      }),
    );
    expect(lines()).toContainEqual(
      expect.objectContaining({ transactionId: "named-1", answer: "fulfilled" }),
    );
    await till.v1("GET", "/topups/purchases/named-1");
    expect(lines()).toContainEqual(
      expect.objectContaining({
        transactionId: "named-1",
        route: "/v1/topups/purchases/:transactionId",
      }),
    );
  });

  it("contains no key, PIN, voucher PIN, sign-in, token or phone number after any error", async () => {
    const ownerPin = "83920174";
    const clerkPin = "55017263";
    const number = "+50251239999";
    const owner = await openTill(till, { ownerPin });
    const clerk = await owner.pos("POST", "/staff", { name: "Ana", role: "clerk", pin: clerkPin });
    expect(clerk.status).toBe(200);
    const wrongPin = "71093355";
    await owner.pos("POST", "/session", { staffId: clerk.body.staffId, pin: wrongPin });
    const ana = await owner.signIn(clerk.body.staffId, clerkPin);
    await owner.pos("PATCH", `/staff/${clerk.body.staffId}`, { pin: "99120034" });
    await owner.pos("PATCH", `/staff/${clerk.body.staffId}`, { pin: { nested: "99120034" } });

    // Accepts the webhook's address, but responds to every delivery with an error.
    const receiver = createServer((request, reply) => {
      reply.writeHead(request.method === "HEAD" ? 200 : 500).end();
    }).listen(0, "127.0.0.1");
    await once(receiver, "listening");
    const { port } = receiver.address() as AddressInfo;
    const headerValue = "Bearer hV8-swordfish-2291";
    const webhook = await owner.pos("POST", "/webhooks", {
      environment: "test",
      kind: "VOUCHER",
      url: `http://127.0.0.1:${port}/hook`,
      headerName: "Authorization",
      headerValue,
      allowPrivate: true,
    });
    expect(webhook.status).toBe(200);

    const { list } = (await till.v1("GET", "/vouchers/offers?_limit=1024&_offset=0")).body;
    const offer = list.find(
      (each: { priceType: string; requiredFields: string[]; enabled: boolean }) =>
        each.enabled && each.priceType === "FIXED" && each.requiredFields.length === 0,
    );
    const bought = await till.v1("POST", "/vouchers/purchases", {
      offerId: offer.offerId,
      transactionId: "voucher-1",
      fields: [],
    });
    expect(bought.status).toBe(200);
    await till.advance(SECOND);
    const voucher = (await till.v1("GET", "/vouchers/purchases/voucher-1")).body;
    expect(voucher.status).toBe("DONE");
    const { epin } = voucher.receipt;
    await till.advance(5 * SECOND);
    receiver.close();
    receiver.closeAllConnections();
    await till.advance(11 * MINUTE);
    expect(epin.length).toBeGreaterThan(5);

    await owner.sell([{ offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: number }]);
    await till.v1("GET", `/tools/phonenumberlookup/${encodeURIComponent(number)}`);
    const stolen = `test_${"x".repeat(40)}`;
    for (const path of ["/v1/balance", `/v1/nothing?key=${stolen}`, `/nothing/${stolen}`]) {
      await till.call("GET", path, { headers: { authorization: `Bearer ${stolen}` } });
    }
    await till.v1("POST", "/vouchers/purchases", `{"pin": "${ownerPin}", `);
    await till.v1("POST", "/vouchers/purchases", { pin: ownerPin, secret: stolen });
    till.gateway.context.keys.recall = () => {
      throw new Error("a fault");
    };
    expect((await till.v1("GET", "/balance")).status).toBe(500);

    expect(text).toContain("a fault");
    expect(lines().length).toBeGreaterThan(15);
    const secrets = {
      testKey: till.key("test"),
      liveKey: till.key("live"),
      ownerPin,
      clerkPin,
      wrongPin,
      newPin: "99120034",
      epin,
      headerValue,
      webhookSecret: webhook.body.secret,
      ownerCookie: owner.cookie.split("=")[1],
      clerkCookie: ana.cookie.split("=")[1],
      stolen,
      number: number.slice(1),
    };
    for (const [name, secret] of Object.entries(secrets)) {
      expect(secret, name).toBeTruthy();
      expect(text.includes(secret as string), name).toBe(false);
    }
  });

  it("removes secrets that were logged by mistake, by their property name", async () => {
    const { log } = till.gateway.context;
    log.error({ pin: "11112222", a: { secret: "33334444", b: { epin: "55556666" } } }, "a fault");
    expect(text).toContain("a fault");
    expect(text).not.toMatch(/11112222|33334444|55556666/);
  });
});

async function endOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const length = Math.min(size, 2_000);
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString();
  } finally {
    await file.close();
  }
}

describe("the log file", () => {
  it("rotates by size into a limited number of private files over several runs", {
    tags: ["thorough"],
  }, async () => {
    const logFile = join(dir, "logs", "till.log");
    const list = () => readdirSync(join(dir, "logs"));
    const isWritten = async (line: object) => {
      const start = JSON.stringify(line).slice(1, -1);
      const ends = await Promise.all(list().map((name) => endOf(join(dir, "logs", name))));
      return ends.some((end) => end.includes(start));
    };
    for (let run = 0; run < 3; run++) {
      const { log, close } = await openLog({ logLevel: "silent", logFile }, { toFile: true });
      for (let n = 0; n < 14_000; n++) {
        log.info({ run, n, pad: "x".repeat(1_000) }, "a line");
        // The file is rotated only when no lines are waiting, so the test waits here.
        if (n % 500 === 499) {
          await expect.poll(() => isWritten({ run, n }), { interval: 5 }).toBe(true);
        }
      }
      await close();
    }
    expect(list().length).toBeGreaterThan(1);
    await expect.poll(() => list().length).toBeLessThanOrEqual(6);
    for (const name of list()) {
      const { mode, size } = statSync(join(dir, "logs", name));
      expect(mode & 0o777).toBe(0o600);
      expect(size).toBeLessThan(12_000_000);
    }
  });

  it("does not stop the gateway if it cannot be opened", async () => {
    const { log, close } = await openLog(
      { logLevel: "silent", logFile: "/proc/nothing/till.log" },
      { toFile: true },
    );
    log.info("goes on");
    await close();
  });

  it.each([
    ["opened", (file: string) => mkdirSync(file), "EISDIR"],
    ["written", (file: string) => symlinkSync("/dev/full", file), "ENOSPC"],
  ])(
    "causes one message and does not stop the gateway if it cannot be %s",
    async (_, spoil, code) => {
      mkdirSync(join(dir, "logs"));
      spoil(join(dir, "logs", "till.1.log"));
      const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
      const exits = process.listenerCount("exit");
      const logFile = join(dir, "logs", "till.log");
      const { log, close } = await openLog({ logLevel: "silent", logFile }, { toFile: true });
      log.info("before it is known");
      await vi.waitFor(() => expect(said).toHaveBeenCalled());
      log.info("goes on");
      log.info("and on");
      await close();
      const words = said.mock.calls.map(([text]) => String(text));
      said.mockRestore();
      expect(words).toHaveLength(1);
      expect(words[0]).toMatch(new RegExp(`^The log .*till\\.log cannot be written: ${code}`));
      // An exit listener would write to the file, and print a stack.
      expect(process.listenerCount("exit")).toBe(exits);
    },
  );

  it("contains all events until the end, in the shop's data directory", {
    tags: ["thorough"],
  }, async () => {
    const server = await startServerProcess(dir);
    await fetch(`${server.url}/pos/status`);
    expect(await server.kill("SIGTERM")).toBe(0);
    const [name = "", ...others] = readdirSync(join(dir, "logs"));
    expect(others).toEqual([]);
    expect(name).toMatch(/^tillgate.*\.log$/);
    expect(readFileSync(join(dir, "logs", name), "utf8")).toContain('"route":"/pos/status"');
  });
});

it("the log of an idle gateway hardly grows in a day", async () => {
  let count = 0;
  const till = await startTestGateway({ logStream: { write: () => void count++ } });
  await till.advance(24 * HOUR);
  expect(count).toBeLessThan(50);
  await till.close();
});
