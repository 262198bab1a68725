/** The door of the room: what the product does while nobody touches it, as rules; `conversations` carries them out. */
export {
  enterQueue,
  isNobodyFree,
  isQueued,
  isQueuedIn,
  leaveQueue,
  loadOfOnline,
  positionOf,
  registerInQueue,
} from './queue.ts'
export { isDueForPosition, leastLoaded } from './turns.ts'
