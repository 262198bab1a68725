/** Normalizes a text for searching: 'Ação' and 'acao' become the same. */
export function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
