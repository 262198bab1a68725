/** What was typed and not sent, kept for this tab: it outlives a change of chat, a login and a reload. */

/** @param chat by its `chatKey` */
const draftKey = (userId: number, chat: number | string) => `balcao:draft:${userId}:${chat}`

export function readDraft(userId: number, chat: number | string): string {
  try {
    return sessionStorage.getItem(draftKey(userId, chat)) ?? ''
  } catch (error) {
    console.warn('The draft could not be read', error)
    return ''
  }
}

export function keepDraft(userId: number, chat: number | string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(draftKey(userId, chat))
    else sessionStorage.setItem(draftKey(userId, chat), text)
  } catch (error) {
    console.warn('The draft could not be kept', error)
  }
}

/** What was typed to a contact goes on in the conversation that has begun with him. */
export function moveDraft(userId: number, from: number | string, to: number): void {
  const text = readDraft(userId, from)
  if (text === '') return
  keepDraft(userId, to, text)
  keepDraft(userId, from, '')
}
