/** What Alt+G does: presses the one button on the screen that has the key. */
export function pressGiveBack(): void {
  document.querySelector<HTMLButtonElement>("[data-give-back]")?.click();
}
