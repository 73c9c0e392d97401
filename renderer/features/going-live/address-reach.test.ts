import { describe, expect, it } from "vitest";
import { reachOf } from "./address-reach.ts";

describe("reachOf", () => {
  it.each([
    ["http://127.0.0.1:8787", "MACHINE"],
    ["http://localhost:8787/", "MACHINE"],
    ["http://[::1]:8787", "MACHINE"],
    ["http://0.0.0.0:8787", "MACHINE"],
    ["http://192.168.1.5:8787", "NETWORK"],
    ["http://172.20.0.3", "NETWORK"],
    ["http://till.local:8787", "NETWORK"],
    ["http://till", "NETWORK"],
    ["http://[fd00::1]:8787", "NETWORK"],
    [" https://till.example ", "OUTSIDE"],
    ["http://172.32.0.1", "OUTSIDE"],
    ["https://[2001:db8::1]", "OUTSIDE"],
    ["till.example", undefined],
    ["ftp://till.example", undefined],
    ["", undefined],
  ])("reports %s as %s", (address, reach) => {
    expect(reachOf(address)).toBe(reach);
  });
});
