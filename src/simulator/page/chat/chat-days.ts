import type { ChatMessage } from '#simulator/control-views.ts'
import { dayKey } from '#simulator/page/dates.ts'

export interface ChatRow {
  message: ChatMessage
  startsGroup: boolean
  endsGroup: boolean
}
export interface ChatDay {
  key: string
  rows: ChatRow[]
}

const groupGapMs = 2 * 60_000

function isSameGroup(a: ChatMessage, b: ChatMessage) {
  return a.from === b.from && Date.parse(b.at) - Date.parse(a.at) <= groupGapMs
}

/** Groups a chat by day, and within a day by consecutive messages of one author. */
export function chatDays(chat: ChatMessage[]): ChatDay[] {
  const days = Map.groupBy(chat, ({ at }) => dayKey(at))
  return [...days].map(([key, messages]) => ({
    key,
    rows: messages.map((message, index) => {
      const before = messages[index - 1]
      const after = messages[index + 1]
      return {
        message,
        startsGroup: !before || !isSameGroup(before, message),
        endsGroup: !after || !isSameGroup(message, after),
      }
    }),
  }))
}
