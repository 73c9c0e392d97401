import { expect, it } from "vitest";
import type { ListDraft } from "./list-draft.ts";
import { keepDraft, readKeptDraft } from "./use-list-draft.ts";

const list = { rules: [], taxes: {}, fxBufferPercent: "0", driftAlertPercent: "2" } as never;
const DRAFT: ListDraft = { base: { version: 3, list }, list };

it("unsaved changes are stored for each environment until they are discarded", () => {
  keepDraft("test", DRAFT);
  expect(readKeptDraft("test")).toEqual(DRAFT);
  expect(readKeptDraft("live")).toBeUndefined();
  keepDraft("test", undefined);
  expect(readKeptDraft("test")).toBeUndefined();
});

it.each(["nothing", "{", "null", "{}", '{"form":0,"draft":{}}', '{"form":1,"draft":{"base":{}}}'])(
  "a stored draft that is no valid list is discarded: %s",
  (text) => {
    localStorage.setItem("tillgate.price-list.test", text);
    expect(readKeptDraft("test")).toBeUndefined();
  },
);
