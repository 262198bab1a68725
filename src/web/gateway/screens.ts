import type { Screens } from '#web/platform/screens.ts'

export const screens = {
  /** Only until its steps are done, from a card of the dashboard. */
  '/primeiros-passos': {
    load: async () => (await import('#web/gateway/first-steps/first-steps-screen.tsx')).FirstStepsScreen,
  },
} satisfies Screens
