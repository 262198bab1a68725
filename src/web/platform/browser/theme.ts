import { useSyncExternalStore } from 'react'
import { storedChoice } from './stored.ts'

export type Theme = 'light' | 'dark'

const system = matchMedia('(prefers-color-scheme: dark)')
/** public/theme.js does the same before the first paint; empty: follow the system. */
const choice = storedChoice<Theme | ''>('theme', (stored) =>
  stored === 'light' || stored === 'dark' ? stored : '',
)

function theme(): Theme {
  return choice.get() || (system.matches ? 'dark' : 'light')
}

function subscribe(listener: () => void): () => void {
  const stop = choice.subscribe(listener)
  system.addEventListener('change', listener)
  return () => {
    stop()
    system.removeEventListener('change', listener)
  }
}

function apply(): void {
  document.documentElement.dataset.theme = theme()
}

/** The theme, and a function that switches it. @see specification §1 Theme */
export function useTheme(): { theme: Theme; toggleTheme: () => void } {
  const current = useSyncExternalStore(subscribe, theme)
  return { theme: current, toggleTheme: () => choice.set(current === 'dark' ? 'light' : 'dark') }
}

apply()
subscribe(apply)
