import { expect, it } from "vitest";
import { describeFileFault, describeStorageFault, isDiskFull } from "./storage-fault.ts";

function errorOf(code: string): Error {
  return Object.assign(new Error(code), { code });
}

it.each([
  ["ENOSPC", "the disk is full"],
  ["EDQUOT", "no room is left on the disk for this user"],
  ["EIO", "the disk cannot be read or written"],
  ["EROFS", "the disk is read-only"],
  ["ESTALE", "the network disk is gone"],
  ["ENOTCONN", "the network disk is gone"],
  ["ENODEV", "the disk is gone"],
  ["EBUSY", "another program uses it"],
  ["ENAMETOOLONG", "its name is too long"],
])("describeFileFault describes the file error %s in words", (code, words) => {
  expect(describeFileFault(errorOf(code))).toBe(words);
});

it.each(["ENOSPC", "EDQUOT", "SQLITE_FULL", "53100"])(
  "%s counts as a full disk and as a storage fault",
  (code) => {
    expect(isDiskFull(errorOf(code))).toBe(true);
    expect(describeStorageFault(errorOf(code))).toMatch(/full/);
  },
);
