import { CLERK, expect, OWNER_PIN, test } from "./fixtures.ts";
import { catchPrints } from "./support/browser-prints.ts";

test("a clerk without the permission reprints a voucher with the owner's PIN, which is audited", async ({
  signIn,
  counter,
  page,
}) => {
  await test.step("the owner removes the permission", async () => {
    await page.keyboard.press("F9");
    await signIn.as("Rosa", OWNER_PIN);
    await counter.isReady();
    const status = await page.evaluate(
      async ([name, pin]) => {
        const { list } = await (await fetch("/pos/staff")).json();
        const { staffId } = list.find((person: { name: string }) => person.name === name);
        const headers = { "content-type": "application/json", "tillgate-pin": pin };
        const body = JSON.stringify({ ownRights: { reprint: false } });
        return (await fetch(`/pos/staff/${staffId}`, { method: "PATCH", headers, body })).status;
      },
      [CLERK.name, OWNER_PIN] as const,
    );
    expect(status).toBe(200);
    await page.keyboard.press("F9");
    await signIn.as(CLERK.name, CLERK.pin);
    await counter.isReady();
  });

  const prints = await catchPrints(page);
  await counter.press("F2");
  await expect(counter.tile(/Cemaco/)).toBeVisible();
  await counter.type("cem");
  await expect(counter.primary(/Continue with Cemaco/)).toBeEnabled();
  await counter.press("Enter");
  await expect(counter.tile(/Q ?\d+/).first()).toBeVisible();
  await counter.press("1");
  await expect(counter.primary(/Take payment/)).toBeEnabled();
  await counter.press("Enter");
  await expect(counter.panel.getByRole("heading", { name: "Delivered" })).toBeVisible();
  await counter.press("Alt+p");
  await expect(counter.panel.getByText("Printed 1 time")).toBeVisible();

  await counter.press("Alt+p");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("textbox", { name: "Rosa’s PIN" })).toBeFocused();
  await page.keyboard.type(OWNER_PIN);
  await page.keyboard.press("Enter");
  await expect(counter.panel.getByText("Printed 2 times")).toBeVisible();

  const [original = "", copy = ""] = await prints();
  const pin = /[0-9A-Z]{4}(?: [0-9A-Z]{4}){2,}/.exec(original)?.[0] ?? "no PIN";
  expect(copy).toContain("COPY 1");
  expect(copy).toContain(pin);

  await test.step("the audit trail names both people", async () => {
    await page.keyboard.press("F9");
    await signIn.as("Rosa", OWNER_PIN);
    await counter.isReady();
    const trail = await page.evaluate(async () =>
      (await fetch("/pos/audit-trail?limit=50")).text(),
    );
    expect(trail).toContain("receipt.reprint");
    expect(trail).toContain("approval.use");
  });
});
