/** A text as it is searched: 'Ação' and 'acao' are the same. */
export function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
