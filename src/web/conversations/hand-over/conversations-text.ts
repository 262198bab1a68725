/** How many conversations, in words. */
export function conversationsText(count: number): string {
  return count === 1 ? '1 conversa' : `${count} conversas`
}
