type Field = HTMLInputElement | HTMLTextAreaElement;

/**
 * Types at the caret as a keyboard does: the field gets the input event and may change the text.
 */
export function insertText(field: Field, text: string): void {
  field.focus({ preventScroll: true });
  document.execCommand("insertText", false, text);
}

export function eraseText(field: Field): void {
  field.focus({ preventScroll: true });
  document.execCommand("delete");
}

export function nextField(field: Field): HTMLElement | undefined {
  const around = field.closest("form, [role=dialog], main") ?? document.body;
  const fields = [
    ...around.querySelectorAll<Field>("input:not([type=hidden], [hidden]), textarea"),
  ].filter((one) => !one.disabled && !one.readOnly && one.checkVisibility());
  return fields[fields.indexOf(field) + 1];
}
