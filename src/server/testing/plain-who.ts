import type { Who } from '#server/platform/http/access.ts'

/** For tests: what is true of a person of whom nothing is said. */
export const plainWho = {
  isAway: false,
  isLoginLocked: false,
  pending: null,
  hasSecondFactor: false,
  isConfirmed: true,
  picture: null,
  numberIds: null,
} satisfies Partial<Who>
