/** Gateway stub with a brand, its two offers and an earlier sale. The test controls its answers. */
import type { SaleCheckInput, SaleInput } from "../../../../server/contract/pos/sales.ts";

export const tigo = { brand: "TIGO", brandName: "Tigo", brandColor: "#00377b" };
export const gtq = { currency: "GTQ", currencyDivisor: 100 };
export const earlier = {
  saleId: "4b7f3a5e-0000-4000-8000-000000000000",
  saleNumber: 1,
  outcome: "DELIVERED",
  soldAt: "2026-01-15T09:30:00.000Z",
  recipientPhoneNumber: "+50251234567",
  recipientFormatted: "+502 5123 4567",
  country: "GT",
  offerId: "T50",
  ...tigo,
  title: "50 GTQ",
  price: 5200,
  priceCurrency: "GTQ",
  priceCurrencyDivisor: 100,
};

interface GatewayStandIn {
  /** Answer of `GET /pos/recents`. */
  soldBefore: Record<string, unknown>[];
  /** Answer of `POST /pos/sales/check` for each line, without the offer's price. */
  checked: Record<string, unknown>;
  sent: SaleInput[];
  answerSale: (input: SaleInput) => Response | Promise<Response>;
  findSale: (input: SaleInput) => Response;
}

export function newGateway(): GatewayStandIn {
  return {
    soldBefore: [earlier],
    checked: {},
    sent: [],
    answerSale: delivered,
    findSale: delivered,
  };
}

export const gateway = newGateway();

export const ANSWERS: Readonly<Record<string, unknown>> = {
  "/pos/phone": {
    number: "+50251234567",
    formatted: "+502 5123 4567",
    valid: true,
    mobile: true,
    country: "GT",
    detected: tigo,
    brands: [tigo],
    earlier: [],
  },
  "/pos/offers": {
    list: [10, 50].map((amount) => ({
      productType: "TOPUP",
      offerId: `T${amount}`,
      ...tigo,
      country: "GT",
      title: `${amount} GTQ`,
      notes: "",
      subType: "Mobile Top Up",
      priceType: "FIXED",
      price: { ...gtq, fixed: amount * 104, fee: 0 },
      send: { ...gtq, fixed: amount * 100 },
    })),
    promos: [],
  },
};

export function json(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), { status });
}

export function delivered(input: SaleInput): Response {
  return json(saleOf(input));
}

export function waiting(input: SaleInput): Response {
  const { lines, ...sale } = saleOf(input);
  const line = { ...lines[0], status: "PENDING", outcome: "STILL_SENDING" };
  return json({ ...sale, lines: [line] });
}

function saleOf(input: SaleInput) {
  const [line] = input.lines;
  const price = line?.price ?? 0;
  return {
    saleId: input.saleId,
    saleNumber: 124,
    environment: "test",
    createdAt: new Date().toISOString(),
    staff: { staffId: "ana", name: "Ana" },
    ...gtq,
    total: price,
    discount: 0,
    taxes: [],
    cashRounding: 0,
    tenders: input.tenders.map((tender) => ({ ...tender, amount: price })),
    change: 0,
    refundDue: 0,
    refundTenders: [],
    refunded: 0,
    receiptsPrinted: 0,
    lines: [
      {
        ...line,
        ...tigo,
        position: 1,
        country: "GT",
        title: "50 GTQ",
        recipientFormatted: "+502 5123 4567",
        send: 5000,
        sendCurrency: "GTQ",
        sendCurrencyDivisor: 100,
        status: "DONE",
        outcome: "DELIVERED",
        slowAfter: "2026-01-15T10:00:10.000Z",
        keepTryingUntil: "2026-01-16T10:00:00.000Z",
        finishedAt: "2026-01-15T10:00:01.000Z",
        confirmationNumber: "C-77",
      },
    ],
  };
}

function checkOf({ offerId }: SaleCheckInput["lines"][number]) {
  const amount = Number(offerId.slice(1));
  return {
    price: amount * 104,
    priceCurrency: "GTQ",
    priceCurrencyDivisor: 100,
    send: amount * 100,
    sendCurrency: "GTQ",
    sendCurrencyDivisor: 100,
    promos: [],
    ...gateway.checked,
  };
}

export async function fetchStub(url: string, init?: RequestInit): Promise<Response> {
  const path = String(url).split("?")[0] ?? "";
  if (path === "/pos/sales/check") {
    const { lines } = JSON.parse(init?.body as string) as SaleCheckInput;
    return json({ lines: lines.map(checkOf) });
  }
  if (path === "/pos/sales") {
    const input = JSON.parse(init?.body as string) as SaleInput;
    gateway.sent.push(input);
    return gateway.answerSale(input);
  }
  if (path.startsWith("/pos/sales/") && gateway.sent[0]) {
    return gateway.findSale(gateway.sent[0]);
  }
  if (path === "/pos/held-sales") {
    return json({ list: [] });
  }
  if (path === "/pos/favourites") {
    return json({ list: [] });
  }
  if (path === "/pos/recents") {
    return json({ list: gateway.soldBefore });
  }
  return json(ANSWERS[path]);
}

export function minutesAgo(minutes: number): string {
  return new Date(Date.now() - minutes * 60_000).toISOString();
}
