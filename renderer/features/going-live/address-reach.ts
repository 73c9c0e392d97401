/** Callers that can connect: only this machine, its network, or the internet. */
export type Reach = "MACHINE" | "NETWORK" | "OUTSIDE";

const PRIVATE_IP =
  /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)/;
const PRIVATE_IP6 = /^(f[cd]|fe[89ab])[0-9a-f]{2}:/;
const PRIVATE_NAME = /\.(local|lan|home|internal|home\.arpa)$/;

/** @returns undefined if the text is no web address */
export function reachOf(address: string): Reach | undefined {
  const text = address.trim();
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    return undefined;
  }
  const host = new URL(text).hostname.replace(/^\[|\]$/g, "").toLowerCase();
  if (host === "localhost" || host.endsWith(".localhost") || host.startsWith("127.")) {
    return "MACHINE";
  }
  if (host === "::1" || host === "0.0.0.0" || host === "::") {
    return "MACHINE";
  }
  const isName = !host.includes(":") && !/^[\d.]+$/.test(host);
  const isPrivate = isName
    ? !host.includes(".") || PRIVATE_NAME.test(host)
    : PRIVATE_IP.test(host) || PRIVATE_IP6.test(host);
  return isPrivate ? "NETWORK" : "OUTSIDE";
}
