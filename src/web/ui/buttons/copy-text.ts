/** @returns whether the text was copied: without HTTPS the browser offers no clipboard */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch (error) {
    console.warn('The text could not be copied', error)
    return false
  }
}
