import { isDeepStrictEqual } from "node:util";
import { type ErrorCode, FAILURE_CODES, OTHER_FAILURE_CODES } from "../contract/error-codes.ts";
import { FAMILIES, FAMILY_FACTS } from "../contract/pos/families.ts";
import { REFUSALS } from "./app-types.ts";
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
 * Splits each offer schema by `priceType`: FIXED offers have `fixed`, RANGE offers have `fx`, `min`
 * and `max`. Offers that deliver no money are always FIXED.
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
    const description = "Kind of the offer";
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

const FAMILY_WORDS: readonly (readonly [operationId: string, words: string])[] = FAMILIES.flatMap(
  (family) => {
    const { name } = FAMILY_FACTS[family];
    return [
      [
        `list${name}Offers`,
        "Newest first, then by id. The list includes offers that are not enabled.",
      ],
      [`get${name}Offer`, "Returns the offer at its current price in this gateway's shop."],
      [`list${name}Purchases`, "Newest first, then by id. The list includes the till's own sales."],
      [
        `get${name}Purchase`,
        "Poll it until its status is DONE or FAILED, or wait for the webhook.",
      ],
    ] as const;
  },
);

/**
 * Descriptions of operations whose summary does not suffice, and of operations of single families.
 */
const OPERATION_WORDS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(FAMILY_WORDS),
  listBrands: "Sorted by code. `country` limits the list to brands with an offer there.",
  getBrand: "Returns the brand with its pictures and the labels of its offers' required fields.",
  listEsimOffers: "Newest first, then by id. A regional plan has no country.",
  getVoucherPurchase:
    "Poll it until its status is DONE or FAILED. A DONE purchase has the receipt.",
  getEsimPurchase:
    "Poll it until its status is DONE or FAILED. A DONE purchase has the data for the phone.",
  getEsimRefund: "Poll it until its status is DONE or FAILED.",
  listEsimPlans: "Returns the provider's data. One plan is active, the others are queued in order.",
  listTransactions: "Lists every movement of the wallet, newest first, then by id.",
  getTransaction: "Returns a purchase of any family, a recharge or a refund.",
  listPromos: "Newest first, then by id. The status follows from the dates.",
  getPromo: "Returns the promotion in English; the list has other languages.",
  getTransactionReport: "Poll it, at most once a second, until its status is Ready or FAILED.",
};

/**
 * Descriptions by field, or by record and field if the meaning differs. A description in the schema
 * has precedence.
 */
