/** Has the browser save what an address gives, while it comes and under the name that it brings. */
export function download(address: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
}
