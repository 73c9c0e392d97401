import { createHash, randomBytes } from "node:crypto";

const ENTROPY_BYTES = 16;
const WORD_BITS = 11;
const CHECKSUM_BITS = 4;
export const PHRASE_WORDS = (ENTROPY_BYTES * 8 + CHECKSUM_BITS) / WORD_BITS;
/** Number of first letters that identify a word of the list. */
const PREFIX_LETTERS = 4;

/**
 * English word list of BIP 39, loaded on demand:
 * https://github.com/bitcoin/bips/tree/master/bip-0039
 */
async function readWords(): Promise<readonly string[]> {
  return (await import("./recovery-words.json", { with: { type: "json" } })).default;
}

/** Reason of a `PhraseError`, as the contract of the till describes it. */
export interface PhraseFault {
  readonly kind: "MISSING" | "COUNT" | "WORD" | "CHECKSUM" | "OTHER_BACKUP";
  readonly number?: number;
}

/** Error for a missing or wrong recovery phrase. The message is for the person who typed it. */
export class PhraseError extends Error {
  readonly fault: PhraseFault;
  constructor(message: string, fault: PhraseFault) {
    super(message);
    this.fault = fault;
  }
}

/** Returns a new phrase of twelve words: 128 random bits and a checksum of four bits (BIP 39). */
export function createPhrase(): Promise<string> {
  return toPhrase(randomBytes(ENTROPY_BYTES));
}

/** @param entropy 16 bytes */
export async function toPhrase(entropy: Buffer): Promise<string> {
  const list = await readWords();
  const bits = toBits(entropy) + checksumOf(entropy);
  const words: string[] = [];
  for (let at = 0; at < bits.length; at += WORD_BITS) {
    words.push(list[Number.parseInt(bits.slice(at, at + WORD_BITS), 2)] ?? "");
  }
  return words.join(" ");
}

/**
 * Returns the entropy of a typed phrase. Ignores case, line breaks, commas and the numbers on the
 * printed sheet, and accepts words that are cut after four letters.
 * @throws PhraseError
 */
export async function parsePhrase(typed: string): Promise<Buffer> {
  const list = await readWords();
  const indexByPrefix = new Map(list.map((word, index) => [prefixOf(word), index]));
  const words = typed
    .normalize("NFKC")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean);
  if (words.length !== PHRASE_WORDS) {
    throw new PhraseError(
      `A recovery phrase has ${PHRASE_WORDS} words; this one has ${words.length}.`,
      { kind: "COUNT", number: words.length },
    );
  }
  const indexes = words.map((word, position) => {
    const index = indexByPrefix.get(prefixOf(word));
    const known = index === undefined ? undefined : list[index];
    const isMeant = known !== undefined && (known === word || word.length >= PREFIX_LETTERS);
    if (index === undefined || !isMeant || !known.startsWith(word)) {
      throw new PhraseError(
        `Word ${position + 1} of the recovery phrase, "${word.slice(0, 20)}", is not on the list of words. Compare it with the printed sheet.`,
        { kind: "WORD", number: position + 1 },
      );
    }
    return index;
  });
  const bits = indexes.map((index) => index.toString(2).padStart(WORD_BITS, "0")).join("");
  const entropy = Buffer.alloc(ENTROPY_BYTES);
  for (let byte = 0; byte < ENTROPY_BYTES; byte++) {
    entropy[byte] = Number.parseInt(bits.slice(byte * 8, byte * 8 + 8), 2);
  }
  if (bits.slice(ENTROPY_BYTES * 8) !== checksumOf(entropy)) {
    throw new PhraseError(
      "The recovery phrase has a wrong word, or its words are in another order. Compare it with the printed sheet.",
      { kind: "CHECKSUM" },
    );
  }
  return entropy;
}

function prefixOf(word: string): string {
  return word.slice(0, PREFIX_LETTERS);
}

function toBits(bytes: Buffer): string {
  return [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
}

function checksumOf(entropy: Buffer): string {
  return toBits(createHash("sha256").update(entropy).digest()).slice(0, CHECKSUM_BITS);
}
