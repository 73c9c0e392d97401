import { QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import { expect, it } from "vitest";
import type { PosPhone } from "../../../../../server/contract/pos/counter.ts";
import { newQueryClient } from "../../../../lib/testing/reset-page.ts";
import { phone } from "../../testing/fixtures.ts";
import { CarrierLine } from "./number-step.tsx";
import { currentBrand, INITIAL_TOPUP } from "./topup-state.ts";
import { CarrierStep } from "./topup-steps.tsx";
import type { Topup, TopupStepProps } from "./use-topup.ts";

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

it("the number step names the source of the carrier only once", () => {
  expect(textOf(stepOf({ detected: tigo }))).toMatch(/Tigo · detected/);
  const remembered = stepOf({ detected: { ...tigo, remembered: true } });
  expect(textOf(remembered)).toContain("Tigo · remembered");
  expect(textOf(remembered)).not.toMatch(/detected/i);
  expect(textOf(remembered, CarrierStep)).not.toMatch(/detected/i);
});

it("the number step reports that a landline takes no top-up, not that its country has no top-ups", () => {
  const text = textOf(stepOf({ mobile: false, brands: [] }));
  expect(text).toContain("This is a landline");
  expect(text).toContain("mobile number");
  expect(text).not.toContain("No top-ups are sold");
});

it("the number step reports an unknown calling code, not missing digits", () => {
  const none = { valid: false, country: "", brands: [], earlier: [] };
  const text = textOf(stepOf(none, "+9991234"));
  expect(text).toContain("Unknown country code");
  expect(text).not.toMatch(/missing|begins like that/);
});

it("the number step reports too many digits, and does not suggest another country", () => {
  const peru = { valid: false, country: "PE", brands: [], earlier: [] };
  const text = textOf(stepOf(peru, "512345678"));
  expect(text).toContain("Number too long");
  expect(text).not.toContain("missing");
});
