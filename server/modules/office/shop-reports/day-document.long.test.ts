import { expect, it } from "vitest";
import { writerOf } from "../../../testing/direct-writes.ts";
import { makeTrade } from "../../../testing/generated-trade.ts";
import { plainFigures, readPlainTrade } from "../../../testing/plain-figures.ts";
import { readPdf } from "../../../testing/read-pdf.ts";
import { sellSamples } from "../../../testing/sold-samples.ts";
import { startTestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN } from "../../../testing/test-till.ts";

it("the document of a day with 5,000 sales has figures equal to the sums of its rows", {
  timeout: 300_000,
}, async () => {
  const gateway = await startTestGateway();
  const { owner: seller, samples } = await sellSamples(gateway);
  const { db } = gateway.gateway.context;
  const start = Date.UTC(2026, 2, 1);
  await writerOf(db)
    .transaction()
    .execute((tx) => makeTrade(tx, { samples, count: 5_000, start, days: 1 }));
  gateway.clock.set(Date.UTC(2026, 2, 2, 9));
  const owner = await seller.signIn(seller.staffId, OWNER_PIN, { shift: false });
  const day = "2026-03-01";
  const body = { kind: "DAY", format: "PDF", firstDay: day, lastDay: day };
  const { reportId } = (await owner.pos("POST", "/shop-reports", body)).body;
  await gateway.settle();
  const file = await fetch(`${gateway.url}/pos/shop-reports/${reportId}/file`, {
    headers: { cookie: owner.cookie },
  });
  const { pages } = await readPdf(new Uint8Array(await file.arrayBuffer()), "ltr");
  const until = Date.UTC(2026, 2, 2);
  const figures = plainFigures(await readPlainTrade(db), (at) => at >= start && at < until);
  expect(figures.lines).toBeGreaterThan(4_000);
  const money = new Intl.NumberFormat("en", {
    style: "currency",
    currency: "GTQ",
    currencyDisplay: "narrowSymbol",
  });
  const named = [figures.sold, figures.tax, figures.cost, figures.earned];
  const written = named.map((minor) => money.format(minor / 100).replaceAll(/\s/g, " "));
  expect(pages.flat()).toContainEqual(written);
  await gateway.close();
});
