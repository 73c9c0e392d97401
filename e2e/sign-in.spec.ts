import { CLERK, expect, OWNER_PIN, test } from "./fixtures.ts";
import { account, typeOwnPin } from "./pages/sign-in.ts";
import { countedKeys } from "./support/counted-keys.ts";

test("five wrong PINs lock a name, and the screen shows the end of the lock", {
  tag: "@thorough",
}, async ({ signIn, page }) => {
  await signIn.choose(CLERK.name);
  for (const left of [4, 3, 2, 1]) {
    await signIn.typePin("0000");
    await expect(page.getByText(left === 1 ? "1 try left." : `${left} tries left.`)).toBeVisible();
  }
  await signIn.typePin("0000");
  await expect(page.getByText(/Too many wrong PINs. Ana can try again in/)).toBeVisible();

  await test.step("a reload does not hide the lock", async () => {
    await page.reload();
    await signIn.choose(CLERK.name);
    await expect(page.getByText(/Too many wrong PINs. Ana can try again in/)).toBeVisible();
  });

  await test.step("the owner is not locked, and sets a new PIN", async () => {
    await signIn.as("Rosa", OWNER_PIN);
    await expect(account(page, "Rosa")).toBeVisible();
    const told = page.getByText("5 failed sign-ins with the name Ana.");
    await expect(told).toBeVisible();
    await page.getByRole("alert").getByRole("button", { name: "Close" }).click();
    await expect(told).toHaveCount(0);
    await page.keyboard.press("F10");
    await page.getByRole("button", { name: "New PIN for Ana" }).click();
    await page.getByLabel("New PIN", { exact: true }).fill("1234");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText(/harder to guess/)).toBeVisible();
    await page.getByLabel("New PIN", { exact: true }).fill("97135");
    await page.getByRole("button", { name: "Save" }).click();
    await typeOwnPin(page, OWNER_PIN);
    await expect(page.getByRole("button", { name: "Save" })).toHaveCount(0);
    await page.keyboard.press("F9");
    await signIn.first(CLERK.name, "97135", "280617");
    await expect(account(page, CLERK.name)).toBeVisible();
  });
});

test("a clerk cannot see the list of staff", { tag: "@thorough" }, async ({ counter, page }) => {
  await expect(page.getByRole("link", { name: /Staff/ })).toHaveCount(0);
  await page.keyboard.press("F10");
  await expect(counter.number).toBeVisible();
});

test("F9 locks the till at once, and the next person does not see the typed text", {
  tag: "@thorough",
}, async ({ counter, page, signIn }) => {
  await counter.type("5025123");
  await page.keyboard.press("F9");
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await signIn.as("Rosa", OWNER_PIN);
  await expect(counter.number).toHaveValue("");
});

test("the lock key, a digit and a PIN sign the next person in", {
  tag: "@core",
}, async ({ counter, page }) => {
  const who = (name: string) => account(page, name);
  await expect(who("Ana")).toBeVisible();
  for (const { name, digit, pin } of [
    { name: "Rosa", digit: "2", pin: OWNER_PIN },
    { name: "Ana", digit: "1", pin: CLERK.pin },
  ]) {
    counter.keys = 0;
    await counter.press("F9");
    await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
    await expect(page.getByRole("button", { name })).toContainText(digit);
    await counter.press(digit, ...pin, "Enter");
    expect(counter.keys).toBe(countedKeys("Another person at the till", pin));
    await expect(who(name)).toBeVisible();
    await counter.isReady();
  }
});
