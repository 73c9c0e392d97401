import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Clock, SECOND } from "../lib/clock.ts";

/**
 * Imitates Reloadly's airtime API, and below `/giftcards` its gift card API, from its published
 * documentation (server/providers/reloadly/README.md). No field is invented.
 */
export interface FakeReloadly {
  readonly url: string;
  readonly clientId: string;
  readonly secret: string;
  /** Top-ups by `customIdentifier`. An identifier is accepted once. */
  readonly books: Map<string, Record<string, unknown>>;
  /** Orders of gift cards by `customIdentifier`. */
  readonly orders: Map<string, Record<string, unknown>>;
  /** Number of submissions, with those that `interfere` answered. */
  received: number;
  /** Bodies of the submissions that the fake answered. */
  readonly submissions: Record<string, unknown>[];
  /** Number of requests for a token. */
  tokenRequests: number;
  /** Status of top-ups and orders that are booked from now on. */
  status: string;
  operators: Record<string, unknown>[];
  /** Gift cards. */
  products: Record<string, unknown>[];
  /** Cards of each order. */
  cards: unknown;
  balance: unknown;
  /** Answers requests instead of the fake if it returns true. */
  interfere: (exchange: ReloadlyExchange) => boolean;
  /** Makes all tokens invalid, as if they had expired. */
  revokeTokens(): void;
  close(): Promise<void>;
}

export interface ReloadlyExchange {
  request: IncomingMessage;
  response: ServerResponse;
  path: string;
  body: Record<string, unknown>;
  /** Books the top-up or the order of the request. */
  accept(): Record<string, unknown>;
  refuse(status: number, errorCode: string, message?: string): void;
  reply(status: number, body: unknown, headers?: Record<string, string>): void;
}

const CLIENT_ID = "client-id-of-the-shop";
const SECRET = "client-secret-of-the-shop-0123456789";
const EXPIRES_IN_S = 86_400;
const GIFT_CARDS = "/giftcards";

