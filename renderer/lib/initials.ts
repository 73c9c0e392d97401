/** Returns at most two letters for a person: "Ana María" is "AM", "Rosa" is "Ro". */
export function initialsOf(name: string): string {
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
