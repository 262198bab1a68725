/** The clocks of a conversation: until the first reply of a person, and until its end. */
export const slaClockNames = ['reply', 'end'] as const
export type SlaClockName = (typeof slaClockNames)[number]
