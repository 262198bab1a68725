/**
 * The beginning of a text, with '…' if it goes on: for labels and single lines, of which browsers and screen
 * readers take all, however little of it is visible. A text to be read is shown by `RichText`.
 * @param most in characters
 */
export function cut(text: string, most = 300): string {
  if (text.length <= most) return text
  // Not inside of a pair of surrogates.
  return `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}…`
}
