import { QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import { expect, it } from "vitest";
import type { PosPhone } from "../../../../../server/contract/pos/counter.ts";
import { newQueryClient } from "../../../../lib/testing/reset-page.ts";
import { phone } from "../../testing/fixtures.ts";
import { CarrierLine } from "./number-step.tsx";
import { currentBrand, INITIAL_TOPUP } from "./topup-state.ts";
import type { TopupStepProps } from "./topup-step.ts";
import { CarrierStep } from "./topup-steps.tsx";
import type { Topup } from "./use-topup.ts";

/** Props of the number step for a given answer of the gateway. */
function stepOf(told: Partial<PosPhone>, digits = "+50251234567"): TopupStepProps {
  const state = { ...INITIAL_TOPUP, digits, phone: { ...phone, ...told } };
  const topup = { state, phone: state.phone, brand: currentBrand(state), homeCountry: "GT" };
  return { topup: topup as unknown as Topup, control: {} as TopupStepProps["control"] };
}

function textOf(step: TopupStepProps, Shown: typeof CarrierStep = CarrierLine): string {
  const { container, unmount } = render(
    <QueryClientProvider client={newQueryClient()}>
      <Shown {...step} />
    </QueryClientProvider>,
  );
  const text = container.textContent ?? "";
  unmount();
  return text;
}

const tigo = { brand: "TIGO", brandName: "Tigo" };

it("names the source of the carrier once", () => {
  expect(textOf(stepOf({ detected: tigo }))).toMatch(/Tigo · detected/);
  const remembered = stepOf({ detected: { ...tigo, remembered: true } });
  expect(textOf(remembered)).toContain("Tigo · remembered");
  expect(textOf(remembered)).not.toMatch(/detected/i);
  expect(textOf(remembered, CarrierStep)).not.toMatch(/detected/i);
});

it("says that a landline takes no top-up, and not that its country has none", () => {
  const text = textOf(stepOf({ mobile: false, brands: [] }));
  expect(text).toContain("This is a landline");
  expect(text).toContain("mobile number");
  expect(text).not.toContain("No top-ups are sold");
});

it("says that a calling code is unknown, and not that digits are missing", () => {
  const none = { valid: false, country: "", brands: [], earlier: [] };
  const text = textOf(stepOf(none, "+9991234"));
  expect(text).toContain("Unknown country code");
  expect(text).not.toMatch(/missing|begins like that/);
});

it("says that a number has too many digits, and names no other country", () => {
  const peru = { valid: false, country: "PE", brands: [], earlier: [] };
  const text = textOf(stepOf(peru, "512345678"));
  expect(text).toContain("Number too long");
  expect(text).not.toContain("missing");
});
