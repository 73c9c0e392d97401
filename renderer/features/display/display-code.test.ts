import { expect, it } from "vitest";
import { DISPLAY_CODE_LENGTH } from "../../../server/contract/pos/displays.ts";
import {
  findDisplayCode,
  forgetDisplayCode,
  groupDisplayCode,
  readDisplayCode,
  renewDisplayCode,
} from "./display-code.ts";

it("a till stores its display's code until it is renewed or forgotten", () => {
  expect(findDisplayCode()).toBeUndefined();
  const first = renewDisplayCode();
  expect(first).toHaveLength(DISPLAY_CODE_LENGTH);
  expect(findDisplayCode()).toBe(first);
  const second = renewDisplayCode();
  expect(second).not.toBe(first);
  expect(findDisplayCode()).toBe(second);
  forgetDisplayCode();
  expect(findDisplayCode()).toBeUndefined();
});

it("a typed code is read in any case, with or without the space that groups it", () => {
  const code = renewDisplayCode();
  for (const typed of [code, code.toLowerCase(), ` ${groupDisplayCode(code)}-`]) {
    expect(readDisplayCode(typed)).toBe(code);
  }
  for (const typed of ["", code.slice(1), `${code}0`, code.replace(/.$/, "!")]) {
    expect(readDisplayCode(typed)).toBeUndefined();
  }
});
