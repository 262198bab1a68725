import { useState } from 'react'

const key = 'balcao:contact-panel'
const wide = '(min-width: 768px)'

/** Whether the contact stands beside the chat; remembered, and closed to begin with where it would cover the chat. */
export function usePanelOpen(): [boolean, (isOpen: boolean) => void] {
  const [isOpen, setIsOpen] = useState(() => window.matchMedia(wide).matches && read() !== 'closed')
  const set = (next: boolean) => {
    setIsOpen(next)
    if (window.matchMedia(wide).matches) write(next ? 'open' : 'closed')
  }
  return [isOpen, set]
}

function read(): string | null {
  try {
    return localStorage.getItem(key)
  } catch (error) {
    console.warn('The state of the contact panel could not be read', error)
    return null
  }
}

function write(state: 'open' | 'closed'): void {
  try {
    localStorage.setItem(key, state)
  } catch (error) {
    console.warn('The state of the contact panel could not be kept', error)
  }
}
