const system = matchMedia('(prefers-color-scheme: dark)')

function chosen(): string | null {
  try {
    return localStorage.getItem('theme')
  } catch {
    // A browser that forbids storage has the system's theme.
    return null
  }
}

function apply(): void {
  const choice = chosen()
  const isKnown = choice === 'light' || choice === 'dark'
  document.documentElement.dataset['theme'] = isKnown ? choice : system.matches ? 'dark' : 'light'
}

/** The theme is the console's: chosen there, in this browser, or the system's. */
export function followTheme(): void {
  apply()
  system.addEventListener('change', apply)
  addEventListener('storage', (event) => {
    if (event.key === 'theme' || event.key === null) apply()
  })
}
