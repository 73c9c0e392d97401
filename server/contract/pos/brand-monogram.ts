/** At most two letters that stand for a name: "AT&T Mexico" is "AM", "Claro" is "Cl". */
export function monogramText(name: string): string {
  const words = name
    .split(/[\s\-_/]+/)
    .map((word) => word.replaceAll(/[^\p{L}\p{N}]/gu, ""))
    .filter((word) => word !== "");
  const [first = "", second] = words;
  if (second !== undefined) {
    return (initial(first) + initial(second)).toUpperCase();
  }
  return [...first].slice(0, 2).join("");
}

function initial(word: string): string {
  return [...word][0] ?? "";
}

/**
 * Black or white, whichever reads better on a colour (WCAG relative luminance).
 * @param color `#rrggbb`
 * @returns undefined where it is no such colour
 */
export function inkOn(color: string): "#000000" | "#ffffff" | undefined {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color);
  if (!match) return undefined;
  const [red = 0, green = 0, blue = 0] = match
    .slice(1)
    .map((channel) => linear(Number.parseInt(channel, 16)));
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  const onWhite = 1.05 / (luminance + 0.05);
  const onBlack = (luminance + 0.05) / 0.05;
  return onWhite >= onBlack ? "#ffffff" : "#000000";
}

function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
