/**
 * Normalizes a text for searching: 'Ação' and 'acao' become the same. `folded` in the server's
 * schema/columns.ts is the same in SQL.
 */
export function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
}
