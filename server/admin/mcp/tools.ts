import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { Problem } from "../../contract/problem.ts";
import type { Offer } from "../../contract/v1/offers.ts";
import type { PurchaseValue } from "../../contract/v1/purchase-record.ts";
import { type Clock, DAY, MINUTE, SECOND } from "../../lib/clock.ts";
import { describeAmount } from "../../lib/money.ts";
import { quoteOffer, sendUnitOf, sumCost } from "../../modules/catalog/catalog/index.ts";
import { type GatewayApi, GatewayError } from "./gateway-api.ts";

interface ErrorEntry {
  readonly code: string;
  readonly cause: string;
  readonly remedy: string;
}

/** The rows of a table with the columns code, cause and remedy. */
const TABLE = /^\|[^|]*\| cause \| remedy \|\n\|[-|]+\|\n((?:\|.*\n)*)/gm;
const ROW = /^\| `([A-Z_]+)`[^|]*\|([^|]+)\|([^|]+)\|$/gm;

/** Reads the tables of error codes in a guide. */
export async function readErrorGuide(file: string): Promise<ErrorEntry[]> {
  const markdown = await readFile(file, "utf8");
  const tables = [...markdown.matchAll(TABLE)].map(([, rows = ""]) => rows).join("");
  return [...tables.matchAll(ROW)].map(([, code = "", cause = "", remedy = ""]) => ({
    code,
    cause: cause.trim(),
    remedy: remedy.trim(),
  }));
}

/** Tools of the MCP server: each has a name, a schema of its arguments, and a function. */

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { type: "object"; properties: Record<string, object>; required?: string[] };
  readonly annotations: { readOnlyHint: boolean; destructiveHint?: boolean };
  run(args: Record<string, unknown>): Promise<unknown>;
}

function toInput(properties: Record<string, object>, ...required: string[]): Tool["inputSchema"] {
  return { type: "object", properties, ...(required.length > 0 && { required }) };
}

interface ToolOptions {
  readonly api: GatewayApi;
  /** False for a key of the live environment. */
  readonly isTest: boolean;
  readonly sellsLive: boolean;
  readonly errors: readonly ErrorEntry[];
  createId(): string;
}

const FAMILIES = ["topups", "vouchers", "esim", "billpay"] as const;
type Family = (typeof FAMILIES)[number];

const FAMILY = { type: "string", enum: FAMILIES, description: "Product family" };
const OFFER_ID = { type: "string", description: "offerId of the catalog" };
const VALUE = {
  type: "object",
  description:
    "Only for RANGE offers. PRICE: the customer's price; COST: the wallet's cost; ZEND: the delivered amount. In minor units.",
  properties: {
    type: { type: "string", enum: ["PRICE", "COST", "ZEND"] },
    value: { type: "integer" },
  },
  required: ["type", "value"],
};
const PURCHASE_FIELDS = {
  family: FAMILY,
  offerId: OFFER_ID,
  value: VALUE,
  transactionId: {
    type: "string",
    description: "Your own unique id. Reuse it if you repeat this purchase. Made if absent.",
  },
  recipientPhoneNumber: { type: "string", description: "For topups, E.164: +50251234567" },
  fields: {
    type: "array",
    description: "For vouchers and billpay: a value for each of the offer's requiredFields",
    items: {
      type: "object",
      properties: { key: { type: "string" }, value: { type: "string" } },
      required: ["key", "value"],
    },
  },
  iccid: { type: "string", description: "For esim: adds the plan to this eSIM" },
};

const MAX_OFFERS = 50;
/** MCP clients wait for a minute for the answer of a tool. */
const OUTCOME_TIMEOUT_MS = 20 * SECOND;
const POLL_MS = SECOND / 2;
/** Refusals after which the gateway may have a purchase with the same transactionId. */
const UNCERTAIN_REFUSALS: readonly string[] = ["DUPLICATE_TRANSACTION_ID", "RATE_LIMITED"];
const READS = { readOnlyHint: true };
const SELLS = { readOnlyHint: false, destructiveHint: true };

interface Purchase {
  readonly family: Family;
  readonly transactionId: string;
  readonly body: object;
}

type QuotedPurchase = Purchase & { readonly quoted: Amounts };

export function createTools(options: ToolOptions): Tool[] {
  const reading = [...createReadingTools(options), createErrorTool(options)];
  if (options.isTest) return [...reading, createTestSaleTool(options)];
  return options.sellsLive ? [...reading, ...createLiveSaleTools(options)] : reading;
}

