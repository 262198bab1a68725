/** The door of the room: what anybody does that matters is recorded here, and sealed. */
export { auditFigures, checkAuditJob } from './check.ts'
export { recordOtherUser, recordRefusal } from './refusals.ts'
export { countPastInAudit, eraseFromAudit, erasePastFromAudit } from './erase.ts'
export { type Actor, record, recordRepeated } from './record.ts'
export { listUndoable, type UndoableAct } from './undoable-acts.ts'
export { sealRows, startAuditSealer } from './sealer.ts'
export { type Break, type ChainHead, verifyChain, walkChain } from './verify.ts'
