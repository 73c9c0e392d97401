/**
 * Makes the first live sale of a shop, using only the pages. The provider is a second gateway. Also
 * takes the pictures for the owner's guide.
 */
import type { Locator, Page } from "@playwright/test";
import { startMailServer } from "../server/testing/mail-server.ts";
import { expect, test } from "./fixtures.ts";
import { Counter } from "./pages/counter.ts";
import { payBill, sellEsim, sellVoucher } from "./pages/each-family.ts";
import { GoingLive } from "./pages/going-live.ts";
import { Shift } from "./pages/shift.ts";
import { SignIn, typeOwnPin } from "./pages/sign-in.ts";
import { catchPrints } from "./support/browser-prints.ts";
import { takePicture } from "./support/pictures.ts";
import { type Provider, sellLive, startProvider } from "./support/provider.ts";
import { endShop } from "./support/shop-process.ts";

const OWNER = { name: "Rosa", firstPin: "471183", pin: "603914" };
const CLERK = { name: "Ana", given: "739154", pin: "2583" };
const BRANDS = ["TIGO", "CEMACO", "AIRALO", "EEGSA"];
const OWN_NUMBER = "+502 5123 4567";
const CUSTOMER = "53004001";

test("an owner makes the first live sale after the first start, using only the pages", async ({
  freshData,
  newMachine,
  page,
}) => {
  test.setTimeout(300_000);
  page.setDefaultTimeout(20_000);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  const provider = await sellLive(await startProvider(freshData, BRANDS));
  await page.goto(newMachine.url);

  await test.step("the owner sets up the shop", () => setUpByHand(page));
  await test.step("the owner practises selling and closes the shift", () => practise(page));
  await test.step("the page lists the required steps", () => seeWhatIsMissing(page));
  await test.step("the owner chooses a PIN, and adds a clerk with a limit", () => hire(page));
  await test.step("the owner tests and connects the provider", () => connect(page, provider));
  await test.step("the owner reads and adopts the provider's offers", () => takeOffers(page));
  await test.step("the owner records the payment to the provider and sets an alert", () =>
    payIn(page));
  await test.step("the owner tries a margin in test, and copies it to live", () => setMargin(page));
  await test.step("the owner checks paper, mail, backup and the clock", () => prepare(page));
  await test.step("the owner makes the first live sale to her own number", () =>
    makeFirstSale(page));
  await test.step("the shop goes live with its name and the PIN", () => goLive(page));
  await test.step("a clerk sells one of each family for money", () => sell(page));
  await test.step("the owner sees the sales", () => seeIt(page));
  await test.step("the provider sees the sales", () => seeItThere(page, provider));
  await endShop(provider.gateway);
});

async function setUpByHand(page: Page): Promise<void> {
  await page.getByLabel("Shop name").fill("Tienda Sol");
  await choose(page, "Country", "Guatem");
  await page.getByLabel("Exchange rate").fill("7.66");
  await takePicture(page, "way-first-start");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("textbox", { name: "Your name" }).fill(OWNER.name);
  await page.getByLabel("PIN", { exact: true }).fill(OWNER.firstPin);
  await page.getByLabel("PIN again").fill(OWNER.firstPin);
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await page.getByRole("button", { name: "Do this later" }).click();
}

async function enter(page: Page, name: string, pin: string): Promise<void> {
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await new SignIn(page).as(name, pin);
}

async function choose(page: Page, field: string, typed: string): Promise<void> {
  await page.getByRole("combobox", { name: field }).click();
  await page.keyboard.press("Control+a");
  await page.keyboard.type(typed);
  await page.keyboard.press("Enter");
}

function outcome(page: Page, name: "DELIVERED" | "NOT_DELIVERED"): Locator {
  return page.locator(`div[data-outcome=${name}]`).first();
}

async function practise(page: Page): Promise<void> {
  const counter = new Counter(page);
  const shift = new Shift(page);
  await shift.takeOver("200");
  await counter.isReady();
  await page.getByRole("button", { name: "Got it" }).click();
  await counter.sellFirstOffer("50251234567");
  await expect(outcome(page, "DELIVERED")).toBeVisible();
  await counter.sellFirstOffer("50251239001");
  const refund = counter.panel.getByRole("button", { name: /^Refund Q/ });
  await expect(refund).toBeVisible();
  await refund.click();
  await expect(refund).toHaveCount(0);
  await counter.sellFirstOffer("50251239003");
  await expect(counter.panel.getByText("Sale 3", { exact: true })).toBeVisible();
  await shift.open();
  await shift.choose("5", "Close shift");
  await page.keyboard.type("210.74");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Close anyway" }).click();
  await expect(page.getByText("Z report 1")).toBeVisible();
  await page.keyboard.press("F9");
  await enter(page, OWNER.name, OWNER.firstPin);
}

