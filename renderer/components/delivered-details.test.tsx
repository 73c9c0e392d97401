import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import { beforeAll, expect, it } from "vitest";
import { anEsim } from "../../e2e/support/receipts.ts";
import { DeliveredDetails } from "./delivered-details.tsx";
import { fetchQrCodes } from "./qr-code.tsx";

beforeAll(async () => {
  await fetchQrCodes();
});

it("delivered details show a new eSIM's code, and no code for a plan of the customer's existing eSIM", () => {
  const line = anEsim();
  const { iccid } = line.esim!;
  const { rerender } = render(<DeliveredDetails line={line} />, { wrapper: MantineProvider });
  expect(screen.getByText("Scan with the customer’s phone")).toBeDefined();
  expect(screen.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
    "Connect to Wi-Fi.",
    "Open Settings, Mobile data, Add eSIM.",
    "Scan the code. It installs only once.",
    "Turn on roaming for it after arrival.",
  ]);
  expect(screen.getByText(line.esim!.smdpAddress)).toBeDefined();
  expect(screen.getByText(line.esim!.activationCode)).toBeDefined();
  expect(screen.getByRole("button", { name: "Copy: Activation code" })).toBeDefined();
  rerender(<DeliveredDetails line={{ ...line, iccid }} />);
  expect(screen.getByText("Added to the eSIM …0123, nothing to scan")).toBeDefined();
  expect(screen.queryByText("Scan with the customer’s phone")).toBeNull();
  expect(screen.queryByRole("list")).toBeNull();
});

it("delivered details state that a delivery without a usable code is not refunded", () => {
  const { esim: _, ...line } = { ...anEsim(), details: "MISSING" as const };
  render(<DeliveredDetails line={line} />, { wrapper: MantineProvider });
  expect(screen.getByText(/no usable code. Don’t refund it/)).toBeDefined();
});
