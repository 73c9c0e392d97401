/**
 * Sells each family by touch only, in one of a till's window sizes; with `LOOKS=every`, in each
 * size. Every step takes the picture `artifacts/screens/every-size/<width>/<family>-<number of the
 * step>.png`.
 */
import type { Locator, Page } from "@playwright/test";
import { CLERK, expect, test } from "./fixtures.ts";
import { Touch } from "./pages/touch.ts";
import { waitForFades } from "./support/fades.ts";
import { findLayoutFaults } from "./support/layout-faults.ts";
import { layoutShifts } from "./support/layout-shift.ts";
import { tile } from "./support/look-shop.ts";
import { isEveryLook } from "./support/looks.ts";
import { SIZES } from "./support/sizes.ts";

const taken = new WeakMap<Page, number>();

async function takePicture(page: Page): Promise<void> {
  const step = (taken.get(page) ?? 0) + 1;
  taken.set(page, step);
  const { title } = test.info();
  const family = (/^sells (.+) for cash/.exec(title)?.[1] ?? title).replaceAll(/\W+/g, "-");
  const width = page.viewportSize()?.width;
  await page.screenshot({ path: `artifacts/screens/every-size/${width}/${family}-${step}.png` });
}

/**
 * Expects that nothing is cut, covered, too small or wider than the window, and that no key is
 * named.
 */
async function expectFaultless(page: Page, step: string): Promise<void> {
  await takePicture(page);
  expect.soft(await page.evaluate(findLayoutFaults), step).toEqual([]);
  await expect.soft(page.locator("[data-key]").filter({ visible: true }), step).toHaveCount(0);
  const said = await page.locator("body").innerText();
  expect.soft(said, step).not.toMatch(/\b(?:F\d{1,2}|Enter|Esc|keys?)\b|\b(?:Alt|Ctrl)\+/);
}

async function expectNext(touch: Touch, step: string): Promise<void> {
  await expect(touch.next).toBeInViewport({ ratio: 1 });
  await waitForFades(touch.page);
  // A new step may replace the button during the check.
  const isFree = () =>
    touch.next.evaluate((button) => {
      const { left, right, top, bottom } = button.getBoundingClientRect();
      return button.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
    });
  await expect.poll(isFree, `the primary button, ${step}`).toBe(true);
  await expectFaultless(touch.page, step);
}

async function choose(touch: Touch, what: Locator, step: string): Promise<void> {
  await expect(what).toBeVisible();
  await expectNext(touch, step);
  await what.tap();
}

async function goOn(touch: Touch, step: string): Promise<void> {
  await expect(touch.next).toBeEnabled();
  await expectNext(touch, step);
  await touch.next.tap();
}

async function typeNumber(touch: Touch): Promise<void> {
  await touch.type("+50251234567");
  await expect(touch.page.getByText("Tigo · detected")).toBeVisible();
  await goOn(touch, "the number");
}

async function chooseOffer(touch: Touch, tab: string): Promise<void> {
  await typeNumber(touch);
  await touch.main.getByRole("tab", { name: tab, exact: true }).tap();
  await choose(touch, tile(touch.page, 1), `the offers, ${tab}`);
}

interface Family {
  readonly family: string;
  readonly choose: (touch: Touch) => Promise<void>;
  /** Recipient, product and price that the payment must show. */
  readonly told: readonly (string | RegExp)[];
  /** Heading of the result; "Delivered" by default. */
  readonly result?: string;
}

