/** The door of the room: what other rooms may use of the clocks. */
export { type Span, without } from './clocks.ts'
export { createClockKeeper, startSlaClocks } from './keeper.ts'
