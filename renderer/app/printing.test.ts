import { beforeEach, expect, it, vi } from "vitest";
import { changePrintSettings } from "../lib/print-settings.ts";
import { newQueryClient } from "../lib/testing/reset-page.ts";
import { printSaleReceipt } from "./printing.ts";

const PRINTER = { printerId: "p1", name: "Counter", host: "192.168.1.50", port: 9100 };

let asked: string[] = [];
let printers: object[] = [];

beforeEach(() => {
  asked = [];
  printers = [PRINTER];
  vi.stubGlobal("fetch", async (path: string, init?: RequestInit) => {
    asked.push(`${init?.method ?? "GET"} ${path.split("?")[0]}`);
    if (path.endsWith("/printers")) return Response.json({ list: printers });
    return Response.json({ errorCode: "NOT_FOUND", errorMessage: "gone" }, { status: 404 });
  });
  vi.stubGlobal("print", () => asked.push("the system's printer"));
  changePrintSettings({ printerId: "p1" });
});

it("a till whose printer was removed prints nothing", async () => {
  printers = [];
  const print = printSaleReceipt(newQueryClient(), () => Promise.resolve(undefined), "s1");
  await expect(print).rejects.toMatchObject({ reason: "PRINTER_GONE", begun: false });
  expect(asked).toEqual(["GET /pos/printers"]);
});

it("each attempt to print is recorded separately", async () => {
  for (const _try of [1, 2]) {
    const print = printSaleReceipt(newQueryClient(), () => Promise.resolve(undefined), "s1");
    await expect(print).rejects.toMatchObject({ errorCode: "NOT_FOUND" });
  }
  expect(asked.filter((one) => one === "POST /pos/sales/s1/prints")).toHaveLength(2);
});
