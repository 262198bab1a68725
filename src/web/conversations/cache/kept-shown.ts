// A conversation that this tab finalizes or hands over may at once be one that the person no longer sees. The
// chat shows it until they have left: they saw it a moment ago.

/** By id, whether it was removed meanwhile. */
const kept = new Map<number, boolean>()
/** Longer than a chat stays open afterwards. */
const keptMs = 1500

/** @returns whether the chat of a conversation that is no longer visible stays for now */
export function noteRemoved(id: number): boolean {
  if (!kept.has(id)) return false
  kept.set(id, true)
  return true
}

/** It is visible, perhaps again. */
export function noteVisible(id: number): void {
  if (kept.has(id)) kept.set(id, false)
}

/** Whether a conversation is no longer visible, and shown because of `keepShown` alone. */
export const isOnlyKept = (id: number): boolean => kept.get(id) ?? false

/**
 * Keeps the chat of a conversation while an act ends that may make it invisible, and for a moment afterwards.
 * @param remove called then if it was removed meanwhile
 */
export async function keepShown<Answer>(
  id: number,
  act: () => Promise<Answer>,
  remove: () => void,
): Promise<Answer> {
  const end = () => {
    const isRemoved = isOnlyKept(id)
    kept.delete(id)
    if (isRemoved) remove()
  }
  kept.set(id, false)
  try {
    const answer = await act()
    setTimeout(end, keptMs)
    return answer
  } catch (error) {
    end()
    throw error
  }
}
