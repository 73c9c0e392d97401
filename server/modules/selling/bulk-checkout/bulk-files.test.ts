import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { BulkRun } from "../../../contract/pos/bulk-runs.ts";
import { HOUR, MINUTE, SECOND } from "../../../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";

let gateway: TestGateway;
let owner: TestTill;
beforeAll(async () => {
  gateway = await startTestGateway();
  owner = await openTill(gateway, { currency: "GTQ", rate: "7.75" });
  const scope = { accountId: "default", environment: "test" } as const;
  await gateway.gateway.context.recharges.setTestWallet(scope, 10_000_000);
});
afterAll(() => gateway.close());

const COST = 297;
const PRICE = 2_635;

const LINES = ["good", "fails", "no offer", "no number"] as const;
type Line = (typeof LINES)[number];
const INTERRUPTIONS = ["restart", "pause", "confirm again", "a second", "nothing"] as const;
type Interruption = (typeof INTERRUPTIONS)[number];

const MAX_LINES = 40;

let files = 0;

/** Each line has a different mobile number, which identifies its sale. */
function toRow(line: Line, index: number): { text: string; number: string } {
  const end = line === "fails" ? "9001" : "1000";
  const number = `+502${5000 + ((files * MAX_LINES + index) % 1000)}${end}`;
  const offer = line === "no offer" ? "NO_SUCH_OFFER" : "TIGO_GT_TOPUP_25";
  return { text: `${offer},${line === "no number" ? "12" : number}`, number };
}

async function get(runId: string): Promise<BulkRun> {
  return (await owner.pos("GET", `/bulk-runs/${runId}`)).body;
}

async function upload(text: string): Promise<BulkRun> {
  const runId = randomUUID();
  await owner.pos("POST", "/bulk-runs", { runId, name: "any.csv", text });
  await gateway.settle();
  return get(runId);
}

function confirm({ runId, ready }: BulkRun) {
  const body = { tender: "CASH", total: ready.price, onlyRight: true, acceptWarnings: true };
  return owner.pos("POST", `/bulk-runs/${runId}/confirm`, body);
}

async function soldTo(): Promise<Map<string, number>> {
  const rows = await gateway.gateway.context.db
    .selectFrom("sale_lines")
    .select(["recipient", (eb) => eb.fn.countAll<number>().as("times")])
    .groupBy("recipient")
    .execute();
  return new Map(rows.map(({ recipient, times }) => [recipient, times]));
}

async function available(): Promise<number> {
  return (await owner.pos("GET", "/wallet")).body.figures.available;
}

async function interrupt(run: BulkRun, how: Interruption): Promise<void> {
  if (how === "restart") await gateway.restart();
  if (how === "a second") await gateway.advance(SECOND);
  if (how === "confirm again") expect((await confirm(run)).status).toBe(409);
  if (how !== "pause") return;
  const paused = await owner.pos("POST", `/bulk-runs/${run.runId}/pause`);
  if (paused.status !== 200) return;
  const { price } = (await get(run.runId)).ready;
  const resumed = await owner.pos("POST", `/bulk-runs/${run.runId}/resume`, { total: price });
  expect(resumed.status).toBe(200);
}

it("a run of any file, with any interruptions, sells each valid line once after the confirmation", {
  tags: ["thorough"],
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...LINES), { minLength: 1, maxLength: MAX_LINES }),
      fc.array(fc.constantFrom(...INTERRUPTIONS), { maxLength: 5 }),
      async (lines, interruptions) => {
        files += 1;
        const rows = lines.map((line, index) => ({ line, ...toRow(line, index) }));
        const text = ["offer,recipient", ...rows.map((row) => row.text)].join("\n");
        const [before, spendable] = [await soldTo(), await available()];
        const run = await upload(text);
        const right = rows.filter(({ line }) => line === "good" || line === "fails");
        expect(run).toMatchObject({
          ready: { lines: right.length },
          faulty: rows.length - right.length,
        });
        expect(await soldTo()).toEqual(before);
        const confirmed = await confirm(run);
        expect(confirmed.status).toBe(right.length === 0 ? 409 : 200);
        if (right.length === 0) return;
        for (const how of interruptions) await interrupt(run, how);
        await gateway.advance(HOUR / 2);

        const done = await get(run.runId);
        const delivered = right.filter(({ line }) => line === "good").length;
        expect(done).toMatchObject({
          state: "DONE",
          sold: { lines: right.length, price: right.length * PRICE },
          delivered: { lines: delivered },
          notDelivered: { lines: right.length - delivered },
        });
        const after = await soldTo();
        expect(after.size - before.size).toBe(right.length);
        for (const { number } of right) expect([number, after.get(number)]).toEqual([number, 1]);
        expect(spendable - (await available())).toBe(delivered * COST);

        const again = await confirm(await upload(text));
        expect([again.status, again.body.errorCode]).toEqual([409, "BULK_SOLD_BEFORE"]);
        await gateway.advance(MINUTE);
        expect(await soldTo()).toEqual(after);
      },
    ),
    { numRuns: 12 },
  );
  await gateway.expectCleanBooks();
});
