/** Prefixes of keys whose purchases deliver nothing real: of a test environment, of a named sandbox. */
const PREFIXES = ["test_", "sandbox_"];

export function isTestKey(key: string): boolean {
  return PREFIXES.some((prefix) => key.startsWith(prefix));
}
