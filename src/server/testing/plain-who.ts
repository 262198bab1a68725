import { defaultFlags } from '#shared/users/default-flags.ts'
import type { Who } from '#server/platform/http/access.ts'

/** For tests: what is true of a person of whom nothing is said. */
export const plainWho = {
  isAway: false,
  silentHours: null,
  pause: null,
  isLoginLocked: false,
  pending: null,
  hasSecondFactor: false,
  isConfirmed: true,
  picture: null,
  numberIds: null,
  sectors: [],
  scope: 'all',
  hasSectors: false,
  hasReasons: false,
  hasTags: false,
  hasViews: false,
  hasMacros: false,
  hidesPhones: false,
  revealsPhones: false,
} satisfies Partial<Who>

/** A supervisor with the flags of the role, of whom nothing else matters. */
export const someone: Who = {
  ...plainWho,
  id: 1,
  name: 'Alguém',
  username: 'alguem',
  email: 'alguem@exemplo.com.br',
  role: 'supervisor',
  flags: defaultFlags('supervisor'),
  sessionId: 1,
  source: { address: null, device: null },
}
