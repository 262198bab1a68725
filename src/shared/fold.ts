/** A text as it is searched: 'Ação' and 'acao' are the same. */
export const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
