import * as z from 'zod/mini'

const noteDraft = z.object({
  /** The notes the draft is based on. */
  base: z.string(),
  text: z.string(),
})
export type NoteDraft = z.infer<typeof noteDraft>

/** Drafts are stored per tab and survive a change of chat, a login and a reload. */
function key(userId: number, contactId: number) {
  return `balcao:note:${userId}:${contactId}`
}

export function readNoteDraft(userId: number, contactId: number): NoteDraft | undefined {
  try {
    return noteDraft.safeParse(JSON.parse(sessionStorage.getItem(key(userId, contactId)) ?? 'null')).data
  } catch (error) {
    console.warn('The notes could not be read', error)
    return undefined
  }
}

/** Stores the draft; undefined removes it. */
export function keepNoteDraft(userId: number, contactId: number, draft: NoteDraft | undefined): void {
  try {
    if (draft) sessionStorage.setItem(key(userId, contactId), JSON.stringify(draft))
    else sessionStorage.removeItem(key(userId, contactId))
  } catch (error) {
    console.warn('The notes could not be kept', error)
  }
}