export async function startFakeReloadly(clock: Pick<Clock, "now">): Promise<FakeReloadly> {
  let valid = 1;
  const issuedAt = new Map<string, number>();
  const isValid = (token: string, audience: string) => {
    const expiresAt = (issuedAt.get(token) ?? 0) + EXPIRES_IN_S * SECOND;
    return token === toToken(audience) && expiresAt > clock.now();
  };
  const toToken = (audience: string) =>
    audience === fake.url ? `token-${valid}` : `giftcards-token-${valid}`;
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString("utf8");
    const body = text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
    const { pathname: path, searchParams } = new URL(request.url ?? "", fake.url);
    const reply: ReloadlyExchange["reply"] = (status, content, headers = {}) => {
      const date = new Date(clock.now()).toUTCString();
      response.writeHead(status, { "content-type": "application/json", date, ...headers });
      response.end(JSON.stringify(content));
    };
    const refuse: ReloadlyExchange["refuse"] = (status, errorCode, message = "Refused.") => {
      const timeStamp = toTime(clock.now());
      const code = errorCode === "" ? null : errorCode;
      reply(status, { timeStamp, message, path, errorCode: code, infoLink: null, details: [] });
    };
    const isOfCards = path.startsWith(GIFT_CARDS);
    const audience = isOfCards ? `${fake.url}${GIFT_CARDS}` : fake.url;
    const accept = () => (isOfCards ? bookOrder(body) : book(body));
    if (path === "/topups" || path === `${GIFT_CARDS}/orders`) fake.received += 1;
    if (fake.interfere({ request, response, path, body, accept, refuse, reply })) return;
    if (path.endsWith("/oauth/token")) {
      fake.tokenRequests += 1;
      const isKnown = body.client_id === CLIENT_ID && body.client_secret === SECRET;
      if (!isKnown || body.audience !== audience) {
        return refuse(401, "INVALID_CREDENTIALS", "Access Denied");
      }
      const token = { access_token: toToken(audience), expires_in: EXPIRES_IN_S };
      issuedAt.set(token.access_token, clock.now());
      return reply(200, { ...token, scope: "send-topups read-operators", token_type: "Bearer" });
    }
    if (!isValid(request.headers.authorization?.replace(/^Bearer /, "") ?? "", audience)) {
      return refuse(401, "TOKEN_EXPIRED", "The token is invalid or has expired");
    }
    if (isOfCards) return answerGiftCards(path, { body, searchParams, accept, reply, refuse });
    if (path === "/accounts/balance") return reply(200, fake.balance);
    if (path === "/operators") return reply(200, toPage(fake.operators, searchParams));
    if (path === "/topups/reports/transactions") {
      const wanted = searchParams.get("customIdentifier") ?? "";
      const found = fake.books.get(wanted);
      return reply(200, { content: found ? [found] : [] });
    }
    if (path === "/topups" && request.method === "POST") {
      fake.submissions.push(body);
      if (fake.books.has(String(body.customIdentifier))) {
        return refuse(400, "DUPLICATE_CUSTOM_IDENTIFIER", "The identifier is used.");
      }
      return reply(200, accept());
    }
    return refuse(404, "NOT_FOUND", "No message available");
  }

  function answerGiftCards(
    path: string,
    {
      body,
      searchParams,
      accept,
      reply,
      refuse,
    }: Pick<ReloadlyExchange, "body" | "accept" | "reply" | "refuse"> & {
      searchParams: URLSearchParams;
    },
  ): void {
    const api = path.slice(GIFT_CARDS.length);
    if (api === "/products") return reply(200, toPage(fake.products, searchParams));
    if (api === "/reports/transactions") {
      const found = fake.orders.get(searchParams.get("customIdentifier") ?? "");
      return reply(200, { content: found ? [found] : [] });
    }
    const [, id] = /^\/orders\/transactions\/(\d+)\/cards$/.exec(api) ?? [];
    if (id !== undefined) {
      const isKnown = [...fake.orders.values()].some((one) => String(one.transactionId) === id);
      return isKnown ? reply(200, fake.cards) : refuse(404, "", "Invalid transaction id");
    }
    if (api !== "/orders") return refuse(404, "NOT_FOUND", "No message available");
    fake.submissions.push(body);
    if (fake.orders.has(String(body.customIdentifier))) {
      return refuse(400, "DUPLICATE_CUSTOM_IDENTIFIER", "The identifier is used.");
    }
    return reply(200, accept());
  }

  function bookOrder(body: Record<string, unknown>): Record<string, unknown> {
    const product = fake.products.find(({ productId }) => productId === body.productId) ?? {};
    const prices = product.fixedRecipientToSenderDenominationsMap as Record<string, number> | null;
    const price =
      Object.entries(prices ?? {}).find(([key]) => Number(key) === body.unitPrice)?.[1] ??
      Number(body.unitPrice) * Number(product.recipientCurrencyToSenderCurrencyExchangeRate ?? 1);
    const fee = Number(product.senderFee);
    const record = {
      transactionId: 31_739 + fake.orders.size,
      amount: price + fee,
      discount: (price * Number(product.discountPercentage)) / 100,
      currencyCode: "USD",
      fee,
      smsFee: 0,
      recipientEmail: null,
      recipientPhone: null,
      customIdentifier: body.customIdentifier,
      status: fake.status,
      transactionCreatedTime: toTime(clock.now()),
      product: {
        productId: body.productId,
        productName: product.productName,
        countryCode: (product.country as { isoName?: string } | undefined)?.isoName,
        quantity: body.quantity,
        unitPrice: body.unitPrice,
        totalPrice: body.unitPrice,
        currencyCode: product.recipientCurrencyCode,
        brand: product.brand,
      },
    };
    fake.orders.set(String(body.customIdentifier), record);
    return record;
  }

  function book(body: Record<string, unknown>): Record<string, unknown> {
    const id = String(body.customIdentifier);
    const operator = fake.operators.find((one) => String(one.operatorId) === body.operatorId);
    const { rate = 1 } = (operator?.fx ?? {}) as { rate?: number };
    const isLocal = body.useLocalAmount === true;
    const amount = Number(body.amount) / (isLocal ? rate : 1);
    const discount = (amount * Number(operator?.internationalDiscount ?? 0)) / 100;
    const phone = body.recipientPhone as { countryCode: string; number: string };
    const record = {
      transactionId: 4_602_843 + fake.books.size,
      status: fake.status,
      operatorTransactionId: "7297929551:OrderConfirmed",
      customIdentifier: id,
      recipientPhone: Number(phone.number),
      recipientEmail: null,
      senderPhone: null,
      countryCode: phone.countryCode,
      operatorId: Number(body.operatorId),
      operatorName: operator?.name,
      discount,
      discountCurrencyCode: "USD",
      requestedAmount: amount,
      requestedAmountCurrencyCode: "USD",
      deliveredAmount: isLocal ? Number(body.amount) : amount * rate,
      deliveredAmountCurrencyCode: operator?.destinationCurrencyCode,
      transactionDate: toTime(clock.now()),
      pinDetail: null,
      balanceInfo: { cost: amount - discount, currencyCode: "USD", currencyName: "US Dollar" },
    };
    fake.books.set(id, record);
    return record;
  }

  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const fake: FakeReloadly = {
    url: `http://127.0.0.1:${port}`,
    clientId: CLIENT_ID,
    secret: SECRET,
    books: new Map(),
    orders: new Map(),
    received: 0,
    submissions: [],
    tokenRequests: 0,
    status: "SUCCESSFUL",
    operators: [TIGO, CLARO],
    products: [],
    cards: [{ cardNumber: "6120200345149064", pinCode: "0581" }],
    balance: {
      balance: 5000.23,
      currencyCode: "USD",
      currencyName: "US Dollar",
      updatedAt: "2026-01-15 08:45:51",
    },
    interfere: () => false,
    revokeTokens: () => void valid++,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return fake;
}

