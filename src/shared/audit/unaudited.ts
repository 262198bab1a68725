// Why a successful call leaves nothing in the audit log.

export const reading = { not: 'reads what the person may see in daily work' } as const
export const listing = { not: 'lists without opening anything; the calls that open are recorded' } as const
export const everyday = {
  not: 'everyday work with messages, their own record; the one that takes a conversation is recorded',
  sometimes: 'conversation.take',
} as const
export const ownState = { not: "the person's own reading position, draft or state" } as const
export const tuning = { not: 'reads the configuration' } as const
