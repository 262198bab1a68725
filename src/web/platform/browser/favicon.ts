const plainAddress = '/favicon.svg'

/** Shows a number on the tab's icon; 0: the plain icon. */
export function setFaviconBadge(count: number): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  const address = count > 0 ? badgedAddress(count) : plainAddress
  if (link && link.getAttribute('href') !== address) link.setAttribute('href', address)
}

/**
 * The plain icon's background and speech bubble, with digits large enough to read at 16 px. Icons cannot use
 * the page's colours: a white outline separates the badge from light and dark tabs.
 */
export function badgedAddress(count: number): string {
  const words = count > 9 ? '9+' : String(count)
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">' +
    '<rect width="24" height="24" rx="6.5" fill="#09655f"/>' +
    '<path d="M6.4 3.6h7.6a2.4 2.4 0 0 1 2.4 2.4v3.6a2.4 2.4 0 0 1-2.4 2.4h-3.5l-2.5 2.1v-2.1H6.4' +
    'a2.4 2.4 0 0 1-2.4-2.4V6a2.4 2.4 0 0 1 2.4-2.4Z" fill="#f7fdfc"/>' +
    '<circle cx="15.6" cy="15.6" r="8.4" fill="#fff"/>' +
    '<circle cx="15.6" cy="15.6" r="7.4" fill="#b42318"/>' +
    `<text x="15.6" y="${words.length > 1 ? 19.3 : 20}" text-anchor="middle" ` +
    `font-family="Arial,sans-serif" font-weight="700" font-size="${words.length > 1 ? 10.5 : 12.5}" ` +
    `fill="#fff">${words}</text></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
