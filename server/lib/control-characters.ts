/** Control characters except line ends and tabs, including bidirectional controls. */
const CONTROL = /(?![\t\n])[\p{Cc}\u202A-\u202E]/gu;

/**
 * Removes control characters from a foreign text before it is shown or printed, because terminals
 * and receipt printers execute them.
 */
export function withoutControls(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n").replaceAll(CONTROL, "");
}

/** Replaces control characters by visible escapes. */
export function escapeControls(text: string): string {
  return text.replaceAll(
    CONTROL,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
