/** The door of the room: the rules of automatic actions. The room `conversations` executes them. */
export {
  enterQueue,
  isNobodyFree,
  isQueued,
  isQueuedIn,
  leaveQueue,
  loadOfOnline,
  positionOf,
  queuesOfNumbers,
  registerInQueue,
  rejoinQueue,
} from './queue.ts'
export { isDueForPosition, leastLoaded } from './turns.ts'
