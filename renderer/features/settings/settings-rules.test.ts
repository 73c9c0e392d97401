import { expect, it } from "vitest";
import { viewOf } from "./components/settings-screen.tsx";
import { megabytes, readAddresses, readMinutes } from "./settings-rules.ts";

it("lines and commas separate a key's allowed addresses, and an empty list allows all addresses", () => {
  expect(readAddresses(" 10.0.0.1\n\n192.168.1.0/24 , ::1 ")).toEqual([
    "10.0.0.1",
    "192.168.1.0/24",
    "::1",
  ]);
  expect(readAddresses(" \n")).toEqual([]);
});

it("the minutes of the idle lock may use digits of any script, and must not exceed two hours", () => {
  expect([readMinutes("0"), readMinutes("١٥"), readMinutes("120")]).toEqual([0, 15, 120]);
  expect([readMinutes("121"), readMinutes(""), readMinutes("1.5")]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it("file sizes are rounded to tenths of a megabyte", () => {
  expect([megabytes(0), megabytes(1_449_999), megabytes(600_000_000)]).toEqual([0, 1.4, 600]);
});

it("an address that names no page opens the first page", () => {
  expect([viewOf({}), viewOf({ view: "nowhere" }), viewOf({ view: "mail" })]).toEqual([
    "shop",
    "shop",
    "mail",
  ]);
});
