import { isDeepStrictEqual } from "node:util";
import { type ErrorCode, FAILURE_CODES, OTHER_FAILURE_CODES } from "../contract/error-codes.ts";
import { FAMILIES, FAMILY_FACTS } from "../contract/pos/families.ts";
import {
  ANSWER_HEADERS,
  CATALOG_HEADERS,
  describeBadRequest,
  describeSharedErrors,
  ERROR_CODES,
  findSharedError,
  HEADERS,
  NOT_MODIFIED,
} from "./openapi-errors.ts";
import { exampleOf, REQUEST_SAMPLES, type Schema } from "./openapi-examples.ts";
import { describeWebhooks } from "./openapi-webhooks.ts";

/** The schemas of the offers of families that deliver money, or of those that deliver none. */
function offersThat(deliver: { money: boolean }): string[] {
  const facts = FAMILIES.map((family) => FAMILY_FACTS[family]);
  return facts
    .filter(({ deliversMoney }) => deliversMoney === deliver.money)
    .map(({ name }) => `${name}Offer`);
}

const AMOUNTS = ["Cost", "Price", "Send"];
const OF_TYPE = {
  FIXED: { prefix: "Fixed", has: ["fixed"], lacks: ["fx", "min", "max", "increment"] },
  RANGE: { prefix: "Range", has: ["fx", "min", "max", "increment"], lacks: ["fixed"] },
} as const;
type PriceType = keyof typeof OF_TYPE;

function refTo(name: string): string {
  return `#/components/schemas/${name}`;
}

/**
 * Says each kind of offer as one of two, told apart by `priceType`, so that a generated client knows
 * which amounts are there: a FIXED one has `fixed`, a RANGE one `fx`, `min` and `max`. What delivers no
 * money, as an eSIM, is FIXED always.
 */
function splitByPriceType(schemas: Map<string, Schema>): void {
  for (const type of ["FIXED", "RANGE"] as const) {
    for (const name of AMOUNTS) {
      const whole = schemas.get(name);
      if (whole) schemas.set(nameOf(type, name), amountsOf(type, whole));
    }
  }
  for (const name of offersThat({ money: true })) {
    const whole = schemas.get(name);
    if (!whole) continue;
    for (const type of ["FIXED", "RANGE"] as const) {
      schemas.set(nameOf(type, name), offerOf(type, whole));
    }
    schemas.set(name, {
      title: name,
      ...(whole.description !== undefined && { description: whole.description }),
      oneOf: [nameOf("FIXED", name), nameOf("RANGE", name)].map((part) => ({ $ref: refTo(part) })),
      discriminator: {
        propertyName: "priceType",
        mapping: { FIXED: refTo(nameOf("FIXED", name)), RANGE: refTo(nameOf("RANGE", name)) },
      },
    });
  }
  for (const name of offersThat({ money: false })) {
    const whole = schemas.get(name);
    if (whole) schemas.set(name, { ...offerOf("FIXED", whole), title: name });
  }
  for (const name of AMOUNTS) schemas.delete(name);
}

function nameOf(type: PriceType, name: string): string {
  return OF_TYPE[type].prefix + name;
}

function amountsOf(type: PriceType, whole: Schema): Schema {
  const { properties = {}, required = [], title = "", description = "" } = whole;
  const lacks: readonly string[] = OF_TYPE[type].lacks;
  const kept = Object.entries(properties).filter(([name]) => !lacks.includes(name));
  const has = OF_TYPE[type].has.filter((name) => name in properties && !required.includes(name));
  return {
    ...whole,
    title: nameOf(type, title),
    description: `${description} of a ${type} offer`,
    properties: Object.fromEntries(kept),
    required: [...required, ...has],
  };
}

function offerOf(type: PriceType, whole: Schema): Schema {
  const { properties = {}, title = "" } = whole;
  const parts = Object.entries(properties).map(([name, field]): [string, Schema] => {
    const amounts = AMOUNTS.find((part) => field.$ref === refTo(part));
    if (amounts) return [name, { $ref: refTo(nameOf(type, amounts)) }];
    if (name !== "priceType") return [name, field];
    const description = "Which of the two kinds of offer this is";
    return [name, { type: "string", enum: [type], description }];
  });
  const value = type === "FIXED" ? "bought without a value" : "bought with a value";
  return {
    ...whole,
    title: nameOf(type, title),
    description: `${whole.description ?? ""}, ${value}`,
    properties: Object.fromEntries(parts),
  };
}

