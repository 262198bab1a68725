import { useLocation } from 'wouter'
import { useMediaQuery } from '#web/platform/browser/media-query.ts'
import { storedChoice } from '#web/platform/browser/stored.ts'

const foldChoice = storedChoice('side_folded', (stored) => stored === 'true')

/** How the frame is arranged on this screen and at this width. */
export function useSide() {
  const [path] = useLocation()
  const isChat = path === '/chat'
  // Beside the panes of the list and of the chat: one is opened from the other, and nothing moves.
  const isInbox = isChat || path === '/conversas-ativas' || path === '/conversations'
  const isWide = useMediaQuery('(min-width: 48rem)')
  const hasRoom = useMediaQuery(isInbox ? '(min-width: 90.0625rem)' : '(min-width: 75rem)')
  const isFolded = foldChoice.use() || !hasRoom
  return {
    /** Whether the side bar is beside the screen, not in a drawer. */
    isWide,
    /** Whether the side bar may be unfolded. */
    hasRoom,
    isFolded,
    setIsFolded: foldChoice.set,
    /** A chat has a narrow screen to itself. */
    hasTopBar: isWide || !isChat,
  }
}

const sideColumn = 'flex shrink-0 flex-col border-r border-line bg-side'

/** The look of the side bar's column. */
export const sideLook = (isFolded: boolean) =>
  `${sideColumn} ${isFolded ? 'w-(--width-side-folded)' : 'w-(--width-side)'}`
