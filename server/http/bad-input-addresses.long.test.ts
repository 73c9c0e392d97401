import { describe } from "vitest";
import { FIXED, INVALID, startBadInput } from "../testing/bad-input.ts";

const input = startBadInput();
const { check } = input;

describe("a bad query", () => {
  const LISTS = ["/v1/topups/purchases", "/v1/transactions", "/v1/topups/offers"];
  const PAGING: [name: string, query: string, fields: string[]][] = [
    ["nothing", "", ["_limit", "_offset"]],
    ["_limit missing", "_offset=0", ["_limit"]],
    ["_offset missing", "_limit=1", ["_offset"]],
    ["_limit 0", "_limit=0&_offset=0", ["_limit"]],
    ["_limit -1", "_limit=-1&_offset=0", ["_limit"]],
    ["_limit 1025", "_limit=1025&_offset=0", ["_limit"]],
    ["_limit ten", "_limit=ten&_offset=0", ["_limit"]],
    ["_limit 1.5", "_limit=1.5&_offset=0", ["_limit"]],
    ["_limit empty", "_limit=&_offset=0", ["_limit"]],
    ["_limit twice", "_limit=1&_limit=2&_offset=0", ["_limit"]],
    ["_limit NaN", "_limit=NaN&_offset=0", ["_limit"]],
    ["_limit Infinity", "_limit=Infinity&_offset=0", ["_limit"]],
    ["_limit in hexadecimal", "_limit=0x10&_offset=0", ["_limit"]],
    ["_limit with an exponent", "_limit=1e2&_offset=0", ["_limit"]],
    ["_limit with a space", "_limit=%205&_offset=0", ["_limit"]],
    ["_limit with a plus", "_limit=%2B5&_offset=0", ["_limit"]],
    ["_limit as a list", "_limit[]=1&_offset=0", ["_limit", "_limit[]"]],
    ["_offset -1", "_limit=1&_offset=-1", ["_offset"]],
    ["_offset x", "_limit=1&_offset=x", ["_offset"]],
    ["_offset 2^53", "_limit=1&_offset=9007199254740992", ["_offset"]],
    ["_offset twice", "_limit=1&_offset=0&_offset=0", ["_offset"]],
    ["an unknown parameter", "_limit=1&_offset=0&page=2", ["page"]],
  ];
  check(
    LISTS.flatMap((path) =>
      PAGING.map(([name, query, fields]) => ({
        name: `${path}: ${name}`,
        path: `${path}?${query}`,
        ...INVALID,
        fields,
      })),
    ),
  );

  const FILTERS: [path: string, filter: string, values: string[]][] = [
    ["/v1/topups/purchases", "status", ["", "done", "DONE,FAILED", "OPEN", "DONE&status=FAILED"]],
    ["/v1/transactions", "status", ["", "done", "ACTIVE"]],
    ["/v1/transactions", "type", ["", "debit", "CARD"]],
    [
      "/v1/transactions",
      "productType",
      ["", "topup", "RECHARGE_SANDBOX", "RECHARGE_WITH_CREDIT_CARD", "CASH"],
    ],
    ["/v1/topups/offers", "country", ["", "gt", "GTM", "G1", "%00"]],
    ["/v1/topups/offers", "regions", ["", "global", "Central%20america", "Europe"]],
    ["/v1/topups/offers", "subType", ["", "mobile top up", "Mobile%20SMS"]],
    ["/v1/topups/offers", "brand", ["", "x".repeat(129)]],
  ];
  check(
    FILTERS.flatMap(([path, filter, values]) =>
      values.map((value) => ({
        name: `${path}: ${filter}=${value.slice(0, 30)}`,
        path: `${path}?_limit=1&_offset=0&${filter}=${value.replaceAll(" ", "%20")}`,
        ...INVALID,
        fields: [filter],
      })),
    ),
  );

  const TIMES = [
    "",
    "gte",
    "2026-01-15",
    "2026-01-15T09:30Z",
    "2026-01-15T09:30:00",
    "2026-01-15T09:30:00+01:00",
    "2026-01-15T09:30:00.Z",
    "2026-01-15t09:30:00",
    "2026-01-15 09:30:00Z",
    "eq2026-01-15T09:30:00Z",
    "GTE2026-01-15T09:30:00Z",
    ">2026-01-15T09:30:00Z",
    "gte 2026-01-15T09:30:00Z",
    "2026-02-30T00:00:00Z",
    "lt2026-02-30T00:00:00Z",
    "2025-02-29T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-00-10T00:00:00Z",
    "2026-01-32T00:00:00Z",
    "2026-01-15T24:00:00Z",
    "2026-01-15T09:60:00Z",
    "2026-01-15T09:30:60Z",
    "2026-01-15T09:30:00.1234567890Z",
    "1768469400000",
    "2026-01-15T09:30:00Z'--",
  ];
  check(
    ["/v1/topups/purchases", "/v1/transactions"].flatMap((path) =>
      TIMES.map((time) => ({
        name: `${path}: createdAt ${time}`,
        path: `${path}?_limit=1&_offset=0&createdAt=${encodeURIComponent(time)}`,
        ...INVALID,
        fields: ["createdAt"],
      })),
    ),
  );
});