/** The operations that every family has, each in a sentence. */
const FAMILY_WORDS: readonly (readonly [operationId: string, words: string])[] = FAMILIES.flatMap(
  (family) => {
    const { name } = FAMILY_FACTS[family];
    return [
      [`list${name}Offers`, "Newest first, then by id. Offers that are not enabled are in it too."],
      [`get${name}Offer`, "As it is priced now, for this gateway's shop."],
      [`list${name}Purchases`, "Newest first, then by id; the till's own sales are among them."],
      [
        `get${name}Purchase`,
        "Poll it until its status is DONE or FAILED, or wait for the webhook.",
      ],
    ] as const;
  },
);

/**
 * Each operation in a sentence, where its route says no more than its name; one of a family where there
 * is more to say of it than of the others.
 */
const OPERATION_WORDS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(FAMILY_WORDS),
  listBrands: "By code; with `country`, those that sell something there.",
  getBrand: "With its pictures, and what the fields that its offers require are called.",
  listEsimOffers: "Newest first, then by id; a regional plan has no country.",
  getVoucherPurchase: "Poll it until its status is DONE or FAILED; DONE has the receipt.",
  getEsimPurchase: "Poll it until its status is DONE or FAILED; DONE has what a phone needs.",
  getEsimRefund: "Poll it until its status is DONE or FAILED.",
  listEsimPlans: "As the provider says; one plan is active, the others wait in order.",
  listTransactions: "Every movement of the wallet, newest first, then by id.",
  getTransaction: "A purchase of any family, a recharge or a refund.",
  listPromos: "Newest first, then by id; the status follows from the dates.",
  getPromo: "In English; the list has other languages.",
  getTransactionReport: "Poll it, a second apart or more, until it is Ready or FAILED.",
};

/**
 * The description of each field of `/v1`: by its name, or by record and name where the same name means
 * something of its own. Fields with words beside their rule keep those.
 */
