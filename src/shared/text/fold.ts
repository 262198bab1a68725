// oxlint-disable-next-line no-control-regex -- all of ASCII
const isAscii = /^[\0-\x7f]*$/

/**
 * Normalizes a text for searching: 'Ação' and 'acao' become the same. `folded` in the server's
 * schema/columns.ts is the same in SQL.
 */
export function fold(text: string): string {
  // Most words have nothing to remove, and normalizing costs ten times as much as looking.
  if (isAscii.test(text)) return text.toLowerCase()
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
}
