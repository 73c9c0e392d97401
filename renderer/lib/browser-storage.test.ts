import { afterEach, describe, expect, it, vi } from "vitest";
import { keep, StorageError, settleStorage } from "./browser-storage.ts";

const own = {
  localStorage: Object.getOwnPropertyDescriptor(window, "localStorage"),
  sessionStorage: Object.getOwnPropertyDescriptor(window, "sessionStorage"),
};

function deny(area: keyof typeof own): void {
  Object.defineProperty(window, area, {
    configurable: true,
    get() {
      throw new DOMException("denied", "SecurityError");
    },
  });
}

afterEach(() => {
  vi.restoreAllMocks();
  for (const area of ["localStorage", "sessionStorage"] as const) {
    const before = own[area];
    if (before) {
      Object.defineProperty(window, area, before);
    } else {
      Reflect.deleteProperty(window, area);
    }
  }
  settleStorage();
});

describe("a denied browser storage", () => {
  it("keeps settings until the page is left, and refuses entries that must outlast the page", () => {
    deny("localStorage");
    deny("sessionStorage");
    settleStorage();
    localStorage.setItem("tillgate.language", "es");
    expect(localStorage.getItem("tillgate.language")).toBe("es");
    expect(Object.keys(localStorage)).toEqual(["tillgate.language"]);
    localStorage.removeItem("tillgate.language");
    expect(localStorage.getItem("tillgate.language")).toBeNull();
    expect(sessionStorage.getItem("tillgate.window")).toBeNull();
    expect(() => keep("tillgate.attempt.1", "{}")).toThrow(StorageError);
  });
});

it("a full storage refuses an entry with a StorageError", () => {
  settleStorage();
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  expect(() => keep("tillgate.attempt.1", "{}")).toThrow(StorageError);
});
