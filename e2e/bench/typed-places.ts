import type { Page } from "@playwright/test";

export interface TypedPlace {
  readonly what: string;
  readonly field: string;
  readonly typed: readonly string[];
  open(page: Page): Promise<void>;
}

const PALETTE_FIELD = "[data-palette-field]";
const STEP_FIELD = "main section input[type=text]";
const main = (page: Page) => page.getByRole("main");

function picker(key: string, what: string, typed: readonly string[]): TypedPlace {
  return {
    what: `the picker of ${what}`,
    field: STEP_FIELD,
    typed,
    async open(page) {
      await page.keyboard.press(key);
      await main(page).getByRole("button").first().waitFor();
    },
  };
}

export const TYPED_PLACES: readonly TypedPlace[] = [
  {
    what: "the till's search",
    field: PALETTE_FIELD,
    typed: ["tigo guatemala", "50", "claro data", "mexico 100", "bundle 7 days", "zain", "airtel"],
    async open(page) {
      await page.keyboard.press("Control+k");
      await page.locator(PALETTE_FIELD).fill("tigo");
      await page.getByRole("option", { name: /Tigo/ }).first().waitFor();
    },
  },
  {
    ...picker("F2", "voucher brands", ["amazon", "steam", "google play", "netflix"]),
    async open(page) {
      await page.locator(PALETTE_FIELD).press("Escape");
      await page.keyboard.press("F2");
      await main(page).getByRole("button").first().waitFor();
    },
  },
  picker("F3", "eSIM destinations", ["spain", "united", "europe", "japan"]),
  picker("F4", "billers", ["electric", "water", "luz", "telecom"]),
  {
    what: "a required field",
    field: STEP_FIELD,
    typed: ["Maria Fernanda", "Juan Carlos"],
    async open(page) {
      await page.keyboard.press("F2");
      await page.locator(STEP_FIELD).fill("walmart");
      await page.keyboard.press("Enter");
      await main(page)
        .getByRole("button", { name: /Q 50\b/ })
        .click();
      await page.getByRole("textbox", { name: "Recipient’s first name" }).waitFor();
    },
  },
  {
    what: "the number of a top-up",
    field: STEP_FIELD,
    typed: ["50251234567", "5215512345678", "34612345678"],
    async open(page) {
      await page.keyboard.press("F1");
      await page.locator(STEP_FIELD).waitFor();
    },
  },
  {
    what: "the one field, where words are typed",
    field: STEP_FIELD,
    typed: ["netflix 50", "spain esim 5gb", "amazon", "claro data"],
    open: (page) => page.locator(STEP_FIELD).fill(""),
  },
  {
    what: "an amount",
    field: STEP_FIELD,
    typed: ["33.5", "120", "75.25"],
    async open(page) {
      await page.locator(STEP_FIELD).fill("50251234567");
      await page.keyboard.press("Enter");
      await main(page)
        .getByRole("button", { name: /Other amount/ })
        .click();
      await page.locator(STEP_FIELD).waitFor();
    },
  },
  {
    what: "the cash that is handed over",
    field: "aside input[inputmode=decimal]",
    typed: ["100", "80.50", "200"],
    async open(page) {
      await page.getByRole("button", { name: /Continue with Q/ }).click();
      await page.getByRole("button", { name: /Take payment/ }).waitFor();
    },
  },
];
