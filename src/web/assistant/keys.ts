const all = ['assistant'] as const

/** The parts of the keys of what is known of the AI, apart from its calls: every screen hears of changes. */
export const assistantKeys = {
  all,
  config: [...all, 'config'] as const,
  inConversation: (id: number) => [...all, 'in', id] as const,
}
