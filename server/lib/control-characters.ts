/**
 * Control characters except line ends and tabs. They can move cursors, ring bells or open drawers.
 */
const CONTROL = /(?![\t\n])[\p{Cc}\u202A-\u202E]/gu;

/**
 * Removes control characters from a foreign text before it is shown or printed. Terminals and
 * receipt printers execute them as commands, and bidirectional controls reverse text.
 */
export function withoutControls(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n").replaceAll(CONTROL, "");
}

/** Makes control characters visible by escapes, for texts that help to find an error. */
export function escapeControls(text: string): string {
  return text.replaceAll(
    CONTROL,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