const FIELD_WORDS: Readonly<Record<string, string>> = {
  accountId: "Credited account; empty if there is none",
  activationCode: "Matching id with which a phone downloads the profile",
  amount: "Amount debited from or credited to the wallet, in minor units",
  availableBalance: "Spendable balance in minor units; held amounts are subtracted",
  brand: "Code of the brand",
  brandBigImage: "URL of a large picture",
  brandColor: "Colour of the brand, such as #0b5cad",
  brandGiftImage: "URL of a gift picture",
  brandInfoPdf: "URL of a PDF about the brand; empty if there is none",
  brandLogo: "URL of the logo",
  brandLogoExtension: "File name extension of the logo",
  brandName: "Name of the brand",
  code: "Error code for programs",
  confirmationNumber: "Confirmation number of the provider",
  cost: "Amount that the wallet pays, including fees, in minor units",
  costBase: "Cost without fees, in minor units",
  costCurrency: "ISO 4217 code of the cost",
  costCurrencyDivisor: "Divisor of amounts in costCurrency for display",
  costFee: "Fees included in the cost, in minor units",
  costFeePct: "Fee in percent of the base cost",
  costFeeTotal: "All fees of the cost, in minor units",
  costTotal: "Cost including all fees, in minor units",
  country: "ISO 3166-1 code of the country",
  createdAt: "Creation time",
  currency: "ISO 4217 code of the amounts in this object",
  currencyDivisor: "Divisor of the amounts in this object for display",
  dataSpeeds: "Network generations of the plan",
  dataUnlimited: "True if data is unlimited",
  dateOfBirth: "Date of birth, year first",
  dateTime: "Time of the log entry",
  deliverySpeedSeconds: "Usual duration of a payment in seconds",
  deliveryType: "Type of delivery",
  description: "Description for people",
  downloadUrl: "URL of the file, which requires the API key",
  durationDays: "Validity in days; 0 if unlimited",
  enabled: "True if the offer can be bought now",
  endAt: "End time",
  endLt: "End of the period, exclusive",
  epin: "PIN, code or token; empty if there is none",
  expiresAt: "Expiry time; empty if there is none",
  externalReferenceId: "Reference of the provider",
  fee: "Fee per purchase, in minor units",
  fields: "Fields of the request",
  fixed: "Amount of a FIXED offer, in minor units",
  fx: "Rate of a RANGE offer: delivered = amount × fx, in major units",
  iccid: "ICCID of the eSIM",
  imageBase64: "Picture in base64",
  inputMask: "Input mask: 9 is a digit, a is a letter, * is either; empty is free text",
  inputMasks: "Input masks of required fields",
  instructions: "Instructions for the customer",
  label: "Label of the field on a form",
  language: "ISO 639-1 code of the text's language",
  link: "URL of the instructions",
  list: "Records of this page",
  log: "Log entries, oldest first",
  max: "Maximum of a RANGE offer, in minor units",
  maxValue: "Maximum amount of the promotion, in minor units; 0 if unlimited",
  message: "Message for people",
  min: "Minimum of a RANGE offer, in minor units",
  minValue: "Minimum amount of the promotion, in minor units",
  name: "Name of the file",
  notes: "Description of the product",
  offerId: "Id of the offer",
  price: "Amount that the customer pays, including fees, in minor units",
  priceBase: "Price without fees, in minor units",
  priceCurrency: "ISO 4217 code of the price",
  priceCurrencyDivisor: "Divisor of amounts in priceCurrency for display",
  priceFee: "Fees included in the price, in minor units",
  priceFx: "Rate of the price: delivered = price × priceFx, in major units",
  processingDays: "Days on which payments are processed",
  processingOnHolidays: "True if payments are processed on public holidays",
  productType: "Product type",
  recipientCustomerServiceNumber: "Customer service number for the recipient; may be empty",
  recipientPhoneNumber: "Topped-up phone number, E.164",
  recordedAt: "Time of the log entry",
  redemptionInstructions: "Instructions for use",
  redemptionUrl: "URL for redemption; empty if there is none",
  redemptionVideo: "URL of a video; empty if there is none",
  reportId: "Id of the report",
  regions: "Regions of the offer",
  remainingDataGB: "Remaining gigabytes; 0 if unlimited",
  requiredField: "Name of the field",
  requiredFieldsLabels: "Labels of required fields on a form",
  send: "Delivered amount, in minor units",
  sendCurrency: "ISO 4217 code of the delivered amount",
  sendCurrencyDivisor: "Divisor of amounts in sendCurrency for display",
  senderCustomerServiceNumber: "Customer service number for the sender; may be empty",
  shortNotes: "Short description of the product",
  smdpAddress: "Address of the profile's SM-DP+ server",
  smsNumber: "Included messages",
  smsUnlimited: "True if messages are unlimited",
  startAt: "Start time",
  startGte: "Start of the period, inclusive",
  statusMessage: "Log message for people",
  subTypes: "Subtypes of the product",
  suggestedFixed: "Suggested price of a FIXED offer, in minor units",
  suggestedFx: "Suggested rate of a RANGE offer",
  supportsBillRetrieval: "True if the amount due can be retrieved from the biller",
  supportsOverpayment: "True if more than the amount due can be paid",
  supportsUnderpayment: "True if less than the amount due can be paid",
  terms: "Terms for the customer",
  total: "Total number of records",
  transactionTime: "Time of the transaction at the provider",
  unlimited: "True if data is unlimited",
  updatedAt: "Time of the last change",
  voiceMinutes: "Included minutes",
  voiceUnlimited: "True if calls are unlimited",
  voucherId: "Voucher id of the provider",
  "BillPayPurchaseInput.fields": "Values of the offer's required fields",
  "VoucherPurchaseInput.fields": "Values of the offer's required fields",
  "BrandDetail.redemptionInstructions": "Redemption instructions by country and language",
  "Promo.id": "Id of the promotion",
  "PurchaseValue.type":
    "Kind of value: PRICE is paid by the customer, COST by the wallet, ZEND is delivered",
  "PurchaseValue.value": "Amount in minor units of the currency of its kind",
  "TransactionError.description": "Details of the error",
  "VoucherReceipt.send": "Face value, in minor units of its currency",
  "EsimPlan.status": "ACTIVE is in use, QUEUED waits for the plans before it",
};

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
 * Completes the description generated from the routes' schemas: adds texts, examples, headers,
 * error codes, price types, webhooks, and `components`. Validation and responses do not change.
 */