const FIELD_WORDS: Readonly<Record<string, string>> = {
  accountId: "The account that was credited; empty where nothing was",
  activationCode: "The matching id that a phone downloads the profile with",
  amount: "Minor units that the wallet gave or got",
  availableBalance: "Minor units that can be spent now",
  brand: "The brand's code",
  brandBigImage: "Address of a large picture",
  brandColor: "The brand's colour, such as #0b5cad",
  brandGiftImage: "Address of a picture for a gift",
  brandInfoPdf: "Address of a PDF about the brand; empty where there is none",
  brandLogo: "Address of the logo",
  brandLogoExtension: "File name extension of the logo",
  brandName: "The brand's name",
  code: "What went wrong, for programs",
  confirmationNumber: "The provider's number of the delivery",
  cost: "What the wallet pays, fees included: minor units",
  costBase: "The cost without fees: minor units",
  costCurrency: "ISO 4217 code of the cost",
  costCurrencyDivisor: "What amounts in costCurrency are divided by for display",
  costFee: "Fees that are part of the cost: minor units",
  costFeePct: "Fee in percent of the base cost",
  costFeeTotal: "All fees of the cost: minor units",
  costTotal: "The cost with all fees: minor units",
  country: "ISO 3166-1 code of the country",
  createdAt: "When it was made",
  currency: "ISO 4217 code of the amounts beside it",
  currencyDivisor: "What the amounts beside it are divided by for display",
  dataSpeeds: "Networks that the plan works on",
  dataUnlimited: "Whether the data have no limit",
  dateOfBirth: "Date of birth, year first",
  dateTime: "When it happened",
  deliverySpeedSeconds: "Seconds that a payment usually takes",
  deliveryType: "How it is delivered",
  description: "In words",
  downloadUrl: "Where the file is; the key is needed there too",
  durationDays: "Days that it is valid; 0 where it does not end",
  enabled: "Whether it can be bought now",
  endAt: "When it ends",
  endLt: "End of the period, exclusive",
  epin: "The PIN, code or token; empty where there is none",
  expiresAt: "When it expires; empty where it does not",
  externalReferenceId: "The provider's own reference",
  fee: "Fee of each purchase: minor units",
  fields: "The fields that were given",
  fixed: "The amount of a FIXED offer: minor units",
  fx: "The rate of a RANGE offer: delivered = amount × fx, in major units",
  iccid: "The eSIM's number",
  imageBase64: "The picture's bytes in base64",
  inputMask:
    "How the field is written: 9 for a digit, a for a letter, * for either; empty: free text",
  inputMasks: "How required fields are written",
  instructions: "How it is used, for the customer",
  label: "What the field is called on a form",
  language: "ISO 639-1 code of the text's language",
  link: "Address of the instructions",
  list: "The records of this page",
  log: "What happened, oldest first",
  max: "The most of a RANGE offer: minor units",
  maxValue: "The most that it applies to: minor units; 0 where there is no limit",
  message: "For people",
  min: "The least of a RANGE offer: minor units",
  minValue: "The least that it applies to: minor units",
  name: "The file's name",
  notes: "What is bought, in words",
  offerId: "The offer's id",
  price: "What the customer pays, fees included: minor units",
  priceBase: "The price without fees: minor units",
  priceCurrency: "ISO 4217 code of the price",
  priceCurrencyDivisor: "What amounts in priceCurrency are divided by for display",
  priceFee: "Fees that are part of the price: minor units",
  priceFx: "The rate of the price: delivered = price × priceFx, in major units",
  processingDays: "Days on which payments are processed",
  processingOnHolidays: "Whether payments are processed on public holidays",
  productType: "The kind of product",
  recipientCustomerServiceNumber: "Telephone number for whoever gets it; may be empty",
  recipientPhoneNumber: "The number that is topped up, in E.164 form",
  recordedAt: "When it happened",
  redemptionInstructions: "How it is used, in words",
  redemptionUrl: "Address where it is redeemed; empty where there is none",
  redemptionVideo: "Address of a film; empty where there is none",
  reportId: "The report's id",
  regions: "Parts of the world that it is for",
  remainingDataGB: "Gigabytes that are left; 0 when unlimited",
  requiredField: "Name of the field",
  requiredFieldsLabels: "What required fields are called on a form",
  send: "What is delivered: minor units",
  sendCurrency: "ISO 4217 code of what is delivered",
  sendCurrencyDivisor: "What amounts in sendCurrency are divided by for display",
  senderCustomerServiceNumber: "Telephone number for whoever bought it; may be empty",
  shortNotes: "What is bought, in few words",
  smdpAddress: "Address of the SM-DP+ server that holds the profile",
  smsNumber: "Messages included",
  smsUnlimited: "Whether messages have no limit",
  startAt: "When it begins",
  startGte: "Begin of the period, inclusive",
  statusMessage: "What happened, for people",
  subTypes: "What it is, more closely",
  suggestedFixed: "The price that is suggested for a FIXED offer: minor units",
  suggestedFx: "The rate that is suggested for a RANGE offer",
  supportsBillRetrieval: "Whether the biller can be asked what is due",
  supportsOverpayment: "Whether more than what is due can be paid",
  supportsUnderpayment: "Whether less than what is due can be paid",
  terms: "Terms, in words",
  total: "How many there are",
  transactionTime: "When the provider carried it out",
  unlimited: "Whether the data have no limit",
  updatedAt: "When it last changed",
  voiceMinutes: "Minutes included",
  voiceUnlimited: "Whether calls have no limit",
  voucherId: "The provider's id of the voucher",
  "BillPayPurchaseInput.fields": "The fields that the offer requires",
  "VoucherPurchaseInput.fields": "The fields that the offer requires",
  "BrandDetail.redemptionInstructions": "How its products are used, by country and language",
  "Promo.id": "The promotion's id",
  "PurchaseValue.type":
    "Which side the value is on: what is paid, what it costs, what is delivered",
  "PurchaseValue.value": "Minor units of that side's currency",
  "TransactionError.description": "What went wrong, more closely",
  "VoucherReceipt.send": "What it is worth: minor units of its currency",
  "EsimPlan.status": "ACTIVE is used now, QUEUED waits for its turn",
};

