import {
  type AnswerOf,
  type CallOperation,
  POS_PREFIX,
} from "../../../server/contract/pos/operation.ts";
import { type PriceReason, priceOperations } from "../../../server/contract/pos/price-lists.ts";
import {
  type ReceiptLink,
  type ReceiptLinks,
  type ReceiptWays,
  receiptPageOperations,
} from "../../../server/contract/pos/receipt-pages.ts";
import { rightsOf } from "../../../server/contract/pos/rights.ts";
import { type PosStatus, setupOperations } from "../../../server/contract/pos/setup.ts";
import { type PosSession, sessionOperations } from "../../../server/contract/pos/staff.ts";
import { minutesAway } from "./sample-sales.ts";

export const OFFERS = { priced: "PRICED", waiting: "WAITING", refused: "REFUSED" } as const;

const STATUS: PosStatus = {
  version: "0.1.0",
  setUp: true,
  shopName: "Tienda Sol",
  currency: "GTQ",
  currencyDivisor: 100,
  language: "en",
  environment: "test",
  idleLockMinutes: 0,
  timeZone: "America/Guatemala",
  dayStartsAt: 0,
  cashStep: 0,
  country: "GT",
};

const SESSION: PosSession = {
  staff: { staffId: "s1", name: "Ana", role: "owner" },
  expiresAt: minutesAway(600),
  environment: "test",
  training: false,
  rights: rightsOf("owner", {}),
  limits: {},
};

export const WAYS: ReceiptWays = { enabled: true, reach: "PUBLIC", warned: false, mail: true };

const LINK: ReceiptLink = {
  linkId: "link-1",
  url: "https://receipts.tiendasol.example/r/4HcN1p0XyQd9wVbT7uKzLm",
  language: "es",
  madeBy: "Ana",
  createdAt: minutesAway(-30),
  expiresAt: minutesAway(30 * 24 * 60),
  views: 2,
  detailsShown: 1,
};

const SENDING = { way: "EMAIL", sentBy: "Ana", createdAt: minutesAway(-20) } as const;

const LINKS: ReceiptLinks = {
  links: [
    LINK,
    { ...LINK, linkId: "link-2", views: 0, detailsShown: 0, revokedAt: minutesAway(-5) },
    { ...LINK, linkId: "link-3", expiresAt: minutesAway(-1) },
  ],
  sendings: [
    { ...SENDING, sendingId: "m1", to: "maria@correo.example", state: "SENT" },
    { ...SENDING, sendingId: "m2", to: "maria@correo.example", state: "WAITING" },
    {
      ...SENDING,
      sendingId: "m3",
      to: "nadie@correo.example",
      state: "FAILED",
      fault: "550 5.1.1 No such mailbox",
    },
    {
      ...SENDING,
      sendingId: "m4",
      way: "MESSAGE",
      channel: "WHATSAPP",
      to: "+50251234567",
      state: "SENT",
      receiver: "mensajes.tiendasol.example",
    },
  ],
};

const REASON: PriceReason = {
  offerId: OFFERS.priced,
  brandName: "Netflix",
  title: "Netflix 50 GTQ",
  country: "GT",
  productType: "VOUCHER",
  range: { min: 5_000, max: 50_000, increment: 100, fee: 0 },
  at: minutesAway(0),
  version: 7,
  currency: "GTQ",
  currencyDivisor: 100,
  price: 5_200,
  cost: { amount: 612, currency: "USD", currencyDivisor: 100 },
  rate: { rate: "7.75", setAt: minutesAway(-600), source: "OWNER" },
  steps: [
    { step: "COST", amount: "4743" },
    { step: "RULE", amount: "5122.44" },
    { step: "GRID", amount: "5200" },
    { step: "FLOOR", amount: "4743" },
    { step: "PRICE", amount: "5200" },
  ],
  marginPercent: 8.79,
};

const REFUSAL = { errorCode: "OFFER_NOT_FOUND", message: "No such offer" };

/** Returns the response of an operation; undefined is sent as an error. */
type Answer = (body: string) => object | undefined | Promise<object>;

function sample<Declaration extends CallOperation>(
  operation: Declaration,
  answer: AnswerOf<Declaration> & object,
): readonly [CallOperation, Answer] {
  return [operation, () => answer];
}

const ANSWERS: readonly (readonly [CallOperation, Answer])[] = [
  sample(setupOperations.getStatus, STATUS),
  sample(sessionOperations.get, SESSION),
  sample(receiptPageOperations.ways, WAYS),
  sample(receiptPageOperations.list, LINKS),
  sample(receiptPageOperations.make, LINK),
  [priceOperations.explain, explain],
];

function explain(question: string): object | undefined | Promise<object> {
  if (question.includes(OFFERS.waiting)) {
    return new Promise(() => {});
  }
  return question.includes(OFFERS.refused) ? undefined : REASON;
}

export function answerFromSamples(): void {
  const { fetch } = globalThis;
  globalThis.fetch = async (input, init) => {
    const path = new URL(input instanceof Request ? input.url : input, location.href).pathname;
    if (!path.startsWith(`${POS_PREFIX}/`)) {
      return fetch(input, init);
    }
    const { method = "GET", body } = init ?? {};
    const [, answerOf] =
      ANSWERS.find(([one]) => one.method === method && patternOf(one).test(path)) ?? [];
    const answer = await answerOf?.(typeof body === "string" ? body : "");
    return answer ? Response.json(answer) : Response.json(REFUSAL, { status: 404 });
  };
}

function patternOf({ path }: CallOperation): RegExp {
  return new RegExp(`^${POS_PREFIX}${path.replaceAll(/:\w+/g, "[^/]+")}$`);
}
