import { expect, it } from "vitest";
import { readAlert } from "./components/wallet-screen.tsx";

it.each([
  [{ amount: "", hours: "" }, { alert: {} }],
  [{ amount: "25.5", hours: "" }, { alert: { lowAmount: 2550 } }],
  [{ amount: "25", hours: "8" }, { alert: { lowAmount: 2500, lowHours: 8 } }],
  [{ amount: "", hours: "168" }, { alert: { lowHours: 168 } }],
  [{ amount: "0", hours: "8" }, { wrong: "amount" }],
  [{ amount: "1.234", hours: "8" }, { wrong: "amount" }],
  [{ amount: "1", hours: "0" }, { wrong: "hours" }],
  [{ amount: "1", hours: "169" }, { wrong: "hours" }],
])("readAlert reads %o as %o", (draft, read) => {
  expect(readAlert(draft, 100)).toEqual(read);
});
