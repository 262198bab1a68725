export { dropOwnReplies, leaveRepliesOf } from './change.ts'
export { ownNamedFiles } from './files.ts'
export { countUse, forgetGeneral, uncountUse } from './queries.ts'
