/** PINs in the order in which an attacker tries them, most likely first. */

const POPULAR =
  "1234 1111 0000 1212 7777 1004 2000 4444 2222 6969 9999 3333 5555 6666 1122 1313 8888 4321 2001 1010 2580";

function days(write: (day: string, month: string) => string): string[] {
  return Array.from({ length: 12 * 31 }, (_, n) => {
    const day = String((n % 31) + 1).padStart(2, "0");
    const month = String(Math.floor(n / 31) + 1).padStart(2, "0");
    return write(day, month);
  });
}

function numbers(digits: number): string[] {
  return Array.from({ length: 10_000 }, (_, n) => String(n).padStart(4, "0").padEnd(digits, "0"));
}

function distinct(pins: string[]): string[] {
  return [...new Set(pins)];
}

/** Guesses for staff, whose PINs may have four digits. */
export const SHORT_GUESSES = distinct([
  ...POPULAR.split(" "),
  ...Array.from({ length: 80 }, (_, n) => String(1950 + n)),
  ...days((day, month) => day + month),
  ...days((day, month) => month + day),
  ...numbers(4),
]);

/** Guesses for owners, whose PINs have six digits. */
export const LONG_GUESSES = distinct([
  ..."123456 654321 111111 000000 121212 112233 123123 666666 159753 147258 101010".split(" "),
  ...Array.from({ length: 50 }, (_, n) => String(1960 + n).slice(2)).flatMap((year) =>
    days((day, month) => day + month + year).slice(0, 31),
  ),
  ...numbers(6),
]);
