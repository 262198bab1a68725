/** Auto-close closes a conversation after this time without messages. @see specification §9 */
export const inactivityMinutes = 30