describe("a bad path", () => {
  check([
    { name: "an unknown route", path: "/v1/nothing", status: 404, errorCode: "NOT_FOUND" },
    { name: "an unknown version", path: "/v2/balance", status: 404, errorCode: "NOT_FOUND" },
    { name: "an unknown route of the till", path: "/pos/x", status: 404, errorCode: "NOT_FOUND" },
    {
      name: "an unknown offer",
      path: "/v1/topups/offers/NO_SUCH_OFFER",
      status: 404,
      errorCode: "NOT_FOUND",
    },
    {
      name: "an offer named like a part of the language",
      path: "/v1/topups/offers/__proto__",
      status: 404,
      errorCode: "NOT_FOUND",
    },
    {
      name: "an unknown purchase",
      path: "/v1/topups/purchases/nobody",
      status: 404,
      errorCode: "NOT_FOUND",
    },
    {
      name: "an unknown transaction",
      path: "/v1/transactions/nobody",
      status: 404,
      errorCode: "NOT_FOUND",
    },
    {
      name: "a transaction id that is none",
      path: "/v1/transactions/a%20b",
      ...INVALID,
      fields: ["transactionId"],
    },
    {
      name: "a NUL in the path",
      path: "/v1/transactions/a%00b",
      ...INVALID,
      fields: ["transactionId"],
    },
    {
      name: "an offer id of 129 characters",
      path: `/v1/topups/offers/${"x".repeat(129)}`,
      ...INVALID,
      fields: ["offerId"],
    },
    {
      name: "a path part of 5,000 characters",
      path: `/v1/topups/offers/${"x".repeat(5_000)}`,
      ...INVALID,
      fields: ["path"],
    },
    {
      name: "a path that cannot be decoded",
      path: "/v1/transactions/%E0%A4%A",
      ...INVALID,
      fields: ["path"],
    },
    {
      name: "a percent sign alone",
      path: "/v1/transactions/%",
      ...INVALID,
      fields: ["path"],
    },
    {
      name: "DELETE of a purchase",
      method: "DELETE",
      path: "/v1/topups/purchases/used",
      status: 405,
      errorCode: "METHOD_NOT_ALLOWED",
      allow: "GET, HEAD",
    },
    {
      name: "PUT on the purchases",
      method: "PUT",
      body: FIXED,
      status: 405,
      errorCode: "METHOD_NOT_ALLOWED",
      allow: "GET, HEAD, POST",
    },
    {
      name: "POST on the balance",
      path: "/v1/balance?x=1",
      body: {},
      status: 405,
      errorCode: "METHOD_NOT_ALLOWED",
      allow: "GET, HEAD",
    },
    {
      name: "OPTIONS",
      method: "OPTIONS",
      path: "/v1/transactions",
      status: 405,
      errorCode: "METHOD_NOT_ALLOWED",
      allow: "GET, HEAD",
    },
    {
      name: "a method that nobody has",
      method: "PROPFIND",
      path: "/v1/transactions",
      status: 405,
      errorCode: "METHOD_NOT_ALLOWED",
      allow: "GET, HEAD",
    },
  ]);
});
