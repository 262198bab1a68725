import { useState } from 'react'
import { useMediaQuery } from '#web/platform/browser/media-query.ts'
import { storedChoice } from '#web/platform/browser/stored.ts'

const besideChoice = storedChoice('contact_panel', (stored) => stored !== 'false')

/**
 * Whether the contact panel is open: remembered where it is beside the chat, on demand where it covers it.
 */
export function usePanelOpen(): [boolean, (isOpen: boolean) => void] {
  const isBeside = useMediaQuery('(min-width: 48rem)')
  const isOpenBeside = besideChoice.use()
  const [isOpenAbove, setOpenAbove] = useState(false)
  return isBeside ? [isOpenBeside, besideChoice.set] : [isOpenAbove, setOpenAbove]
}