/** Where a schema of a 400 lists its operation's refusals. */
export const REFUSALS = "x-refusals";

interface Media {
  schema?: Schema & { [REFUSALS]?: ErrorCode[] };
  example?: unknown;
  examples?: Record<string, unknown>;
}

interface Response {
  description?: string;
  headers?: object;
  content?: Record<string, Media>;
}

interface Parameter {
  name: string;
  in: string;
  description?: string;
  required?: boolean;
  schema?: Schema;
}

interface Operation {
  [TAGGED]?: boolean;
  operationId?: string;
  tags?: string[];
  description?: string;
  summary?: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Response | { $ref: string }>;
}

interface Document {
  tags?: { name: string }[];
  components?: { schemas?: Record<string, Schema> };
  paths: Record<string, Record<string, Operation>>;
}

/**
 * Completes the description that the routes' schemas give: words, examples and headers for every
 * answer and field, the codes of errors, offers by their price type, the webhooks, and each schema
 * with a title said once, in `components`. What is validated and what is served stays as the routes
 * say.
 */
export function completeDocument(document: Document): Document {
  for (const operation of Object.values(document.paths).flatMap(Object.values<Operation>)) {
    completeOperation(operation);
  }
  const schemas = new Map<string, Schema>();
  const paths = lift(byTag(document), schemas) as Document["paths"];
  describeFields(schemas);
  splitByPriceType(schemas);
  nameCodes(schemas);
  const named = [...schemas].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    ...document,
    paths,
    webhooks: describeWebhooks(),
    components: {
      ...document.components,
      headers: HEADERS,
      responses: describeSharedErrors(),
      schemas: Object.fromEntries(named),
    },
  } as Document;
}

/** The paths in the order of the tags, for readers, not in the order of the modules. */
function byTag({ paths, tags = [] }: Document): Document["paths"] {
  const names = tags.map(({ name }) => name);
  const rankOf = (operations: Record<string, Operation>) =>
    names.indexOf(Object.values(operations)[0]?.tags?.[0] ?? "");
  const ranked = Object.entries(paths).sort(([, a], [, b]) => rankOf(a) - rankOf(b));
  return Object.fromEntries(ranked);
}

const FAILURES = [...FAILURE_CODES, ...OTHER_FAILURE_CODES];

/** Errors' codes as enumerations of their own, which a program can switch over. */
function nameCodes(schemas: Map<string, Schema>): void {
  for (const [title, record, field, codes, description] of [
    ["ErrorCode", "ErrorBody", "errorCode", ERROR_CODES, "What went wrong with a request"],
    [
      "FailureCode",
      "TransactionError",
      "code",
      FAILURES,
      "Why a purchase, refund or report failed",
    ],
  ] as const) {
    const whole = schemas.get(record);
    if (!whole) continue;
    schemas.set(title, { title, description, type: "string", enum: [...codes] });
    const properties = { ...whole.properties, [field]: { $ref: `#/components/schemas/${title}` } };
    schemas.set(record, { ...whole, properties });
  }
}

function completeOperation(operation: Operation): void {
  describeOperation(operation);
  const { parameters = [], requestBody, responses } = operation;
  for (const parameter of parameters) {
    // In the message of a broken rule the same words stand after "must be".
    const { description = "" } = parameter;
    parameter.description = description.charAt(0).toUpperCase() + description.slice(1);
  }
  for (const media of Object.values(requestBody?.content ?? {})) exemplifyRequest(media);
  const isTagged = operation[TAGGED] === true;
  delete operation[TAGGED];
  for (const [status, response] of Object.entries(responses)) {
    if ("$ref" in response) continue;
    responses[status] =
      findSharedError(status) ??
      (status === "400" ? badRequestOf(operation, response) : describeSuccess(response));
  }
  const { 200: success } = responses;
  if (!isTagged || !success) return;
  operation.responses = {
    ...responses,
    200: { ...success, headers: CATALOG_HEADERS },
    304: NOT_MODIFIED,
  };
}

