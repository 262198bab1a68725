import { AwayLine } from './away-line.tsx'
import { NumberNotice } from './number-notice.tsx'
import { NumberSection } from './number-section.tsx'

/** What lists and chats show of numbers where the person has several. */
export const parts = { AwayLine, NumberNotice, NumberSection }
