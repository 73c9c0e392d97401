/** A fetched version of the desktop app: the shift screen reports it, without moving anything. */
import { expect, OWNER_PIN, test } from "./fixtures.ts";
import { Counter } from "./pages/counter.ts";
import { Shift } from "./pages/shift.ts";
import { standInForDesktop } from "./support/desktop-stand-in.ts";
import { layoutShift } from "./support/layout-shift.ts";
import { takePicture } from "./support/pictures.ts";

test("a ready update is reported during the open shift, and again after its close", async ({
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

  await test.step("it comes by itself, and what is about to be pressed stays where it is", async () => {
    const before = await layoutShift(page);
    setReady(true);
    await page.clock.fastForward("01:00");
    await expect(note).toContainText("It is installed when no shift is open");
    expect((await layoutShift(page)) - before).toBe(0);
    await takePicture(page, "update-waits");
  });

  await test.step("the report of the shift that was closed stands above it", async () => {
    await shift.choose("5", "Close shift");
    await page.keyboard.type("0");
    await page.keyboard.press("Enter");
    await expect(page.getByText("Z report 1")).toBeVisible();
    await expect(note).toBeVisible();
  });

  await test.step("an owner reads it among the alerts, too", async () => {
    await page.keyboard.press("Escape");
    await page.goto(`${shop.url}/#/office/overview`);
    await expect(page.getByText("A new version is ready")).toBeVisible();
  });

  await test.step("once it is installed each person is told what is new, where a shift is opened", async () => {
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