function createReadingTools({ api, isTest }: ToolOptions): Tool[] {
  return [
    {
      name: "get_balance",
      description: "Returns the wallet's spendable balance and the environment of the key.",
      inputSchema: toInput({}),
      annotations: READS,
      run: async () => ({
        environment: isTest ? "test" : "live",
        ...(await api.get<object>("/balance")),
      }),
    },
    {
      name: "find_offers",
      description: `Finds offers of a family that are for sale, at most ${MAX_OFFERS} per call. Filter by country and brand; text searches names and notes.`,
      inputSchema: toInput(
        {
          family: FAMILY,
          country: { type: "string", description: "ISO 3166-1 alpha-2, such as GT" },
          brand: { type: "string", description: "Brand code" },
          text: { type: "string" },
        },
        "family",
      ),
      annotations: READS,
      run: (args) => findOffers(api, args),
    },
    {
      name: "get_offer",
      description: "Returns one offer with its prices, limits and required fields.",
      inputSchema: toInput({ family: FAMILY, offerId: OFFER_ID }, "family", "offerId"),
      annotations: READS,
      run: (args) => getOffer(api, args),
    },
    {
      name: "quote",
      description: "Calculates cost, customer's price and delivered amount. Buys nothing.",
      inputSchema: toInput(
        { family: FAMILY, offerId: OFFER_ID, value: VALUE },
        "family",
        "offerId",
      ),
      annotations: READS,
      run: (args) => quote(api, args),
    },
    {
      name: "get_purchase",
      description: "Returns a purchase with its status, log, error or delivered data.",
      inputSchema: toInput(
        { family: FAMILY, transactionId: { type: "string" } },
        "family",
        "transactionId",
      ),
      annotations: READS,
      run: (args) =>
        api.get(`/${familyOf(args)}/purchases/${encodeURIComponent(String(args.transactionId))}`),
    },
  ];
}

function createErrorTool({ errors }: ToolOptions): Tool {
  return {
    name: "explain_error",
    description: "Explains an error code of the API: its cause and its remedy.",
    inputSchema: toInput(
      { code: { type: "string", description: "Such as VALUE_OUT_OF_RANGE" } },
      "code",
    ),
    annotations: READS,
    run: async ({ code }) => {
      const entry = errors.find((one) => one.code === code);
      if (entry) return entry;
      const known = errors.map((one) => one.code).join(", ");
      throw new GatewayError(`There is no error code ${String(code)}. Known codes: ${known}.`);
    },
  };
}

function createTestSaleTool({ api, createId }: ToolOptions): Tool {
  return {
    name: "buy",
    description:
      "Buys in the test environment, where nothing real is sent, and waits up to 20 seconds for the outcome. Read a purchase without an outcome again with get_purchase.",
    inputSchema: toInput(PURCHASE_FIELDS, "family", "offerId"),
    annotations: SELLS,
    run: (args) => buy(api, readPurchase(args, createId)),
  };
}

function createLiveSaleTools({ api, createId }: ToolOptions): Tool[] {
  const confirmations = new LiveConfirmations<QuotedPurchase>(api.clock);
  return [
    {
      name: "prepare_live_purchase",
      description:
        "First step of a live purchase: buys nothing, returns the amounts and a confirmation. Show the person the amounts and the recipient, and ask before you confirm.",
      inputSchema: toInput(PURCHASE_FIELDS, "family", "offerId"),
      annotations: READS,
      run: async (args) => {
        const purchase = readPurchase(args, createId);
        const quoted = await quote(api, args);
        const confirmation = confirmations.add({ ...purchase, quoted });
        const { family, transactionId, body } = purchase;
        return { confirmation, validMinutes: 10, family, transactionId, ...body, ...quoted };
      },
    },
    {
      name: "confirm_live_purchase",
      description:
        "Second step: buys with real money, and waits up to 20 seconds for the outcome. Call it only after the person agreed to the amounts and the recipient. A repeat buys nothing: it returns the purchase of the confirmation.",
      inputSchema: toInput({ confirmation: { type: "string" } }, "confirmation"),
      annotations: SELLS,
      run: ({ confirmation }) => confirmLive(api, confirmations, String(confirmation)),
    },
  ];
}

