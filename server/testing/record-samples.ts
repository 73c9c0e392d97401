import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { REQUEST_SAMPLES } from "../http/openapi-examples.ts";
import { HOUR, SECOND } from "../lib/clock.ts";
import { startGatewayAfter } from "./test-gateway.ts";

/**
 * Records the examples of `/v1`: the responses to the requests of `openapi-examples.ts`, by schema
 * title. `--check` fails if `server/http/record-samples.json` is stale.
 */
const FILE = join(import.meta.dirname, "../http/record-samples.json");
const BASE = "http://127.0.0.1:8787";

/** Creates ids by counting, so that every recording has the same ids. */
function createCountedIds() {
  let made = 0;
  return {
    uuid: () => `0b8f3c1e-6f0a-4c55-9a53-${String(++made).padStart(12, "0")}`,
    secret: (bytes: number) => Buffer.alloc(bytes, ++made).toString("base64url"),
  };
}

async function record(): Promise<string> {
  const shop = await startGatewayAfter(undefined, { ids: createCountedIds() });
  try {
    const samples: Record<string, unknown> = {};
    const answerOf = async (method: string, path: string, body?: unknown) => {
      const answer = await shop.v1(method, path, body);
      if (answer.status !== 200) {
        throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      }
      return JSON.parse(JSON.stringify(answer.body).replaceAll(shop.url, BASE));
    };
    const keep = async (title: string, method: string, path: string, body?: unknown) => {
      samples[title] = await answerOf(method, path, body);
    };
    const buy = async (path: string, title: string, body: { transactionId: string }) => {
      const quoted = { ...body, validateOnly: true };
      await keep(title.replace("Purchase", "Quote"), "POST", `${path}/purchases`, quoted);
      await keep("PurchaseAccepted", "POST", `${path}/purchases`, body);
      await shop.settle();
      await shop.advance(SECOND);
      await keep(title, "GET", `${path}/purchases/${body.transactionId}`);
    };
    const requestOf = (title: string) => {
      const [first] = Object.values(REQUEST_SAMPLES[title] ?? {});
      return first?.value as { offerId: string; transactionId: string };
    };

    await buy("/topups", "TopupPurchase", requestOf("TopupPurchaseInput"));
    const accepted = samples.PurchaseAccepted;
    await keep("Balance", "GET", "/balance");
    await keep("Transaction", "GET", "/transactions/order-1");
    await buy("/vouchers", "VoucherPurchase", requestOf("VoucherPurchaseInput"));
    await buy("/esim", "EsimPurchase", requestOf("EsimPurchaseInput"));
    await buy("/billpay", "BillPayPurchase", requestOf("BillPayPurchaseInput"));
    samples.PurchaseAccepted = accepted;

    const esim = requestOf("EsimPurchaseInput");
    // The simulator installs an eSIM whose order id ends in 9008, and uses half of its data.
    const installed = { ...esim, transactionId: "order-9008" };
    await answerOf("POST", "/esim/purchases", installed);
    await shop.settle();
    await shop.advance(HOUR);
    const { confirmation } = await answerOf("GET", "/esim/purchases/order-9008");
    await keep("EsimPlans", "GET", `/esim/${confirmation.iccid}/plans`);
    await answerOf("POST", `/esim/purchases/${esim.transactionId}/refund`);
    await shop.settle();
    await shop.advance(SECOND);
    await keep("EsimRefund", "GET", `/esim/purchases/${esim.transactionId}/refund`);

    const bill = requestOf("BillPayPurchaseInput") as ReturnType<typeof requestOf> & {
      fields: { key: string; value: string }[];
    };
    const asked = new URLSearchParams(bill.fields.map(({ key, value }) => [key, value]));
    await keep("Bill", "GET", `/billpay/offers/${bill.offerId}/bill?${asked}`);
    await keep("TopupOffer", "GET", "/topups/offers/TIGO_GT_TOPUP_25");
    await keep("VoucherOffer", "GET", "/vouchers/offers/ESKOM_ZA_ELECTRICITY_RANGE");
    await keep("EsimOffer", "GET", "/esim/offers/AIRALO_ES_1GB_7D");
    await keep("BillPayOffer", "GET", "/billpay/offers/AYSA_AR_BILL_WATER");

    await keep("BrandDetail", "GET", "/brands/ESKOM");
    const { brand, brandName } = samples.BrandDetail as Record<string, unknown>;
    samples.BrandItem = { brand, brandName };
    const help = "country=ZA&deliveryType=TOKEN&language=en";
    await keep("RedemptionInstructions", "GET", `/brands/ESKOM/redemptionInstructions?${help}`);
    const promos = await answerOf("GET", "/promos?_limit=1&_offset=0");
    samples.Promo = promos.list[0];

    const { reportId } = await answerOf("POST", "/reports/transactions", requestOf("ReportInput"));
    await shop.settle();
    await keep("Report", "GET", `/reports/transactions/${reportId}`);
    return `${JSON.stringify(samples, null, 2)}\n`;
  } finally {
    await shop.close();
  }
}

const recorded = await record();
if (!process.argv.includes("--check")) writeFileSync(FILE, recorded);
else if (readFileSync(FILE, "utf8") !== recorded) {
  process.exitCode = 1;
}
