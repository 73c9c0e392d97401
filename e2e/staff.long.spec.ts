import { CLERK, expect, OWNER_PIN, test } from "./fixtures.ts";
import { asOwner } from "./support/owner-session.ts";

const OWNER = "Rosa";

test("a cancelled approval sells nothing and keeps the entered sale", async ({
  counter,
  page,
  shop,
  request,
}) => {
  const owner = await asOwner(request, shop);
  await owner.changeAna({ limits: { perProduct: { TOPUP: 100 } } });
  await counter.sellFirstOffer("50251234567");
  await expect(page.getByText("Approval needed: Rosa")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByText("Approval required.")).toBeVisible();
  await expect(page.getByText("+502 5123 4567").first()).toBeVisible();
});

test("a clerk without the permission to refund needs an approval", async ({
  counter,
  page,
  shop,
  request,
}) => {
  const owner = await asOwner(request, shop);
  await owner.changeAna({ ownRights: { customerRefund: false } });
  await counter.sellFirstOffer("50251239001");
  const book = counter.panel.getByRole("button", { name: "Refund Q 5.43" });
  await expect(book).toBeVisible();
  await page.keyboard.press("Alt+g");
  await expect(page.getByRole("textbox", { name: "Rosa’s PIN" })).toBeFocused();
  await page.keyboard.type(OWNER_PIN);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(book).toHaveCount(0);
  await expect(page.getByRole("button", { name: `Account: ${CLERK.name}` })).toBeVisible();
});

test("a switch of people takes a clerk seven keys and no mouse, and an owner nine keys", async ({
  counter,
  page,
}) => {
  const signIn = async (keys: string[]) => {
    for (const key of keys) {
      await page.keyboard.press(key);
      // The lock screen appears at once, but its list of people arrives from the gateway.
      if (key === "F9") await expect(page.getByRole("button", { name: "Rosa" })).toBeVisible();
    }
  };
  const ofOwner = ["F9", "2", ...OWNER_PIN.split(""), "Enter"];
  expect(ofOwner).toHaveLength(9);
  await signIn(ofOwner);
  await expect(page.getByRole("button", { name: `Account: ${OWNER}` })).toBeVisible();
  await counter.isReady();
  const ofClerk = ["F9", "1", ...CLERK.pin.split(""), "Enter"];
  expect(ofClerk).toHaveLength(7);
  await signIn(ofClerk);
  await expect(page.getByRole("button", { name: `Account: ${CLERK.name}` })).toBeVisible();
  await counter.isReady();

  await page.keyboard.press("F9");
  await expect(page.getByRole("button", { name: "Ana" })).toBeVisible();
  await page.keyboard.press("a");
  await page.keyboard.type(CLERK.pin);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: `Account: ${CLERK.name}` })).toBeVisible();
});
