/** The door of the room: the quick replies of a person and of sectors. */
export { replyKeys } from './live.ts'
export { fetchReplyFile, replyQueries } from './queries.ts'
