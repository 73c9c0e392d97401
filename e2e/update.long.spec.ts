import { expect, OWNER_PIN, test } from "./fixtures.ts";
import { Counter } from "./pages/counter.ts";
import { Shift } from "./pages/shift.ts";
import { standInForDesktop } from "./support/desktop-stand-in.ts";
import { layoutShift } from "./support/layout-shift.ts";
import { takePicture } from "./support/pictures.ts";

test("the till reports a ready update during the open shift, and again after the shift closes", async ({
  page,
  shop,
  signIn,
}) => {
  await page.clock.install();
  const setReady = await standInForDesktop(page);
  await page.reload();
  await signIn.as("Rosa", OWNER_PIN);
  await new Counter(page).isReady();
  const shift = new Shift(page);
  await shift.open();
  await expect(shift.row("Float")).toBeVisible();
  const note = page.getByRole("note").filter({ hasText: "An update is ready." });
  await expect(note).toHaveCount(0);

  await test.step("the notice appears automatically, and does not move the next button", async () => {
    const before = await layoutShift(page);
    setReady(true);
    await page.clock.fastForward("01:00");
    await expect(note).toContainText("It installs when no shift is open");
    expect((await layoutShift(page)) - before).toBe(0);
    await takePicture(page, "update-waits");
  });

  await test.step("the notice is below the report of the closed shift", async () => {
    await shift.choose("5", "Close shift");
    await page.keyboard.type("0");
    await page.keyboard.press("Enter");
    await expect(page.getByText("Z report 1")).toBeVisible();
    await expect(note).toBeVisible();
  });

  await test.step("an owner also finds the notice among the alerts", async () => {
    await page.keyboard.press("Escape");
    await page.goto(`${shop.url}/#/office/overview`);
    await expect(page.getByText("A new version is ready")).toBeVisible();
  });

  await test.step("after the installation, the form that opens a shift shows each person the changes", async () => {
    setReady(false);
    await page.goto(shop.url);
    await page.reload();
    await expect(page.getByRole("heading", { name: "Open shift" })).toBeVisible();
    await page.evaluate(() => {
      const key = "tillgate.what-is-new";
      const people = Object.keys(JSON.parse(localStorage.getItem(key) ?? "{}"));
      const before = people.map((staffId) => [staffId, "0.0.9"]);
      localStorage.setItem(key, JSON.stringify(Object.fromEntries(before)));
    });
    await page.reload();
    await expect(page.getByText("New in Tillgate 0.1.0")).toBeVisible();
    await takePicture(page, "update-new");
  });
});