async function seeWhatIsMissing(page: Page): Promise<void> {
  const live = new GoingLive(page);
  await live.open();
  await expect(live.button("Go live")).toBeDisabled();
  await takePicture(page, "way-going-live-missing");
}

async function hire(page: Page): Promise<void> {
  const live = new GoingLive(page);
  const { dialog } = live;
  const pin = live.row("Change the PIN you chose at setup");
  await pin.getByRole("button", { name: "Open Staff" }).click();
  await page.getByRole("button", { name: "Add staff member" }).click();
  await dialog.getByLabel("Name").fill(CLERK.name);
  await dialog.getByLabel("PIN", { exact: true }).fill(CLERK.given);
  await dialog.getByRole("button", { name: "Save" }).click();
  await typeOwnPin(page, OWNER.firstPin);
  await page.getByRole("button", { name: "Permissions of Ana" }).click();
  await dialog.getByLabel("One sale (GTQ)").fill("500");
  await dialog.getByRole("button", { name: "Save" }).click();
  await typeOwnPin(page, OWNER.firstPin);
  await expect(dialog).toHaveCount(0);
  await takePicture(page, "way-staff");
  await page.getByRole("button", { name: "New PIN for Rosa" }).click();
  await dialog.getByLabel("New PIN").fill(OWNER.pin);
  await dialog.getByRole("button", { name: "Save" }).click();
  await typeOwnPin(page, OWNER.firstPin);
  await enter(page, OWNER.name, OWNER.pin);
  await live.open();
  await expect(live.done("Change the PIN you chose at setup")).toBeVisible();
  await expect(live.done("Set limits for clerks")).toBeVisible();
}

async function connect(page: Page, { gateway, key }: Provider): Promise<void> {
  const live = new GoingLive(page);
  const missing = live.row("Enter the provider’s address");
  await missing.getByRole("button", { name: "Open Provider" }).click();
  await live.main.getByLabel("Address").fill(gateway.url);
  await live.main.getByLabel("Key", { exact: true }).fill(`${key}x`);
  await live.button("Connect").click();
  await typeOwnPin(page, OWNER.pin);
  await expect(live.main.getByText(/tick the box below if it is one/)).toBeVisible();
  await live.main.getByLabel("It is in my own network").check();
  await live.button("Test the connection").click();
  await expect(live.main.getByText("Key not accepted")).toBeVisible();
  await live.main.getByLabel("Key", { exact: true }).fill(key);
  await live.button("Test the connection").click();
  await expect(live.main.getByText("Ready to sell.")).toBeVisible();
  await takePicture(page, "way-provider-tested");
  await live.button("Connect").click();
  await typeOwnPin(page, OWNER.pin);
}

async function toTop(heading: Locator): Promise<void> {
  await heading.evaluate((element) => element.scrollIntoView({ block: "start" }));
}

async function takeOffers(page: Page): Promise<void> {
  const live = new GoingLive(page);
  const take = live.button("Use these products");
  await expect(take).toBeVisible({ timeout: 60_000 });
  await toTop(live.main.getByRole("heading", { name: "Products", exact: true }));
  await takePicture(page, "way-provider-offers");
  await take.click();
  await expect(take).toHaveCount(0);
  await expect(live.main.getByText(/Last update/)).toBeVisible();
}

async function payIn(page: Page): Promise<void> {
  const live = new GoingLive(page);
  const { main } = live;
  await main.getByLabel(/Payment to the provider, in USD/).fill("500");
  await main.getByLabel(/Price you paid, in GTQ/).fill("3,830");
  await main.getByLabel(/Reference/).fill("Transfer 88-1");
  await toTop(main.getByRole("heading", { name: "Balance", exact: true }));
  await takePicture(page, "way-provider-money");
  await live.button("Record payment").click();
  await expect(main.getByText("Recorded in the live wallet.")).toBeVisible();
  await main.getByLabel(/At or below this amount in USD/).fill("50");
  await live.button("Save alert").click();
  await expect(main.getByText("Alert saved.")).toBeVisible();
  await live.show("Go live");
  await expect(live.done("Add funds to the live wallet")).toBeVisible();
  await expect(live.done("Match the provider’s balance")).toBeVisible();
  await expect(live.done("Set a low-balance alert")).toBeVisible();
  await expect(live.done("Review the downloaded products")).toBeVisible();
}

