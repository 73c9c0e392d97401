/** Enough of an address or number to tell who was meant: `a…@example.com`, `…4567`. */
export function shortened(to: string): string {
  if (to === "") return "";
  const [name = "", host] = to.split("@");
  return host === undefined ? `…${name.slice(-4)}` : `${name.slice(0, 1)}…@${host}`;
}