export function completeDocument(document: Document, webhooks: object): Document {
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
    webhooks,
    components: {
      ...document.components,
      headers: HEADERS,
      responses: describeSharedErrors(),
      schemas: Object.fromEntries(named),
    },
  } as Document;
}

function byTag({ paths, tags = [] }: Document): Document["paths"] {
  const names = tags.map(({ name }) => name);
  const rankOf = (operations: Record<string, Operation>) =>
    names.indexOf(Object.values(operations)[0]?.tags?.[0] ?? "");
  const ranked = Object.entries(paths).sort(([, a], [, b]) => rankOf(a) - rankOf(b));
  return Object.fromEntries(ranked);
}

const FAILURES = [...FAILURE_CODES, ...OTHER_FAILURE_CODES];

function nameCodes(schemas: Map<string, Schema>): void {
  for (const [title, record, field, codes, description] of [
    ["ErrorCode", "ErrorBody", "errorCode", ERROR_CODES, "Error code of a request"],
    [
      "FailureCode",
      "TransactionError",
      "code",
      FAILURES,
      "Error code of a failed purchase, refund or report",
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
    // Descriptions start in lower case, because error messages use them after "must be".
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

/** Key with which an operation declares entity tags; see `catalog-answers.ts`. */
export const TAGGED = "x-tagged";

function describeSuccess(response: Response): Response {
  const content = response.content ?? {};
  for (const media of Object.values(content)) {
    delete media.examples;
    const { anyOf, format } = media.schema ?? {};
    if (anyOf) media.examples = Object.fromEntries(anyOf.map(toNamedExample));
    else if (media.schema && format !== "binary") media.example = exampleOf(media.schema);
  }
  return { ...response, headers: ANSWER_HEADERS, content };
}

function toNamedExample(schema: Schema): [string, { value: unknown }] {
  return [schema.title ?? "example", { value: exampleOf(schema) }];
}

function badRequestOf(operation: Operation, response: Response) {
  const { [REFUSALS]: refusals = [], ...schema } =
    response.content?.["application/json"]?.schema ?? {};
  return describeBadRequest(schema, refusals, exampleFault(operation));
}

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
 * Moves schemas with a title to `schemas`, and replaces them with references.
 * @throws Error if two different schemas have the same title, which is a bug
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
  // A schema from a parameter has no description, so a later schema with a description replaces it.
  if (!known?.description) schemas.set(title, node);
  return { $ref: `#/components/schemas/${title}` };
}

function bare({ description: _words, examples: _samples, ...schema }: Schema): object {
  return schema;
}

/**
 * Describes the fields of the schemas. A reference gets the description of its target.
 * @throws Error if a field has no description
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
    throw new Error(`describe in FIELD_WORDS: ${missing.join(", ")}`);
  }
}

function describeOperation(operation: { operationId?: string; description?: string }): void {
  const { operationId = "" } = operation;
  const words = operation.description ?? OPERATION_WORDS[operationId];
  if (!words) throw new Error(`describe in OPERATION_WORDS: ${operationId}`);
  operation.description = words;
}
