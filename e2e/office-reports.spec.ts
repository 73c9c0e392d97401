import { readFile } from "node:fs/promises";
import { startMailServer } from "../server/testing/mail-server.ts";
import { readPdf } from "../server/testing/read-pdf.ts";
import { expect, OWNER_PIN, test } from "./fixtures.ts";
import { expectNoFault } from "./support/faultless.ts";

test("an owner requests and downloads a report; the accountant receives another report by mail", async ({
  counter,
  page,
  shop,
  signIn,
}) => {
  await counter.sellFirstOffer("50251234567");
  await expect(counter.panel.getByText(/\d{15}/).first()).toBeVisible();
  await page.keyboard.press("F9");
  await signIn.as("Rosa", OWNER_PIN);
  await counter.isReady();
  await page.goto(`${shop.url}/#/office/reports`);
  await page.getByRole("button", { name: "Export" }).click();
  await expect(page.getByRole("heading", { name: "Export", level: 1 })).toBeVisible();

  const today = await page.evaluate(() => new Date().toISOString().slice(0, 10));
  await page.getByLabel("First day").fill("2020-01-01");
  await page.getByLabel("Last day").fill(today);
  await page.getByRole("button", { name: "Create report" }).click();
  await expect(page.getByText("must be within 366 days")).toBeVisible();
  await page.getByLabel("First day").fill(`${today.slice(0, 4)}-01-01`);
  await page.getByRole("button", { name: "Create report" }).click();
  const file = page.getByRole("link", { name: /Download Sold items/ });
  await expect(file).toBeVisible();
  await expectNoFault(page);
  const [download] = await Promise.all([page.waitForEvent("download"), file.click()]);
  expect(download.suggestedFilename()).toMatch(/^test-sold-.*\.csv$/);
  expect(await readFile(await download.path(), "utf8")).toContain('"Ana"');

  await page.getByRole("combobox", { name: "Report" }).click();
  await page.getByRole("option", { name: "PDF of a day" }).click();
  await expect(page.getByLabel("Last day")).toBeHidden();
  await expect(page.getByRole("combobox", { name: "Format" })).toBeHidden();
  await page.getByLabel("Day", { exact: true }).fill(today);
  await page.getByRole("combobox", { name: "Language of the document" }).click();
  await page.getByRole("option", { name: "Français" }).click();
  await expectNoFault(page);
  await page.getByRole("button", { name: "Create report" }).click();
  const ofDay = page.getByRole("link", { name: `Download PDF of a day, ${today}` });
  const [pdf] = await Promise.all([page.waitForEvent("download"), ofDay.click()]);
  expect(pdf.suggestedFilename()).toMatch(new RegExp(`^test-.*-${today}\\.pdf$`));
  const { pages } = await readPdf(await readFile(await pdf.path()), "ltr");
  expect(pages.flat()).toContainEqual(["Espèces et solde"]);

  await page.getByRole("button", { name: "Accounts", exact: true }).click();
  await page.getByRole("button", { name: "Add a rate" }).click();
  await page.getByRole("textbox", { name: "Rate in percent" }).fill("12,0");
  await page.getByRole("textbox", { name: "Account", exact: true }).fill("3806");
  await expectNoFault(page);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("textbox", { name: "Rate in percent" })).toHaveValue("12");

  const server = await startMailServer();
  await page.goto(`${shop.url}/#/office/settings?view=mail`);
  await page.getByRole("textbox", { name: "Mail server" }).fill("127.0.0.1");
  await page.getByRole("combobox", { name: "Encryption" }).click();
  await page.getByRole("option", { name: /None/ }).click();
  await page.getByRole("textbox", { name: "Port" }).fill(String(server.port));
  await page.getByRole("textbox", { name: "User" }).fill("shop");
  await page.getByLabel("Password", { exact: true }).fill("secret");
  await page.getByLabel("Sender’s address").fill("shop@example.com");
  await page.getByRole("button", { name: "Save", exact: true }).first().click();
  await page.getByRole("button", { name: "Send a test e-mail" }).click();
  await expect(page.getByText("The server accepted the test e-mail.")).toBeVisible();

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${shop.url}/#/office/reports?view=schedules`);
  await page.getByRole("button", { name: "Add a report" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("End of day");
  await page.getByLabel("E-mail to").fill("tax@example.com, rosa@example.com");
  await page.getByRole("combobox", { name: "Report" }).click();
  await page.getByRole("option", { name: "PDF of a day" }).click();
  await page.getByRole("combobox", { name: "When" }).click();
  await expect(
    page.getByRole("option", { name: "Weekly, on Mondays (previous week)" }),
  ).toBeHidden();
  await page.getByRole("option", { name: "After the last Z report" }).click();
  await expectNoFault(page);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("button", { name: "Send End of day now" }).click();
  await expect.poll(() => server.mails.at(-1)?.to).toEqual(["tax@example.com", "rosa@example.com"]);
  expect(server.mails.at(-1)?.source).toContain("End of day");
  expect(server.mails.at(-1)?.source).toContain("application/pdf");
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(wide).toBeLessThanOrEqual(0);
  await server.close();
});