function exemplifyRequest(media: Media): void {
  if (!media.schema) return;
  const samples = REQUEST_SAMPLES[media.schema.title ?? ""];
  delete media.example;
  media.examples = samples ?? { example: { value: exampleOf(media.schema) } };
}

/** Where an operation says that its answers are tagged, see `catalog-answers.ts`. */
export const TAGGED = "x-tagged";

function describeSuccess(response: Response): Response {
  const content = response.content ?? {};
  for (const media of Object.values(content)) {
    delete media.examples;
    if (media.schema && media.schema.format !== "binary") media.example = exampleOf(media.schema);
  }
  return { ...response, headers: ANSWER_HEADERS, content };
}

function badRequestOf(operation: Operation, response: Response) {
  const { [REFUSALS]: refusals = [], ...schema } =
    response.content?.["application/json"]?.schema ?? {};
  return describeBadRequest(schema, refusals, exampleFault(operation));
}

/** The message for a request that breaks the operation's schema, by its first field. */
function exampleFault({ parameters = [], requestBody }: Operation): Record<string, string> {
  const query = parameters.find((parameter) => parameter.in === "query" && parameter.required);
  if (query) return { [query.name]: "is required" };
  const [body] = Object.values(requestBody?.content ?? {});
  const field = body?.schema?.required?.[0];
  if (field !== undefined) return { [field]: "is required" };
  const [path] = parameters;
  if (path === undefined) return {};
  const { name, description = "", schema } = path;
  const rule = description.charAt(0).toLowerCase() + description.slice(1);
  return {
    [name]: schema?.pattern ? `must be ${rule}` : "must NOT have more than 128 characters",
  };
}

/**
 * Moves every schema with a title to `schemas` and leaves a reference to it.
 * @throws when two schemas that differ have the same title: a fault of ours.
 */
function lift(value: unknown, schemas: Map<string, Schema>, isSample = false): unknown {
  if (Array.isArray(value)) return value.map((item) => lift(item, schemas, isSample));
  if (typeof value !== "object" || value === null || isSample) return value;
  const node = Object.fromEntries(
    Object.entries(value).map(([key, child]) => {
      const isExample = /^(example|examples|enum|const|default)$/.test(key);
      return [key, lift(child, schemas, isExample)];
    }),
  ) as Schema;
  if (node.enum?.every((item) => typeof item === "string")) node.type ??= "string";
  const { title } = node;
  if (typeof title !== "string" || !("type" in node || "anyOf" in node)) return node;
  const known = schemas.get(title);
  if (known && !isDeepStrictEqual(bare(known), bare(node))) {
    throw new Error(`two schemas of /v1 are called ${title}`);
  }
  // A parameter's schema comes without its description, which stands beside it.
  if (!known?.description) schemas.set(title, node);
  return { $ref: `#/components/schemas/${title}` };
}

function bare({ description: _words, examples: _samples, ...schema }: Schema): object {
  return schema;
}

/**
 * Gives every field of the named schemas its description; a reference has that of what it names.
 * @throws when a field has none: a new field is described before it is served.
 */
function describeFields(schemas: Iterable<[string, Schema]>): void {
  const missing: string[] = [];
  for (const [title, { properties = {} }] of schemas) {
    for (const [name, field] of Object.entries(properties)) {
      if (field.description !== undefined || field.$ref !== undefined) continue;
      const words = FIELD_WORDS[`${title}.${name}`] ?? FIELD_WORDS[name];
      if (words === undefined) missing.push(`${title}.${name}`);
      else field.description = words;
    }
  }
  if (missing.length > 0) {
    throw new Error(`describe in http/openapi-fields.ts: ${missing.join(", ")}`);
  }
}

/** @throws when an operation has no words at all: a new one is described before it is served. */
function describeOperation(operation: { operationId?: string; description?: string }): void {
  const { operationId = "" } = operation;
  const words = operation.description ?? OPERATION_WORDS[operationId];
  if (!words) throw new Error(`describe in http/openapi-operations.ts: ${operationId}`);
  operation.description = words;
}