/** @throws GatewayError */
async function confirmLive(
  api: GatewayApi,
  confirmations: LiveConfirmations<QuotedPurchase>,
  id: string,
) {
  const confirmation = confirmations.find(id);
  if (!confirmation) {
    throw new GatewayError(
      "This confirmation is unknown. If it was confirmed before, it may have been bought: read the transactionId of its prepare_live_purchase with get_purchase before you prepare another.",
    );
  }
  const { purchase } = confirmation;
  if (confirmations.isUsed(confirmation)) return readUsed(api, purchase);
  requireOpen(confirmations, confirmation);
  const now = await quote(api, { ...purchase.body, family: purchase.family });
  // Another call may have used the confirmation during the quote.
  if (confirmations.isUsed(confirmation)) return readUsed(api, purchase);
  requireOpen(confirmations, confirmation);
  if (!isDeepStrictEqual(now, purchase.quoted)) {
    confirmation.state = "VOID";
    throw new GatewayError(
      `The price has changed to ${JSON.stringify(now)}. Nothing was bought: prepare the purchase again.`,
    );
  }
  confirmation.state = "USED";
  return buy(api, purchase);
}

/** @throws GatewayError */
function requireOpen(
  confirmations: LiveConfirmations<QuotedPurchase>,
  confirmation: LiveConfirmation<QuotedPurchase>,
): void {
  if (confirmations.isOpen(confirmation)) return;
  throw new GatewayError(
    "This confirmation is older than ten minutes, or its price has changed. Nothing was bought: prepare the purchase again.",
  );
}

/** @throws GatewayError */
function readUsed(api: GatewayApi, purchase: Purchase): Promise<object> {
  return readOutcome(api, purchase).catch((error: unknown) => {
    throw new GatewayError(`${describeUncertain(purchase)} ${describe(error)}`);
  });
}

/** @throws GatewayError */
function familyOf({ family }: Record<string, unknown>): Family {
  const known = FAMILIES.find((name) => name === family);
  if (known) return known;
  throw new GatewayError(`family must be one of ${FAMILIES.join(", ")}.`);
}

/** @throws GatewayError */
function getOffer(api: GatewayApi, args: Record<string, unknown>): Promise<Offer> {
  return api.get<Offer>(`/${familyOf(args)}/offers/${encodeURIComponent(String(args.offerId))}`);
}

async function findOffers(api: GatewayApi, args: Record<string, unknown>) {
  const family = familyOf(args);
  const query = new URLSearchParams({ _limit: "1024", _offset: "0" });
  for (const name of ["country", "brand"]) {
    if (typeof args[name] === "string") query.set(name, args[name]);
  }
  const text = typeof args.text === "string" ? args.text.toLowerCase() : "";
  const found: Offer[] = [];
  for (let offset = 0, total = 1; offset < total; offset += 1024) {
    query.set("_offset", String(offset));
    const page = await api.get<{ total: number; list: Offer[] }>(`/${family}/offers?${query}`);
    total = page.total;
    found.push(...page.list.filter((offer) => offer.enabled && nameOf(offer).includes(text)));
  }
  return { total: found.length, offers: found.slice(0, MAX_OFFERS).map(summarize) };
}

function nameOf({ offerId, brandName, shortNotes, notes }: Offer): string {
  return [offerId, brandName, shortNotes, notes].join(" ").toLowerCase();
}

function summarize(offer: Offer) {
  const { offerId, brandName, country, shortNotes, priceType, cost, price } = offer;
  const required = "requiredFields" in offer && { requiredFields: offer.requiredFields };
  const amounts =
    priceType === "FIXED"
      ? {
          cost: describeAmount(cost.fixed ?? 0, cost),
          price: describeAmount(price.fixed ?? 0, price),
        }
      : {
          priceFrom: describeAmount(price.min ?? 0, price),
          priceTo: describeAmount(price.max ?? 0, price),
        };
  return { offerId, brandName, country, shortNotes, priceType, ...amounts, ...required };
}

/** Amounts as texts with their currency. */
interface Amounts {
  readonly cost: string;
  readonly price: string;
  readonly delivered: string;
}

