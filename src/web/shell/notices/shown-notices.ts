const key = 'notices'

/** What this tab showed last, as JSON: after a reload the bar must not move what is below it. */
export const shownNotices = {
  get: (): string | null => sessionStorage.getItem(key),
  set: (json: string): void => sessionStorage.setItem(key, json),
}
