import { render, screen } from "@testing-library/react";
import { beforeAll, expect, it } from "vitest";
import type { SaleLine } from "../../server/contract/pos/sale-lines.ts";
import { startI18n } from "../lib/i18n.ts";
import { DeliveredSlip } from "./delivered-slip.tsx";

const iccid = "8944501234567890123";
const esim = {
  iccid,
  smdpAddress: "rsp.truphone.example",
  activationCode: "QR-G-5C",
  qrContent: "LPA:1$rsp.truphone.example$QR-G-5C",
  instructions: "",
};

beforeAll(() => startI18n("en"));

it("shows a new eSIM's code, and none for a plan that is on the customer's already", () => {
  const { rerender } = render(<DeliveredSlip line={{ esim } as SaleLine} />);
  expect(screen.getByText("The customer's phone scans this")).toBeDefined();
  rerender(<DeliveredSlip line={{ esim, iccid } as SaleLine} />);
  expect(screen.getByText("Added to the eSIM …0123, nothing to scan")).toBeDefined();
  expect(screen.queryByText("The customer's phone scans this")).toBeNull();
});
