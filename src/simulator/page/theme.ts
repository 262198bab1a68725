const system = matchMedia('(prefers-color-scheme: dark)')

function chosen(): string | null {
  try {
    return localStorage.getItem('theme')
  } catch {
    // Storage is blocked: use the system's theme.
    return null
  }
}

function apply(): void {
  const choice = chosen()
  const isKnown = choice === 'light' || choice === 'dark'
  document.documentElement.dataset['theme'] = isKnown ? choice : system.matches ? 'dark' : 'light'
}

/** Follows the theme chosen in the console in this browser, or the system's. */
export function followTheme(): void {
  apply()
  system.addEventListener('change', apply)
  addEventListener('storage', (event) => {
    if (event.key === 'theme' || event.key === null) apply()
  })
}
