/** A number of conversations in Portuguese. */
export function conversationsText(count: number): string {
  return count === 1 ? '1 conversa' : `${count} conversas`
}
