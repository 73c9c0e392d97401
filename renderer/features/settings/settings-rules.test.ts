import { expect, it } from "vitest";
import { megabytes, readAddresses, readMinutes } from "./settings-rules.ts";
import { viewOf } from "./settings-views.ts";

it("reads the addresses of a key by line and comma, and none as any", () => {
  expect(readAddresses(" 10.0.0.1\n\n192.168.1.0/24 , ::1 ")).toEqual([
    "10.0.0.1",
    "192.168.1.0/24",
    "::1",
  ]);
  expect(readAddresses(" \n")).toEqual([]);
});

it("takes minutes of the idle lock in any digits, up to two hours", () => {
  expect([readMinutes("0"), readMinutes("١٥"), readMinutes("120")]).toEqual([0, 15, 120]);
  expect([readMinutes("121"), readMinutes(""), readMinutes("1.5")]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it("says sizes in tenths of a megabyte", () => {
  expect([megabytes(0), megabytes(1_449_999), megabytes(600_000_000)]).toEqual([0, 1.4, 600]);
});

it("opens the first page for an address that names none", () => {
  expect([viewOf({}), viewOf({ view: "nowhere" }), viewOf({ view: "mail" })]).toEqual([
    "shop",
    "shop",
    "mail",
  ]);
});
