/** @returns whether the clipboard took it: without https the browser has none to offer */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch (error) {
    console.warn('The text could not be copied', error)
    return false
  }
}
