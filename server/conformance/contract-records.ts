import type { ShapeOfObject } from "./record-shape.ts";

/**
 * Records of wallet, numbers, reports and pages in `/v1`, written by hand (rules#v1-only-grows).
 */

export const ERROR = { code: "text", description: "text", message: "text" } as const;

export const BALANCE: ShapeOfObject = {
  availableBalance: "integer",
  currency: "text",
  "currencyDivisor+": "integer",
};

export const PHONE_LOOKUP: ShapeOfObject = {
  msisdn: "text",
  brand: "text",
  country: "text",
  mobileCountryCode: "text",
  mobileNetworkCode: "text",
};

export const REPORT: ShapeOfObject = {
  reportId: "text",
  status: "text",
  createdAt: "time",
  updatedAt: "time",
  period: { startGte: "time", endLt: "time" },
  "file?": { name: "text", downloadUrl: "text" },
  "error?": ERROR,
  log: [{ message: "text", recordedAt: "time", status: "text" }],
};

export function pageOf(record: ShapeOfObject): ShapeOfObject {
  return { limit: "integer", offset: "integer", total: "integer", list: [record] };
}
