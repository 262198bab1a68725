// Sets the chosen theme, or the system's, before the first paint; platform/theme.ts takes over from here.
;(() => {
  let chosen = null
  try {
    chosen = localStorage.getItem('theme')
  } catch {
    // A browser that forbids storage has the system's theme.
  }
  const isKnown = chosen === 'light' || chosen === 'dark'
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  document.documentElement.dataset.theme = isKnown ? chosen : system
})()