function toPage(all: unknown[], query: URLSearchParams) {
  const size = Number(query.get("size") ?? 200);
  const page = Number(query.get("page") ?? 1);
  return { content: all.slice((page - 1) * size, page * size), last: page * size >= all.length };
}

function toTime(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace("T", " ");
}

const OPERATOR = {
  bundle: false,
  data: false,
  pin: false,
  supportsLocalAmounts: false,
  senderCurrencyCode: "USD",
  senderCurrencySymbol: "$",
  destinationCurrencyCode: "GTQ",
  destinationCurrencySymbol: "Q",
  localDiscount: 0,
  mostPopularAmount: null,
  localMinAmount: null,
  localMaxAmount: null,
  country: { isoName: "GT", name: "Guatemala" },
  fx: { rate: 7.6512, currencyCode: "GTQ" },
  localFixedAmounts: [],
};

const LOCAL_OPERATOR = { ...OPERATOR, supportsLocalAmounts: true, internationalDiscount: 10 };

/** Operators with local amounts. */
export const MOVISTAR = {
  ...LOCAL_OPERATOR,
  id: 91,
  operatorId: 91,
  name: "Movistar Guatemala",
  denominationType: "FIXED",
  minAmount: null,
  maxAmount: null,
  fixedAmounts: [3.27, 6.54],
  fixedAmountsDescriptions: { "3.27": "25 quetzals", "6.54": "50 quetzals" },
  localFixedAmounts: [25, 50],
  localFixedAmountsDescriptions: { "25.00": "3 days", "50.0": "7 days" },
  localFixedAmountsPlanNames: { "50.00": "Week" },
};
export const ENTEL = {
  ...LOCAL_OPERATOR,
  id: 92,
  operatorId: 92,
  name: "Entel Chile",
  denominationType: "RANGE",
  destinationCurrencyCode: "CLP",
  country: { isoName: "CL", name: "Chile" },
  fx: { rate: 905.5, currencyCode: "CLP" },
  minAmount: 1.11,
  maxAmount: 11.05,
  localMinAmount: 1000,
  localMaxAmount: 10_000,
  fixedAmounts: [],
};

const TIGO = {
  ...OPERATOR,
  id: 88,
  operatorId: 88,
  name: "Tigo Guatemala",
  denominationType: "FIXED",
  internationalDiscount: 4.42,
  minAmount: null,
  maxAmount: null,
  fixedAmounts: [5, 10.5, 20],
};

const CLARO = {
  ...OPERATOR,
  id: 90,
  operatorId: 90,
  name: "Claro Guatemala",
  denominationType: "RANGE",
  internationalDiscount: 10,
  minAmount: 1,
  maxAmount: 100,
  fixedAmounts: [],
};

const PRODUCT = {
  global: false,
  status: "ACTIVE",
  supportsPreOrder: false,
  senderFee: 0.5,
  senderFeePercentage: 0,
  discountPercentage: 3,
  denominationType: "FIXED",
  minRecipientDenomination: null,
  maxRecipientDenomination: null,
  senderCurrencyCode: "USD",
  minSenderDenomination: null,
  maxSenderDenomination: null,
  fixedRecipientDenominations: [],
  fixedSenderDenominations: [],
  fixedRecipientToSenderDenominationsMap: null,
  logoUrls: ["https://cdn.reloadly.com/giftcards/amazon.jpg"],
  brand: { brandId: 2, brandName: "Amazon" },
  redeemInstruction: { concise: "Enter the code in your account.", verbose: "Terms." },
  additionalRequirements: { userIdRequired: false },
};

export const AMAZON_ES = {
  ...PRODUCT,
  productId: 4,
  productName: "Amazon Spain",
  recipientCurrencyCode: "EUR",
  fixedRecipientDenominations: [25, 50],
  fixedSenderDenominations: [29.105, 58.21],
  fixedRecipientToSenderDenominationsMap: { "25.00": 29.105, "50.0": 58.21 },
  country: { isoName: "ES", name: "Spain" },
};

export const AMAZON_US = {
  ...PRODUCT,
  productId: 5,
  productName: "Amazon US",
  recipientCurrencyCode: "USD",
  denominationType: "RANGE",
  minRecipientDenomination: 1,
  maxRecipientDenomination: 500,
  minSenderDenomination: 1,
  maxSenderDenomination: 500,
  country: { isoName: "US", name: "United States" },
};
