export { forgetErased } from '#server/maintenance/privacy/forget.ts'
export { scanForPerson } from '#server/maintenance/privacy/scan.ts'
