/** Downloads a text as a file. */
export function saveText(fileName: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = fileName;
  // A browser saves a file only through a link.
  link.dispatchEvent(new MouseEvent("click"));
  // The browser has started to read it by the next task.
  setTimeout(() => URL.revokeObjectURL(address), 0);
}
