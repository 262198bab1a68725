/** The door of the room: with what conversations end. */
export { reasonKeys } from './live.ts'
export { reasonQueries } from './queries.ts'
export { ReasonEntry } from './reason-entry.tsx'
export { ReasonFilter } from './reason-filter.tsx'
export { ReasonOf } from './reason-of.tsx'
export { useReasonOf } from './use-reason-of.ts'
export { useReasons } from './use-reasons.ts'
