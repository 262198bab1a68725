import { useState } from 'react'
import { hasPanelBeside, useMediaQuery } from '#web/platform/browser/media-query.ts'
import { storedChoice } from '#web/platform/browser/stored.ts'

const wideChoice = storedChoice('contact_panel', (stored) => stored !== 'false')
const narrowChoice = storedChoice('contact_panel_narrow', (stored) => stored === 'true')

/**
 * Whether the contact panel is open. Beside the chat this is remembered: open at first where both have room,
 * folded where it would clip the chat's header. Where it covers the chat, it is opened on demand.
 */
export function usePanelOpen(): [boolean, (isOpen: boolean) => void] {
  const isWide = useMediaQuery('(min-width: 85.375rem)')
  const isBeside = useMediaQuery(hasPanelBeside)
  const isOpenWide = wideChoice.use()
  const isOpenNarrow = narrowChoice.use()
  const [isOpenAbove, setOpenAbove] = useState(false)
  if (!isBeside) return [isOpenAbove, setOpenAbove]
  return isWide ? [isOpenWide, wideChoice.set] : [isOpenNarrow, narrowChoice.set]
}
