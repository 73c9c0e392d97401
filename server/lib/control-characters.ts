/** All that moves a cursor, rings a bell or opens a drawer; lines and tabs are left. */
const CONTROL = /(?![\t\n])[\p{Cc}\u202A-\u202E]/gu;

/**
 * Text from outside as it may be shown and printed: a terminal or a receipt printer takes what begins
 * with a control character as a command, and readers may be shown text that is turned around.
 */
export function withoutControls(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n").replaceAll(CONTROL, "");
}

/** The same, with what was there made visible: for what is read to find a fault. */
export function showingControls(text: string): string {
  return text.replaceAll(
    CONTROL,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
