import { expect, test } from "vitest";
import { groupOfFour, isLink, writePin } from "./group-of-four.ts";

test("digits and letters are grouped by four, in any delivered format", () => {
  expect(groupOfFour("1234567890123456")).toBe("1234 5678 9012 3456");
  expect(groupOfFour("7K2M-9QX4-LT5R")).toBe("7K2M 9QX4 LT5R");
  expect(groupOfFour("12345")).toBe("1234 5");
  expect(groupOfFour("123")).toBe("123");
});

test("a PIN keeps its delivered hyphens and spaces", () => {
  expect(writePin("AAAAA-BBBBB-CCCCC")).toBe("AAAAA-BBBBB-CCCCC");
  expect(writePin(" 123 456 789 ")).toBe("123 456 789");
  expect(writePin("1234567890123456")).toBe("1234 5678 9012 3456");
  const link = "https://gift.example/r?c=AB-12";
  expect([writePin(link), isLink(link), isLink("1234")]).toEqual([link, true, false]);
});