async function quote(api: GatewayApi, args: Record<string, unknown>): Promise<Amounts> {
  const offer = await getOffer(api, args);
  if (!offer.enabled) throw new GatewayError("OFFER_DISABLED: this offer is not for sale now.");
  try {
    const quoted = quoteOffer(offer, (args.value ?? undefined) as PurchaseValue | undefined);
    const { priceBase, priceFee, send } = quoted;
    return {
      cost: describeAmount(sumCost(quoted), offer.cost),
      price: describeAmount(priceBase + priceFee, offer.price),
      delivered: "send" in offer ? describeAmount(send, sendUnitOf(offer)) : offer.shortNotes,
    };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { errorCode, message, fields } = error;
    throw new GatewayError(`${errorCode}: ${message} ${JSON.stringify(fields)}`);
  }
}

function readPurchase(args: Record<string, unknown>, createId: () => string): Purchase {
  const { family: _, ...input } = args;
  const transactionId = typeof args.transactionId === "string" ? args.transactionId : createId();
  return { family: familyOf(args), transactionId, body: { ...input, transactionId } };
}

/**
 * Buys and waits for the outcome. A purchase without one yet is returned as it is.
 * @throws GatewayError that names the transactionId
 */
async function buy(api: GatewayApi, purchase: Purchase) {
  const { family, transactionId, body } = purchase;
  const end = api.clock.now() + OUTCOME_TIMEOUT_MS;
  try {
    await api.post(`/${family}/purchases`, body);
  } catch (error) {
    const refusal = error instanceof GatewayError ? error.refusal : undefined;
    const repeated = refusal === "DUPLICATE_TRANSACTION_ID" && (await findRepeated(api, purchase));
    if (repeated) return repeated;
    const isRefused = refusal !== undefined && !UNCERTAIN_REFUSALS.includes(refusal);
    const state = isRefused
      ? `The gateway refused the purchase ${transactionId}.`
      : describeUncertain(purchase);
    throw new GatewayError(`${state} ${describe(error)}`);
  }
  try {
    for (;;) {
      const read = await readOutcome(api, purchase);
      if (isFinal(read) || api.clock.now() >= end) return read;
      await api.pause(POLL_MS);
    }
  } catch (error) {
    throw new GatewayError(`${describeUncertain(purchase)} ${describe(error)}`);
  }
}

/** Returns the purchase that a repeat names; undefined if it is not final, or another one. */
async function findRepeated(api: GatewayApi, purchase: Purchase) {
  const read = await readOutcome(api, purchase).catch(() => undefined);
  if (!read || !isFinal(read)) return undefined;
  const isSame = Object.entries(purchase.body).every(([name, value]) =>
    isDeepStrictEqual(value, Reflect.get(read, name)),
  );
  return isSame ? read : undefined;
}

function isFinal({ status }: { status: string }): boolean {
  return status === "DONE" || status === "FAILED";
}

function readOutcome(api: GatewayApi, { family, transactionId }: Purchase) {
  const path = `/${family}/purchases/${encodeURIComponent(transactionId)}`;
  return api.get<{ status: string }>(path);
}

function describeUncertain({ family, transactionId }: Purchase): string {
  return `The purchase ${transactionId} may have been bought. Read it with get_purchase (family ${family}, transactionId ${transactionId}) until it is DONE or FAILED, and do not buy again under another transactionId.`;
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const VALID_MS = 10 * MINUTE;
/** Time for which a repeat of a confirmation finds its purchase. */
const KEPT_MS = DAY;

interface LiveConfirmation<T> {
  readonly purchase: T;
  readonly validUntil: number;
  /** USED from just before the purchase is sent. VOID after the price changed. */
  state: "OPEN" | "USED" | "VOID";
}

/**
 * Live purchases that wait for their second step. A confirmation is valid once, for ten minutes,
 * and only for the purchase that it was issued for. A used confirmation still names its purchase.
 */
class LiveConfirmations<T> {
  readonly #clock: Clock;
  readonly #issued = new Map<string, LiveConfirmation<T>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(purchase: T): string {
    const now = this.#clock.now();
    for (const [id, { validUntil }] of this.#issued) {
      if (validUntil + KEPT_MS <= now) this.#issued.delete(id);
    }
    const id = randomUUID();
    this.#issued.set(id, { purchase, validUntil: now + VALID_MS, state: "OPEN" });
    return id;
  }

  /** @returns undefined if this server did not issue the confirmation, or issued it days ago */
  find(id: string): LiveConfirmation<T> | undefined {
    return this.#issued.get(id);
  }

  isOpen({ state, validUntil }: LiveConfirmation<T>): boolean {
    return state === "OPEN" && validUntil > this.#clock.now();
  }

  isUsed({ state }: LiveConfirmation<T>): boolean {
    return state === "USED";
  }
}
