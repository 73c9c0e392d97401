import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DAY, HOUR, toTimestamp } from "../../../lib/clock.ts";
import {
  startGatewayBeside,
  startTestGateway,
  type TestGateway,
} from "../../../testing/test-gateway.ts";
import { openTill } from "../../../testing/test-till.ts";
import { ReportFiles, ReportParts } from "./report-files.ts";

/** Gateways that share a database but no disk. */
let here: TestGateway;
let there: TestGateway;
beforeEach(async () => {
  here = await startTestGateway();
  there = await startGatewayBeside(here);
});
afterEach(async () => {
  await here.expectCleanBooks();
  await there.close();
  await here.close();
});

const filesOf = ({ dataDir }: TestGateway) => {
  const directory = join(dataDir, "reports");
  return existsSync(directory) ? readdirSync(directory) : [];
};

describe("the file of a report, with two gateways", () => {
  it("can be downloaded from each gateway, and is removed from both", async () => {
    const body = {
      offerId: "TIGO_GT_TOPUP_25",
      transactionId: "reported",
      recipientPhoneNumber: "+50251234567",
    };
    await here.v1("POST", "/topups/purchases", body);
    await here.advance(5_000);
    const now = here.clock.now();
    const period = { startGte: toTimestamp(now - HOUR), endLt: toTimestamp(now + HOUR) };
    const { reportId } = (await here.v1("POST", "/reports/transactions", period)).body;
    const path = `/reports/transactions/${reportId}`;
    await expect
      .poll(async () => {
        await here.settle();
        await there.settle();
        return (await there.v1("GET", path)).body.status;
      })
      .toBe("Ready");
    const { file } = (await there.v1("GET", path)).body;
    const texts = [];
    for (const gateway of [here, there]) {
      const answer = await gateway.v1("GET", `${path}/${file.name}`);
      expect(answer.status).toBe(200);
      texts.push(answer.body);
    }
    expect(texts[0]).toContain("reported");
    expect(texts[1]).toBe(texts[0]);
    expect([...filesOf(here), ...filesOf(there)]).toEqual([file.name, file.name]);
    here.clock.set(now + 91 * DAY);
    for (const gateway of [here, there]) await gateway.gateway.context.housekeeping.clearAway();
    expect([...filesOf(here), ...filesOf(there)]).toEqual([]);
    const rows = await here.gateway.context.db.selectFrom("report_parts").select("part").execute();
    expect(rows).toEqual([]);
  });

  it("can be downloaded from each gateway if it belongs to a shop report", async () => {
    const owner = await openTill(here);
    await owner.sell([{ offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" }]);
    const day = toTimestamp(here.clock.now()).slice(0, 10);
    const order = { kind: "SOLD", format: "CSV", firstDay: day, lastDay: day };
    const asked = await owner.pos("POST", "/shop-reports", order);
    expect(asked.status, JSON.stringify(asked.body)).toBe(200);
    const path = `/pos/shop-reports/${asked.body.reportId}`;
    const init = { headers: { cookie: owner.cookie } };
    await expect
      .poll(async () => {
        await here.settle();
        await there.settle();
        const { body } = await there.call("GET", "/pos/shop-reports?_limit=1&_offset=0", init);
        return body.list[0].state;
      })
      .toBe("READY");
    const [one, other] = [
      await here.call("GET", `${path}/file`, init),
      await there.call("GET", `${path}/file`, init),
    ];
    expect([one.status, other.status]).toEqual([200, 200]);
    expect(other.body).toBe(one.body);
  });

  it.each([0, 1, 256 * 1024, 256 * 1024 + 1, 3_000_000])(
    "can be downloaded completely if it has %d bytes",
    async (size) => {
      const { db, transactor } = here.gateway.context;
      const parts = new ReportParts({ db, transactor });
      const written = new ReportFiles(here.dataDir, parts);
      const elsewhere = new ReportFiles(there.dataDir, parts);
      const content = randomBytes(size);
      for (const each of [randomBytes(700_000), content]) {
        await written.write("file.csv", toPieces(each));
        await written.share("file.csv");
      }
      const opened = await elsewhere.open("file.csv");
      expect(await buffer(opened!.createReadStream())).toEqual(content);
      const folder = mkdtempSync(join(tmpdir(), "tillgate-reports-"));
      await elsewhere.copy("file.csv", join(folder, "copy.csv"));
      expect(readFileSync(join(folder, "copy.csv"))).toEqual(content);
      rmSync(folder, { recursive: true });
      await written.remove(["file.csv"]);
      await elsewhere.remove(["file.csv"]);
      expect(await elsewhere.open("file.csv")).toBeUndefined();
    },
  );
});

async function* toPieces(content: Buffer): AsyncGenerator<Uint8Array> {
  yield content;
}
