/** Control characters, which move cursors, ring bells or open drawers, except line ends and tabs. */
const CONTROL = /(?![\t\n])[\p{Cc}\u202A-\u202E]/gu;

/**
 * Removes control characters from a foreign text before it is shown or printed: terminals and receipt
 * printers execute them as commands, and bidirectional controls reverse text for its reader.
 */
export function withoutControls(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n").replaceAll(CONTROL, "");
}

/** Escapes control characters visibly, for texts that help to find an error. */
export function escapeControls(text: string): string {
  return text.replaceAll(
    CONTROL,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
