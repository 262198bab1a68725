/** The query of the list as it was shown last: '?tab=mine&page=2'. */
let place = ''

export function keepPlace(search: string): void {
  place = search
}

/** Where the list was left: its page, search and tab. Whoever leaves a chat returns there. */
export function listAddress(): string {
  return `/conversas-ativas${place}`
}

/** The parameters with which the list was left. */
export function placeParams(): URLSearchParams {
  return new URLSearchParams(place)
}