const FAMILIES: readonly Family[] = [
  {
    family: "a top-up",
    choose: (touch) => chooseOffer(touch, "Top-up"),
    told: ["+502 5123 4567", /Tigo 5 GTQ/, "Q 5.43"],
  },
  {
    family: "a bundle",
    choose: (touch) => chooseOffer(touch, "Bundle"),
    told: ["+502 5123 4567", /^Tigo/, /Q\s\d/],
  },
  {
    family: "data",
    choose: (touch) => chooseOffer(touch, "Data"),
    told: ["+502 5123 4567", /^Tigo/, /Q\s\d/],
  },
  {
    family: "a gift card",
    choose: async (touch) => {
      await touch.open("Gift card");
      await choose(touch, touch.main.getByRole("button", { name: /PedidosYa/ }), "the brands");
      await expect(touch.page.getByRole("heading", { name: "Choose a product" })).toBeVisible();
      await choose(touch, tile(touch.page, 1), "the cards");
    },
    told: ["PedidosYa", /Q\s\d/],
  },
  {
    family: "a voucher for electricity, found by its name",
    choose: async (touch) => {
      await touch.open("Gift card");
      await expect(tile(touch.page, 1)).toBeVisible();
      await touch.write(touch.page.getByPlaceholder("Search gift cards"), "abuja");
      await expectNext(touch, "the search");
      await goOn(touch, "the brand that was found");
      await choose(touch, tile(touch.page, 1), "the amounts");
      await expect(touch.main.getByRole("heading", { name: /meter/i })).toBeVisible();
      await touch.type("54150011223");
      await goOn(touch, "the meter");
      await expect(touch.main.getByRole("heading", { name: /mobile number/ })).toBeVisible();
      await touch.type("2348031234567");
      await goOn(touch, "the mobile number");
    },
    told: [/Abuja/, /Q\s\d/],
  },
  {
    family: "an eSIM",
    choose: async (touch) => {
      await touch.open("eSIM");
      await expect(tile(touch.page, 1)).toBeVisible();
      await touch.write(touch.page.getByPlaceholder("Search country or region"), "spain");
      await goOn(touch, "the country");
      await choose(touch, tile(touch.page, 1), "the plans");
      await expect(touch.page.getByText("*#06#")).toBeVisible();
      await goOn(touch, "the telephone");
    },
    told: [/Spain/, /GB/, /Q\s\d/],
  },
  {
    family: "a bill",
    choose: async (touch) => {
      await touch.open("Pay a bill");
      await choose(touch, touch.main.getByRole("button", { name: /EEGSA/ }), "the billers");
      const account = touch.page.getByRole("textbox", { name: "Account number" });
      await touch.write(account, "30001234567");
      await goOn(touch, "the account");
      await expect(touch.page.getByText("Amount due")).toBeVisible();
      await goOn(touch, "what is due");
    },
    told: ["30001234567", /EEGSA/, /Q\s\d/],
    result: "Paid",
  },
];

for (const [place, { device, width, height }] of SIZES.entries()) {
  test.describe(`${device}, ${width} × ${height}`, () => {
    test.use({ hasTouch: true, viewport: { width, height } });

    const families = FAMILIES.filter((_, at) => isEveryLook || at % SIZES.length === place);
    for (const { family, choose: chooseIt, told, result = "Delivered" } of families) {
      test(`sells ${family} for cash with change`, async ({ page, shop }) => {
        const touch = new Touch(page);
        const panel = page.locator("[data-counter]");
        await touch.signIn(shop.url, CLERK.name, CLERK.pin);
        await expect(touch.next).toBeVisible();
        await expectNext(touch, "the empty field");
        await chooseIt(touch);

        await touch.expectToldWhatIsPaid(...told);
        await expectNext(touch, "the confirm step");
        const notes = page.getByRole("group", { name: "Cash received" }).getByRole("button");
        await notes.last().tap();
        await touch.expectToldWhatIsPaid(...told);
        // Allows a small shift: the primary button's text moves when it names the found offer.
        const { sum, told: jumps } = await layoutShifts(page);
        expect(sum, jumps.join("\n")).toBeLessThan(0.001);
        await goOn(touch, "the cash");

        const outcome = panel.getByRole("heading", { name: result, exact: true });
        await expect(outcome).toBeInViewport();
        await expect(panel.getByText("Give change")).toBeVisible();
        const print = panel.getByRole("button", { name: "Print receipt" });
        await expect(print).toBeInViewport({ ratio: 1 });
        await expectNext(touch, "the receipt");
      });
    }
  });
}
