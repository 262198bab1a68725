/** @returns whether it was copied: without https there is no clipboard */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch (error) {
    console.warn('The text could not be copied', error)
    return false
  }
}
