import { describe, expect, it } from "vitest";
import { readTableBytes } from "./components/bulk-screen.tsx";

const bytesOf = (...bytes: number[]) => new Uint8Array(bytes).buffer;

describe("readTableBytes", () => {
  it.each([
    ["Windows-1252", bytesOf(0x6e, 0x6f, 0x74, 0x65, 0x0a, 0x50, 0x65, 0xf1, 0x61), "note\nPeña"],
    ["UTF-8", new TextEncoder().encode("note\nPeña").buffer, "note\nPeña"],
    ["UTF-16 with a byte order mark", bytesOf(0xff, 0xfe, 0x50, 0, 0xf1, 0), "Pñ"],
  ])("keeps the accents of a file in %s", (_name, bytes, text) => {
    expect(readTableBytes(bytes, "es")).toBe(text);
  });

  it("keeps the letters of a file from an Arabic spreadsheet", () => {
    const bytes = bytesOf(0x6e, 0x6f, 0x74, 0x65, 0x0a, 0xd1, 0xde, 0xe3);
    expect(readTableBytes(bytes, "ar")).toBe("note\nرقم");
  });

  it("returns only the first bytes of a workbook, by which the gateway knows the format", () => {
    expect(readTableBytes(bytesOf(0x50, 0x4b, 3, 4, 0, 0xff), "en")).toBe("PK\u0003\u0004");
  });
});