async function setMargin(page: Page): Promise<void> {
  const live = new GoingLive(page);
  const { main, dialog } = live;
  await page.getByRole("link", { name: "Prices" }).click();
  await main.getByRole("button", { name: "Add rule" }).click();
  await dialog.getByRole("combobox", { name: "Product type" }).click();
  await page.getByRole("option", { name: "Gift cards", exact: true }).click();
  await dialog.getByRole("textbox", { name: "Percentage (%)" }).fill("8");
  await dialog.getByRole("textbox", { name: "Note" }).fill("A fair margin");
  await dialog.getByRole("button", { name: "Add rule" }).click();
  await main.getByRole("button", { name: "Preview and save" }).click();
  await dialog.getByRole("button", { name: "Save now" }).click();
  await expect(dialog).toHaveCount(0);
  await live.open();
  await live.show("Compare test and live");
  await main.getByRole("checkbox", { name: "Copy: Gift cards" }).check();
  await live.button("Copy to live").click();
  await dialog.getByRole("button", { name: "Copy to live" }).click();
  await expect(main.getByText("Copied: 1.")).toBeVisible();
  await live.show("Go live");
  await live
    .row("Review the largest price changes")
    .getByRole("button", { name: "See the ten largest" })
    .click();
  await takePicture(page, "way-live-prices");
  await dialog.getByRole("button", { name: "I’ve reviewed them" }).click();
  await expect(live.done("Review the largest price changes")).toBeVisible();
}

async function prepare(page: Page): Promise<void> {
  const live = new GoingLive(page);
  const { main } = live;
  await live
    .row("Confirm the time zone")
    .getByRole("button", { name: "Yes, it is correct" })
    .click();
  await expect(live.done("Confirm the time zone")).toBeVisible();
  await live.row("Update the exchange rate").getByRole("button", { name: "Open Prices" }).click();
  await main.getByRole("textbox", { name: /Today’s rate/ }).fill("7.66");
  await main.getByRole("button", { name: "Preview", exact: true }).click();
  await main.getByRole("button", { name: "Set the rate to 7.66" }).click();
  await live.open();
  await expect(live.done("Update the exchange rate")).toBeVisible();
  await live.row("Test restoring a backup").getByRole("button").click();
  await expect(live.done("Test restoring a backup")).toBeVisible({ timeout: 60_000 });
  await live
    .row("Add address and contact to receipts")
    .getByRole("button", { name: "Open Printers" })
    .click();
  await page.getByLabel("Shop address").fill("12 Calle 4-56, Zona 1");
  await page.getByLabel("Help for customers").fill("Help: +502 2222 3333");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved. It will be on the next receipt.")).toBeVisible();
  await live.open();
  await expect(live.done("Add address and contact to receipts")).toBeVisible();
  const papers = await catchPrints(page);
  const printed = live.row("Print a test receipt");
  await printed.getByRole("button", { name: "Print a test receipt" }).click();
  await expect.poll(async () => (await papers()).length).toBe(1);
  await printed.getByRole("button", { name: "The receipt is correct" }).click();
  await expect(live.done("Print a test receipt")).toBeVisible();
  await live.row("Open the cash drawer once").getByRole("button", { name: "It opens" }).click();
  await expect(live.done("Open the cash drawer once")).toBeVisible();
  const server = await startMailServer();
  await live.row("Send a test e-mail").getByRole("button", { name: "Open Settings" }).click();
  await main.getByRole("textbox", { name: "Mail server" }).fill("127.0.0.1");
  await main.getByRole("combobox", { name: "Encryption" }).click();
  await page.getByRole("option", { name: /None/ }).click();
  await main.getByRole("textbox", { name: "Port" }).fill(String(server.port));
  await main.getByLabel("Sender’s address").fill("shop@example.com");
  await live.button("Save").first().click();
  await live.button("Send a test e-mail").click();
  await expect(main.getByText("The server accepted the test e-mail.")).toBeVisible();
  expect(server.mails).toHaveLength(1);
  await server.close();
  await live.open();
  await expect(live.done("Send a test e-mail")).toBeVisible();
}

async function makeFirstSale(page: Page): Promise<void> {
  const live = new GoingLive(page);
  const { dialog } = live;
  await expect(live.toDo).toHaveCount(1);
  await expect(live.done("Practice each kind of sale")).toBeVisible();
  await live.toDo.getByRole("button", { name: "Make the first live sale" }).click();
  await dialog.getByLabel(/Your own number/).fill(OWN_NUMBER);
  await expect(dialog.getByRole("radio").first()).toBeChecked();
  await takePicture(page, "way-first-live-sale");
  await dialog.getByLabel("Your PIN").fill(OWNER.pin);
  await dialog.getByRole("button", { name: "Send live top-up" }).click();
  await expect(live.done("Make one live sale to your own number")).toBeVisible({ timeout: 60_000 });
}

