/** What `bench:year` measures of a till that sells while an owner reads figures. */
import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createCaller, OWNER_PIN } from "./first-sales.ts";
import { median } from "./median.ts";

const SALES_A_SECOND = 50;
const PHASE_MS = 10_000;
const ROUNDS = 3;
const OFFER = "TIGO_GT_TOPUP_25";

type Call = ReturnType<typeof createCaller>;

/** What a sale took while it was measured, in milliseconds. */
interface Taken {
  p50: number;
  p99: number;
}

/**
 * Sells 50 times a second, whatever the answers take, with nobody reading and with an owner who opens one
 * page of figures after the other without a pause, in turns. Prints what a sale took in both.
 * @param startsAt the instant of the year at which the gateway starts
 * @param pages the paths of the pages, below `/pos`
 */
export async function measureSalesBesideFigures(
  dataDir: string,
  startsAt: number,
  pages: readonly string[],
): Promise<void> {
  const gateway = fork(join(import.meta.dirname, "year-gateway.ts"), [dataDir, String(startsAt)]);
  try {
    const [{ url }] = (await once(gateway, "message")) as [{ url: string }];
    const till = await signIn(url);
    const owner = await signIn(url);
    const { price } = await till<{ price: number }>("POST", "/quotes", { offerId: OFFER });
    await sellFor(till, price, PHASE_MS / 2);
    const alone: Taken[] = [];
    const beside: Taken[] = [];
    let opened = 0;
    for (let round = 0; round < ROUNDS; round++) {
      alone.push(await sellFor(till, price, PHASE_MS));
      const reader = read(owner, pages);
      beside.push(await sellFor(till, price, PHASE_MS));
      opened += await reader.stop();
    }
    const of = (taken: readonly Taken[], key: keyof Taken) => median(taken.map((one) => one[key]));
    console.log(`\n${SALES_A_SECOND} sales a second, ${opened} pages opened beside them`);
    for (const key of ["p50", "p99"] as const) {
      const times = [of(alone, key), of(beside, key)] as const;
      const cells = times.map((time) => `${time.toFixed(1).padStart(10)} ms`).join("");
      console.log(`a sale, ${key}`.padEnd(24) + cells, (times[1] / times[0]).toFixed(2), "×");
    }
  } finally {
    gateway.disconnect();
    await once(gateway, "exit");
  }
}

async function signIn(url: string): Promise<Call> {
  const call = createCaller(url);
  const { list } = await call<{ list: { staffId: string; name: string }[] }>("GET", "/staff/names");
  const staffId = list.find(({ name }) => name === "Olga")?.staffId;
  await call("POST", "/session", { staffId, pin: OWNER_PIN });
  const { shift } = await call<{ shift?: unknown }>("GET", "/shifts/current");
  if (!shift) await call("POST", "/shifts", { shiftId: randomUUID(), float: 0 });
  return call;
}

async function sellFor(till: Call, price: number, duration_ms: number): Promise<Taken> {
  const times: number[] = [];
  const began = performance.now();
  const sales: Promise<void>[] = [];
  for (let sold = 0; sold < (duration_ms * SALES_A_SECOND) / 1e3; sold++) {
    const due = began + (sold * 1e3) / SALES_A_SECOND;
    await wait(Math.max(0, due - performance.now()));
    sales.push(sellOne(till, price, sold).then(() => void times.push(performance.now() - due)));
  }
  await Promise.all(sales);
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

async function sellOne(till: Call, price: number, sold: number): Promise<void> {
  const recipientPhoneNumber = `+5025${String(1_000_000 + (sold % 9_000) * 900).slice(0, 7)}`;
  const line = { productType: "TOPUP", offerId: OFFER, recipientPhoneNumber, price };
  await till("POST", "/sales", {
    saleId: randomUUID(),
    lines: [{ ...line, transactionId: randomUUID() }],
    tenders: [{ kind: "CASH", tendered: price }],
  });
}

/** Opens one page after the other until it is stopped; answers how many. */
function read(owner: Call, pages: readonly string[]): { stop(): Promise<number> } {
  let stopped = false;
  async function loop(): Promise<number> {
    for (let opened = 0; ; opened++) {
      if (stopped) return opened;
      await owner("GET", pages[opened % pages.length] ?? "");
    }
  }
  const reading = loop();
  return {
    stop() {
      stopped = true;
      return reading;
    },
  };
}
