import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createCaller, OWNER_PIN } from "./first-sales.ts";
import { median } from "./quantile.ts";

const SALES_A_SECOND = 50;
const PHASE_MS = 10_000;
const ROUNDS = 3;
const OFFER = "TIGO_GT_TOPUP_25";

type Call = ReturnType<typeof createCaller>;

/** Duration of a sale, in milliseconds. */
interface Taken {
  p50: number;
  p99: number;
}

/** Pauses of the owner between two pages, in milliseconds: a short pause, and no pause. */
const LOOKS_MS = [250, 0] as const;

/**
 * Sells 50 times a second regardless of response times, alternately with and without an owner who
 * opens pages of figures. Prints the durations of sales.
 * @param startsAt instant of the year at which the gateway starts
 * @param pages paths below `/pos`
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
    const beside = LOOKS_MS.map((look_ms) => ({ look_ms, taken: [] as Taken[], opened: 0 }));
    for (let round = 0; round < ROUNDS; round++) {
      alone.push(await sellFor(till, price, PHASE_MS));
      for (const one of beside) {
        const reader = read(owner, pages, one.look_ms);
        one.taken.push(await sellFor(till, price, PHASE_MS));
        one.opened += await reader.stop();
      }
    }
    console.log(`\n${SALES_A_SECOND} sales a second`);
    print("with nobody reading", alone, alone);
    for (const { look_ms, taken, opened } of beside) {
      const perSecond = (opened / (ROUNDS * (PHASE_MS / 1e3))).toFixed(1);
      const how = look_ms === 0 ? "without a pause" : `a page each ${look_ms} ms`;
      print(`${how}, ${perSecond} pages a second`, taken, alone);
    }
  } finally {
    gateway.disconnect();
    await once(gateway, "exit");
  }
}

function print(name: string, taken: readonly Taken[], alone: readonly Taken[]): void {
  const of = (list: readonly Taken[], key: keyof Taken) => median(list.map((one) => one[key]));
  const cells = (["p50", "p99"] as const).map((key) => {
    const [time, base] = [of(taken, key), of(alone, key)];
    return `${key} ${time.toFixed(1).padStart(6)} ms ${(time / base).toFixed(2).padStart(5)} ×`;
  });
  console.log(name.padEnd(48), cells.join("    "));
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

function read(owner: Call, pages: readonly string[], look_ms: number): { stop(): Promise<number> } {
  let stopped = false;
  async function loop(): Promise<number> {
    for (let opened = 0; ; opened++) {
      if (stopped) return opened;
      await owner("GET", pages[opened % pages.length] ?? "");
      if (look_ms > 0) await wait(look_ms);
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
