/** The door of the room: pauses, and the record of working days. */
export { startWorkRecorder } from './recorder.ts'