async function goLive(page: Page): Promise<void> {
  const live = new GoingLive(page);
  await expect(live.main.getByText(/You can go live/)).toBeVisible();
  await live.button("Go live").click();
  await page.keyboard.type("Tienda Sol");
  await live.dialog.getByLabel(/Maximum per sale/).fill("500");
  await live.dialog.getByLabel("Your PIN").fill(OWNER.pin);
  await takePicture(page, "way-go-live");
  await live.dialog.getByRole("button", { name: "Go live now" }).click();
  await expect(live.main.getByRole("heading", { name: "Live mode" })).toBeVisible();
  await expect(page.getByText(/^test mode$/i)).toHaveCount(0);
  await page.getByRole("button", { name: "OK", exact: true }).click();
  await closePilotNotice(page);
  await takePicture(page, "way-live");
}

async function closePilotNotice(page: Page): Promise<void> {
  const notice = page.getByRole("note").filter({ hasText: "Pilot: this till sells live" });
  await notice.getByRole("button", { name: "Close" }).click();
  await expect(notice).toHaveCount(0);
}

async function sell(page: Page): Promise<void> {
  const counter = new Counter(page);
  const delivered = async (sale: number) => {
    await expect(counter.panel.getByText(`Sale ${sale}`, { exact: true })).toBeVisible();
    await expect(outcome(page, "DELIVERED")).toBeVisible();
  };
  await page.keyboard.press("F9");
  await new SignIn(page).first(CLERK.name, CLERK.given, CLERK.pin);
  await new Shift(page).takeOver("100");
  await counter.isReady();
  await counter.sellFirstOffer(`502${CUSTOMER}`);
  await delivered(1);
  await closePilotNotice(page);
  await takePicture(page, "way-live-sale");
  await sellVoucher(counter);
  await delivered(2);
  await sellEsim(counter);
  await delivered(3);
  await payBill(counter);
  await delivered(4);
}

async function seeIt(page: Page): Promise<void> {
  await page.keyboard.press("F9");
  await enter(page, OWNER.name, OWNER.pin);
  await expect(page.getByRole("navigation").first()).toBeVisible();
  await closePilotNotice(page);
  await page.keyboard.press("Alt+b");
  await page.getByRole("link", { name: "Reports" }).click();
  await expect(page.getByRole("heading", { name: "Reports" })).toBeVisible();
  await takePicture(page, "way-figures");
  await page.getByRole("navigation").getByRole("link", { name: "Wallet", exact: true }).click();
  await page.getByRole("button", { name: "Statement" }).click();
  const entries = page.getByRole("list", { name: /Movements/ }).getByRole("listitem");
  await expect(entries.filter({ hasText: "Transfer 88-1" })).toHaveCount(1);
  const spent = entries.filter({ has: page.getByText("Spent", { exact: true }) });
  await expect(spent).toHaveCount(5);
}

async function seeItThere(page: Page, { gateway, key }: Provider): Promise<void> {
  const ask = async (path: string) => {
    const headers = { authorization: `Bearer ${key}` };
    return (await fetch(`${gateway.url}/v1${path}`, { headers })).json();
  };
  const live = new GoingLive(page);
  const sold = await ask("/topups/purchases?_limit=10&_offset=0&status=DONE");
  expect(
    sold.list.map((one: { recipientPhoneNumber: string }) => one.recipientPhoneNumber),
  ).toEqual(expect.arrayContaining([`+502${CUSTOMER}`]));
  for (const path of ["/vouchers", "/esim", "/billpay"]) {
    expect((await ask(`${path}/purchases?_limit=10&_offset=0&status=DONE`)).total, path).toBe(1);
  }
  await live.open();
  await live.show("Provider");
  await live.button("Test the connection").click();
  const { availableBalance: balance } = await ask("/balance");
  expect(balance).toBeLessThan(50_000);
  const there = live.main.locator("dt", { hasText: "At the provider" }).locator("+ dd");
  const here = live.main.locator("dt", { hasText: "In the live wallet" }).locator("+ dd");
  await expect(there).toHaveText(`$${(balance / 100).toFixed(2)}`);
  await expect(here).toHaveText(`$${(balance / 100).toFixed(2)}`);
}
