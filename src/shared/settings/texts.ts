/** Why a request is refused: its HTTP status, and what is said. */
export const settingsErrors = {
  'settings.changed': [409, '{name} mudou estas configurações enquanto você editava.'],
} as const
