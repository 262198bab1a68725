import { AwayLine } from './away-line.tsx'
import { NumberMenu, NumberMenuChoice, NumberStrip } from './number-menu.tsx'
import { NumberNotice } from './number-notice.tsx'
import { NumberSection } from './number-section.tsx'

/** What lists and chats show of numbers where the person has several. */
export const parts = { AwayLine, NumberMenu, NumberMenuChoice, NumberStrip, NumberNotice, NumberSection }
