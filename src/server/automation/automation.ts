/** The door of the room: the rules of automatic actions. The room `conversations` executes them. */
export {
  capacityOf,
  enterQueue,
  isNobodyFree,
  isQueued,
  isQueuedIn,
  leaveQueue,
  loadOfOnline,
  positionOf,
  queueOf,
  queuesOfNumbers,
  registerInQueue,
  rejoinQueue,
} from './queue.ts'
export { isDueForPosition, leastLoaded } from './turns.ts'
export { findUnserved } from './unserved.ts'
