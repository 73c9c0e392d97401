import type { BillPayPurchaseInput } from "../contract/v1/billpay-purchases.ts";
import type { EsimPurchaseInput } from "../contract/v1/esim-purchases.ts";
import type { ReportInput } from "../contract/v1/reports.ts";
import type { TopupPurchaseInput } from "../contract/v1/topup-purchases.ts";
import type { VoucherPurchaseInput } from "../contract/v1/voucher-purchases.ts";
import recorded from "./record-samples.json" with { type: "json" };

/** Responses of the simulator, which `npm run openapi:write` records. Keys: schema titles. */
export const RECORD_SAMPLES: Readonly<Record<string, unknown>> = recorded;

interface NamedSample<T> {
  summary: string;
  value: T;
}
type Samples<T> = Readonly<Record<string, NamedSample<T>>>;

/**
 * Requests that succeed in the sandbox. Keys: titles of the body's schema. All other bodies are
 * composed of the examples of their fields.
 */
export const REQUEST_SAMPLES: Readonly<Record<string, Samples<unknown>>> = {
  TopupPurchaseInput: {
    fixed: {
      summary: "A FIXED offer",
      value: {
        offerId: "TIGO_GT_TOPUP_25",
        transactionId: "order-1",
        recipientPhoneNumber: "+50251234567",
      },
    },
    range: {
      summary: "A RANGE offer, by what is delivered",
      value: {
        offerId: "TIGO_GT_TOPUP_RANGE",
        transactionId: "order-2",
        recipientPhoneNumber: "+50251234567",
        sender: { country: "US", phoneNumber: "+12025550123" },
        value: { type: "ZEND", value: 5000 },
      },
    },
  } satisfies Samples<TopupPurchaseInput>,
  VoucherPurchaseInput: {
    electricity: {
      summary: "Electricity for a meter",
      value: {
        offerId: "ESKOM_ZA_ELECTRICITY_RANGE",
        transactionId: "order-3",
        fields: [
          { key: "meter.number", value: "01234567890" },
          { key: "recipient.msisdn", value: "+27821234567" },
        ],
        value: { type: "ZEND", value: 10000 },
      },
    },
  } satisfies Samples<VoucherPurchaseInput>,
  EsimPurchaseInput: {
    "new": {
      summary: "A new eSIM",
      value: { offerId: "AIRALO_ES_1GB_7D", transactionId: "order-4" },
    },
    added: {
      summary: "A plan added to an eSIM",
      value: {
        offerId: "AIRALO_ES_1GB_7D",
        transactionId: "order-6",
        iccid: "89002093471483837457",
      },
    },
  } satisfies Samples<EsimPurchaseInput>,
  BillPayPurchaseInput: {
    water: {
      summary: "A water bill",
      value: {
        offerId: "AYSA_AR_BILL_WATER",
        transactionId: "order-5",
        fields: [
          { key: "accountNumber", value: "30001234567" },
          { key: "billIdentifier", value: "202601" },
        ],
        value: { type: "ZEND", value: 6066500 },
      },
    },
  } satisfies Samples<BillPayPurchaseInput>,
  ReportInput: {
    month: {
      summary: "A month",
      value: { startGte: "2026-01-01T00:00:00Z", endLt: "2026-02-01T00:00:00Z" },
    },
  } satisfies Samples<ReportInput>,
};

export interface Schema {
  $ref?: string;
  title?: string;
  description?: string;
  type?: string;
  format?: string;
  pattern?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  discriminator?: { propertyName: string; mapping: Record<string, string> };
  additionalProperties?: Schema | boolean;
}

/**
 * Returns the recorded example for the title, else the schema's own example, else a composition of
 * its parts' examples. Optional fields without an example are omitted.
 */
export function exampleOf(schema: Schema): unknown {
  const { title, examples, anyOf, type } = schema;
  if (title !== undefined && title in RECORD_SAMPLES) return RECORD_SAMPLES[title];
  if (examples) return examples[0];
  if ("const" in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (anyOf?.[0]) return exampleOf(anyOf[0]);
  switch (type) {
    case "object":
      return exampleOfObject(schema);
    case "array":
      return schema.items ? [exampleOf(schema.items)] : [];
    case "integer":
    case "number":
      return 0;
    case "boolean":
      return false;
    default:
      return schema.format === "date-time" ? "2026-01-15T09:30:00.000Z" : "";
  }
}

function exampleOfObject({ properties = {}, required = [] }: Schema): unknown {
  const shown = Object.entries(properties).filter(
    ([name, property]) => required.includes(name) || property.examples !== undefined,
  );
  return Object.fromEntries(shown.map(([name, property]) => [name, exampleOf(property)]));
}
