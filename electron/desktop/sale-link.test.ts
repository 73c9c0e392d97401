import { expect, test } from "vitest";
import { linkAmong, readSaleLink } from "./sale-link.ts";

const ID = "0b6f2c1e-7a3d-4c55-9e1f-2a4b6c8d0e1f";

test("readSaleLink reads a sale's number or id", () => {
  expect(readSaleLink("tillgate://sale/42")).toEqual({ number: "42" });
  expect(readSaleLink("tillgate:sale/42/")).toEqual({ number: "42" });
  expect(readSaleLink(`tillgate://sale/${ID.toUpperCase()}`)).toEqual({ saleId: ID });
  expect(linkAmong(["/opt/tillgate", "--kiosk", "tillgate://sale/7"])).toEqual({ number: "7" });
});

test.each([
  "tillgate://sale/",
  "tillgate://sale/0",
  "tillgate://sale/1234567890",
  "tillgate://sale/42?refund=1",
  "tillgate://sale/42#/office",
  "tillgate://sale/42/refund",
  "tillgate://sale/../office",
  "tillgate://sale/%34%32",
  "tillgate://user@sale/42",
  "tillgate://refund/42",
  "tillgate://sale/42 --inspect",
  "tillgate://sale/42\ntillgate://sale/43",
  "https://sale/42",
  "javascript:alert(1)",
  "",
])("rejects %j as a link", (text) => {
  expect(readSaleLink(text)).toBeUndefined();
});
