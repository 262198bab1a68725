/**
 * Normalizes a text for searching: 'Ação' and 'acao' become the same. `platform/database/folded.ts` has the
 * same in SQL.
 */
export function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
}
