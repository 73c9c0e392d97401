import { expect, test } from "vitest";
import { groupOfFour } from "./group-of-four.ts";

test("a PIN is read aloud in groups of four, however it was delivered", () => {
  expect(groupOfFour("1234567890123456")).toBe("1234 5678 9012 3456");
  expect(groupOfFour("7K2M-9QX4-LT5R")).toBe("7K2M 9QX4 LT5R");
  expect(groupOfFour("12345")).toBe("1234 5");
  expect(groupOfFour("123")).toBe("123");
});
