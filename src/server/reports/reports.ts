export { computeFacts, startFacts } from './facts-worker.ts'
export { type Difference, verifyReports } from './verify.ts'
