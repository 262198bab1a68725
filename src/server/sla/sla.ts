/** The door of the room: what other rooms may use of the clocks. */
export { startSlaClocks } from './keeper.ts'
