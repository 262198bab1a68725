/** What was typed and not sent, kept for this tab: it outlives a change of chat, a login and a reload. */

const draftKey = (userId: number, conversationId: number) => `balcao:draft:${userId}:${conversationId}`

export function readDraft(userId: number, conversationId: number): string {
  try {
    return sessionStorage.getItem(draftKey(userId, conversationId)) ?? ''
  } catch (error) {
    console.warn('The draft could not be read', error)
    return ''
  }
}

export function keepDraft(userId: number, conversationId: number, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(draftKey(userId, conversationId))
    else sessionStorage.setItem(draftKey(userId, conversationId), text)
  } catch (error) {
    console.warn('The draft could not be kept', error)
  }
}
